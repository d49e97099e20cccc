/** Texts of the menu of the open chat and its dialogs. */
import { pairTexts } from '../../i18n/pair_texts';

export const chatMenuTexts = pairTexts({
  en: {
    menu: 'Menu of this chat',
    instructions: 'Instructions for this chat',
    temporary: 'Make it a temporary chat',
    ordinary: 'Make it an ordinary chat',
    print: 'Print or save as PDF',
    instructionsTitle: 'Instructions for this chat',
    instructionsNote: 'The agent gets this text with every message of this chat. Branches and copies of the chat keep it.',
    instructionsExample: 'For example: answer in three sentences at most, with metric units.',
    characters: (count: number, most: number) => `${count.toLocaleString('en')} of ${most.toLocaleString('en')} characters`,
  },
  'zh-CN': {
    menu: '本对话的菜单',
    instructions: '本对话的要求',
    temporary: '设为临时对话',
    ordinary: '设为普通对话',
    print: '打印或存为 PDF',
    instructionsTitle: '本对话的要求',
    instructionsNote: '智能体处理本对话的每条消息时都会看到这段文字。对话的分支和副本会保留它。',
    instructionsExample: '例如：回答不超过三句话，使用公制单位。',
    characters: (count, most) => `${count.toLocaleString('en')} / ${most.toLocaleString('en')} 个字符`,
  },
});
