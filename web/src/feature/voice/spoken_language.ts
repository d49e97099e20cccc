/** The languages in which a person can speak. */
import type { Preferences } from '../../platform/preferences';
import type { SpeechWay } from '../../platform/speech_ways';

/** Languages that browsers and transcription models know, beside those of the browser. */
const USUAL = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'th', 'tr', 'uk', 'vi', 'zh-CN'];

/** Lists the languages that a person can choose: those of the browser first. */
export function listSpokenLanguages(): string[] {
  return [...new Set([...browserLanguages(), ...USUAL])];
}

/** Returns the language to recognise; undefined: the transcription model finds out. */
export function spokenLanguage({ speechLanguage, locale }: Preferences, way: SpeechWay): string | undefined {
  // Models take ISO 639 codes without a region.
  if (way === 'gateway') return speechLanguage.split('-')[0] || undefined;
  if (speechLanguage !== '') return speechLanguage;
  const own = browserLanguages();
  // The page knows two languages only: a person with the English page may speak any language.
  if (locale === 'en') return own[0] ?? 'en-US';
  return own.find(tag => tag.includes('-') && tag.startsWith(locale.slice(0, 2))) ?? locale;
}

/** Leaves out names that are no language tags, such as `en-US@posix`. */
const browserLanguages = (): string[] => navigator.languages.filter(tag => /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(tag));
