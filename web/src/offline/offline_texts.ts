/** Texts about what this device keeps. */
import { pairTexts } from '../i18n/pair_texts';

export const offlineTexts = pairTexts({
  en: {
    keptChat: (when: string) => `A copy on this device, from ${when}.`,
    keptList: 'The gateway does not answer. These chats are kept on this device.',
    settingsTitle: 'Without the gateway',
    keepChats: 'Keep opened chats on this device',
    keepChatsAbout:
      'While the gateway or the network is away, you can read the last 50 chats that you opened. Temporary chats are never kept. A log-out removes the copies.',
  },
  'zh-CN': {
    keptChat: when => `本设备上的副本，保存于 ${when}。`,
    keptList: '网关没有响应。以下对话保存在本设备上。',
    settingsTitle: '无法连接网关时',
    keepChats: '在本设备上保存打开过的对话',
    keepChatsAbout: '网关或网络不可用时，你仍可阅读最近打开过的 50 个对话。临时对话从不保存。退出登录会删除这些副本。',
  },
});
