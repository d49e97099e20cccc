/** Texts of the page that shows a shared chat. */
import { pairTexts } from '../i18n/pair_texts';

export const sharedTexts = pairTexts({
  en: {
    toChat: 'To your own chats',
    untitled: 'Shared chat',
    note: (shared: string, expires: string) => `A copy as of ${shared}, to read only. The link works until ${expires}.`,
    loading: 'Loading the chat…',
    gone: 'There is no such link, or it has expired or was revoked.',
    goneHint: 'Ask the person who sent it for a new one.',
    login: 'This chat is for people of the gateway. Log in, then open the link again.',
    logIn: 'Log in',
    failed: 'The chat could not be loaded.',
    empty: 'The chat has no texts.',
    more: 'Show more',
  },
  'zh-CN': {
    toChat: '前往你自己的对话',
    untitled: '共享的对话',
    note: (shared, expires) => `${shared} 的副本，仅供阅读。链接在 ${expires} 之前有效。`,
    loading: '正在加载对话…',
    gone: '没有这个链接，或者它已过期或被撤销。',
    goneHint: '请向发送者索取新的链接。',
    login: '这个对话仅供本网关的用户阅读。请先登录，再重新打开链接。',
    logIn: '登录',
    failed: '无法加载对话。',
    empty: '对话中没有文字。',
    more: '显示更多',
  },
});
