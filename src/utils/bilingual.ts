/** One text in both languages of the gateway. */
export interface Bilingual {
  en: string;
  'zh-CN': string;
}

/** A text in both languages. */
export const inBoth = (en: string, zhCN: string): Bilingual => ({ en, 'zh-CN': zhCN });

/** Joins sentences: with a blank in English, without one in Chinese. */
export const joinSentences = (sentences: readonly Bilingual[]): Bilingual =>
  inBoth(sentences.map(({ en }) => en).join(' '), sentences.map(text => text['zh-CN']).join(''));

/** Joins clauses with a semicolon. */
export const joinClauses = (clauses: readonly Bilingual[]): Bilingual =>
  inBoth(clauses.map(({ en }) => en).join('; '), clauses.map(text => text['zh-CN']).join('；'));

/** Schema key of the Chinese `description`. */
export const ZH_DESCRIPTION = 'x-description-zh-CN';

/** Returns schema options with the description in both languages. Validation ignores both; /openapi.json shows one of them. */
export function says(en: string, zhCN: string): { description: string; [ZH_DESCRIPTION]: string } {
  return { description: en, [ZH_DESCRIPTION]: zhCN };
}
