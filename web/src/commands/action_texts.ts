/** Texts of actions and of the list of commands. */
import { pairTexts } from '../i18n/pair_texts';

export const actionTexts = pairTexts({
  en: {
    otherLanguage: '中文 (Chinese)',
    shortcuts: 'Keyboard shortcuts',
    temporary: 'Make it a temporary chat',
    ordinary: 'Make it an ordinary chat',
    model: 'Choose the model',
    exportMarkdown: 'Export as Markdown',
    exportJson: 'Export as JSON lines',
    list: 'Commands and prompts',
  },
  'zh-CN': {
    otherLanguage: 'English（英文）',
    shortcuts: '键盘快捷键',
    temporary: '设为临时对话',
    ordinary: '设为普通对话',
    model: '选择模型',
    exportMarkdown: '导出为 Markdown',
    exportJson: '导出为 JSON Lines',
    list: '命令和提示词',
  },
});
