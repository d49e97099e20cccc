/** Texts of the search dialog. */
import { pairTexts } from '../i18n/pair_texts';

export const searchTexts = pairTexts({
  en: {
    title: 'Search chats',
    placeholder: 'Search titles and messages',
    recent: 'Recent chats',
    chats: 'Chats',
    messages: 'Messages',
    searching: 'Searching…',
    nothing: (query: string) => `Nothing found for “${query}”.`,
    nothingHint: 'Try fewer or other words.',
    noChats: 'You have no chats yet.',
    failed: 'The search failed.',
    more: 'More results',
    found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    keys: 'to choose',
    open: 'to open',
    close: 'to close',
  },
  'zh-CN': {
    title: '搜索对话',
    placeholder: '搜索标题和消息',
    recent: '最近的对话',
    chats: '对话',
    messages: '消息',
    searching: '正在搜索…',
    nothing: query => `没有找到“${query}”。`,
    nothingHint: '换个词，或少用几个词试试。',
    noChats: '你还没有对话。',
    failed: '搜索失败。',
    more: '更多结果',
    found: count => `${count} 条结果`,
    keys: '选择',
    open: '打开',
    close: '关闭',
  },
});
