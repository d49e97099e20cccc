/** Texts of the settings. */
import { pairTexts } from '../../i18n/pair_texts';

export const settingsTexts = pairTexts({
  en: {
    appearance: 'Appearance',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
    density: 'Density',
    densities: { comfortable: 'Comfortable', compact: 'Compact' },
    densityHint: 'Compact shows more of a chat and of the list at once.',
    keys: 'Keys',
    sendKey: 'Send a message with',
    sendKeyHint: (newLine: string) => `${newLine} begins a new line.`,
    showShortcuts: 'Show all shortcuts',
  },
  'zh-CN': {
    appearance: '外观',
    language: '语言',
    theme: '主题',
    themes: { system: '跟随系统', light: '浅色', dark: '深色' },
    density: '密度',
    densities: { comfortable: '宽松', compact: '紧凑' },
    densityHint: '紧凑模式一次显示更多对话内容和列表。',
    keys: '按键',
    sendKey: '发送消息',
    sendKeyHint: newLine => `按 ${newLine} 换行。`,
    showShortcuts: '查看全部快捷键',
  },
});
