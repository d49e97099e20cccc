/** One text in both languages of the gateway. */
export interface Bilingual {
  en: string;
  'zh-CN': string;
}

/** Schema key of the Chinese `description`. */
export const ZH_DESCRIPTION = 'x-description-zh-CN';

/** Returns schema options with the description in both languages. Validation ignores both; /openapi.json shows one of them. */
export function says(en: string, zhCN: string): { description: string; [ZH_DESCRIPTION]: string } {
  return { description: en, [ZH_DESCRIPTION]: zhCN };
}
