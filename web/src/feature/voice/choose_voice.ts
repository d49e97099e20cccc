/** Chooses the voice for a text. Pure. */

const SCRIPTS = [
  { script: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, language: 'ja' },
  { script: /\p{Script=Hangul}/gu, language: 'ko' },
  { script: /\p{Script=Han}/gu, language: 'zh-CN' },
  { script: /\p{Script=Cyrillic}/gu, language: 'ru' },
  { script: /\p{Script=Arabic}/gu, language: 'ar' },
] as const;

/** A text with this share of letters in a script is in its language; a name in a text of another language has fewer. */
const LEAST_SHARE = 0.15;

/** Returns the language of a text by its letters. Latin letters: the first language of the person that uses them, else English. */
export function languageOf(text: string, preferred: readonly string[]): string {
  const letters = text.match(/\p{Letter}/gu)?.length ?? 0;
  const found = SCRIPTS.find(({ script }) => (text.match(script)?.length ?? 0) > letters * LEAST_SHARE);
  if (found) return preferred.find(other => baseOf(other) === baseOf(found.language)) ?? found.language;
  return preferred.find(other => !SCRIPTS.some(({ language }) => baseOf(language) === baseOf(other))) ?? 'en-US';
}

type Voice = Pick<SpeechSynthesisVoice, 'lang' | 'localService' | 'default'>;

/** Prefers the same region, and voices of the device: others send the text away. */
export function chooseVoice<T extends Voice>(voices: readonly T[], language: string): T | undefined {
  const score = (voice: T) => Number(voice.localService) * 4 + Number(tagOf(voice.lang) === tagOf(language)) * 2 + Number(voice.default);
  return voices.filter(({ lang }) => baseOf(lang) === baseOf(language)).sort((a, b) => score(b) - score(a))[0];
}

/** Android writes zh_CN. */
const tagOf = (language: string): string => language.replace('_', '-').toLowerCase();
const baseOf = (language: string): string => tagOf(language).split('-')[0] ?? '';
