import type { Locale } from '../platform/preferences';

/** Joins sentences to a paragraph, and leaves out those that are missing. Chinese has no blank between sentences. */
export function joinSentences(locale: Locale, ...sentences: readonly (string | false | undefined)[]): string {
  return sentences.filter(Boolean).join(locale === 'zh-CN' ? '' : ' ');
}
