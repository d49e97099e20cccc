/** Texts of the embedded chat beside those of the chat page. */
import { pairTexts } from '../i18n/pair_texts';

export const embedTexts = pairTexts({
  en: { title: 'Chat' },
  'zh-CN': { title: '对话' },
});
