/** Texts of the apps of tools. */
import { pairTexts } from '../../i18n/pair_texts';

export const appTexts = pairTexts({
  en: {
    title: (server: string) => `App of the MCP server ${server}`,
    failed: 'The app cannot be shown.',
    linkTitle: 'Open this link?',
    linkText: (server: string, url: string) => `The app of the MCP server ${server} wants to open ${url}`,
    openLink: 'Open the link',
  },
  'zh-CN': {
    title: (server: string) => `MCP 服务器 ${server} 的应用`,
    failed: '无法显示该应用。',
    linkTitle: '打开此链接？',
    linkText: (server: string, url: string) => `MCP 服务器 ${server} 的应用想要打开 ${url}`,
    openLink: '打开链接',
  },
});
