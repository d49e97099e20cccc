/** Texts of the form that asks for the variables of a prompt. */
import { pairTexts } from '../../i18n/pair_texts';

export const promptDialogTexts = pairTexts({
  en: { insert: 'Insert the prompt' },
  'zh-CN': { insert: '插入提示词' },
});
