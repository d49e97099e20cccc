/** Texts of <neta-chat>. The texts of the chat are in its frame. */
export const widgetTexts = {
  en: {
    title: 'Chat',
    open: (title: string) => `Open: ${title}`,
    close: (title: string) => `Close: ${title}`,
    waits: 'The agent waits for your answer.',
    loading: 'Loading the chat…',
    retry: 'Try again',
    closePanel: 'Close',
    noAddress: 'This chat has no address: set the attribute src of neta-chat to the address of the gateway.',
    refused: (gateway: string, page: string) =>
      `The chat did not open. Either the gateway at ${gateway} is not running, or it does not allow this page. Its operator allows the page by adding ${page} to NETA_ORIGINS and restarting the gateway.`,
  },
  'zh-CN': {
    title: '对话',
    open: (title: string) => `打开：${title}`,
    close: (title: string) => `关闭：${title}`,
    waits: '智能体正在等待你的回答。',
    loading: '正在加载对话…',
    retry: '重试',
    closePanel: '关闭',
    noAddress: '这个对话没有地址：请把 neta-chat 的 src 属性设为网关的地址。',
    refused: (gateway: string, page: string) =>
      `对话没有打开。可能是 ${gateway} 的网关没有运行，也可能是它不允许这个页面。网关的管理者把 ${page} 加入 NETA_ORIGINS 并重启网关，即可允许这个页面。`,
  },
} as const;

export type WidgetTexts = (typeof widgetTexts)['en' | 'zh-CN'];
