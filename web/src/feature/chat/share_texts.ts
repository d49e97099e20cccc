/** Texts of the dialog with the links of a chat. */
import { pairTexts } from '../../i18n/pair_texts';

export const shareTexts = pairTexts({
  en: {
    title: 'Share this chat',
    note: 'A link shows the texts that the chat has now, to read only. Results of tools, images and files are left out, and so is what you write later.',
    expires: 'Works for',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    isPublic: 'Readable without login by whoever has the link',
    create: 'Make a link',
    links: 'Links of this chat',
    link: 'Link',
    tenant: 'For people with a login',
    anyone: 'For whoever has the link',
    until: (when: string) => `until ${when}`,
    once: 'copy it now, it is not shown again',
    revoke: 'Revoke',
    failed: 'The request failed.',
  },
  'zh-CN': {
    title: '分享本对话',
    note: '链接只读展示对话现有的文字，不含工具结果、图片和文件，也不含你之后写的内容。',
    expires: '有效期',
    days: count => `${count} 天`,
    isPublic: '拥有链接的任何人无需登录即可阅读',
    create: '创建链接',
    links: '本对话的链接',
    link: '链接',
    tenant: '供已登录的用户阅读',
    anyone: '供拥有链接的任何人阅读',
    until: when => `${when} 之前有效`,
    once: '请立即复制，之后不再显示',
    revoke: '撤销',
    failed: '请求失败。',
  },
});
