/** Texts of notifications, and of their settings. */
import { pairTexts } from '../i18n/pair_texts';

export const noticeTexts = pairTexts({
  en: {
    happened: { waiting: 'The agent needs you', ended: 'The agent has finished' },
    title: 'While you look elsewhere',
    about: 'When a chat waits for an answer or a decision, or its work has ended, and no tab of this page is visible.',
    notifications: 'Show a notification',
    sounds: 'Play a sound',
    denied: 'This browser blocks notifications of this page. Allow them in its settings for this site.',
    unsupported: 'This browser shows notifications only for pages with HTTPS or on this machine.',
    push: {
      title: 'Push notifications on this device',
      about:
        'Also while the browser is closed: questions, approvals and ends of your chats and jobs. Harmless calls can be allowed from the notification.',
      denied: 'This browser blocks notifications of this page. Allow them in its settings for this site.',
      unsupported:
        'This browser gets no push notifications here. It needs a page with HTTPS or on this machine; an iPhone needs the page on its home screen.',
      failed: 'The browser could not subscribe to its push service.',
      secret: 'Only say that something waits',
      secretAbout: 'For a lock screen that others see: no question, no command and no title, and no decision from the notification.',
      devices: 'Devices with push notifications',
      here: 'This device',
      since: 'added',
      last: 'last notification',
      never: 'no notification yet',
      remove: 'Remove',
      removeDevice: (name: string) => `Remove ${name}`,
    },
  },
  'zh-CN': {
    happened: { waiting: '智能体需要你', ended: '智能体已完成' },
    title: '当你在看别处时',
    about: '对话等待你回答或决定，或者工作已结束，而此页面没有可见的标签页时。',
    notifications: '显示通知',
    sounds: '播放提示音',
    denied: '此浏览器屏蔽了本页面的通知，请在浏览器的网站设置中允许。',
    unsupported: '此浏览器只为使用 HTTPS 或在本机的页面显示通知。',
    push: {
      title: '在此设备上接收推送通知',
      about: '浏览器关闭时也会收到：你的对话和定时任务的提问、批准请求和结束通知。无害的调用可以直接在通知中允许。',
      denied: '此浏览器屏蔽了本页面的通知，请在浏览器的网站设置中允许。',
      unsupported: '此浏览器在这里收不到推送通知。页面须使用 HTTPS 或在本机打开；iPhone 须先把页面添加到主屏幕。',
      failed: '浏览器无法订阅其推送服务。',
      secret: '只提示有事项等待',
      secretAbout: '适合他人看得到的锁屏：不显示问题、命令和标题，也不能在通知中作决定。',
      devices: '接收推送通知的设备',
      here: '此设备',
      since: '添加于',
      last: '上次通知',
      never: '尚无通知',
      remove: '移除',
      removeDevice: name => `移除 ${name}`,
    },
  },
});
