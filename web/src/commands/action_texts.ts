/** Texts of actions and of the list of commands. */
import { pairTexts } from '../i18n/pair_texts';

export const actionTexts = pairTexts({
  en: {
    otherLanguage: '中文 (Chinese)',
    shortcuts: 'Keyboard shortcuts',
    model: 'Choose the model',
    list: 'Commands and prompts',
  },
  'zh-CN': {
    otherLanguage: 'English（英文）',
    shortcuts: '键盘快捷键',
    model: '选择模型',
    list: '命令和提示词',
  },
});
