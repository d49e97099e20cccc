import type { Locale } from '../platform/preferences';

/** The texts of a screen in every language, in one place. The other languages must have exactly the texts of the English one. */
export function pairTexts<T>(texts: { en: T } & Record<Exclude<Locale, 'en'>, NoInfer<T>>): Readonly<Record<Locale, T>> {
  return texts;
}
