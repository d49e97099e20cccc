/** Texts that people read in English or Chinese, both written in one place. */

/** One text in both languages of the gateway. */
export interface Bilingual {
  en: string;
  'zh-CN': string;
}

/** Key of a schema under which the Chinese of its `description` stands. */
export const ZH_DESCRIPTION = 'x-description-zh-CN';

/** Options of a schema: its description in both languages. Validation ignores both; /openapi.json shows one of them. */
export function says(en: string, zhCN: string): { description: string; [ZH_DESCRIPTION]: string } {
  return { description: en, [ZH_DESCRIPTION]: zhCN };
}
