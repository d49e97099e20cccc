/** Texts of the page that shows the embedded chat. */
import { pairTexts } from '../i18n/pair_texts';

export const demoTexts = pairTexts({
  en: {
    title: 'The chat on your own page',
    about:
      'One script and one element show a chat with an agent of this gateway on any page. The round button in the corner of this page is that element.',
    toChat: 'To the chat',
    allow: 'Allow the page',
    allowText:
      'The gateway shows the chat only to pages that its operator has allowed. Add the origin of the page to this setting and restart the gateway:',
    copy: 'Copy the lines',
    copyText: 'Put them at the end of the page, before </body>. Your choices change the chat on this page too.',
    copyLines: 'Copy',
    place: 'Place',
    places: { corner: 'Corner button', inline: 'Box in the page' },
    language: 'Language',
    languages: { auto: 'As the page', en: 'English', 'zh-CN': 'Chinese' },
    theme: 'Theme',
    themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    name: 'Title',
    people: 'Name the person',
    peopleText:
      'A gateway with keys needs one. Let your server hand a key to the person who is logged in, and set it as a property. It stays in memory; never write it into an address or an attribute.',
    events: 'React to the chat',
    eventsText: 'The element has the methods open, close and send, and tells of these events. The latest on this page:',
    noEvents: 'None yet. Open the chat.',
    tryIt: 'Send a message from the page',
    message: 'What can you do?',
    guide: 'All attributes, events and limits: the guide',
  },
  'zh-CN': {
    title: '在你自己的页面上对话',
    about: '一段脚本和一个元素，就能在任何页面上与这个网关的智能体对话。本页角落里的圆形按钮就是这个元素。',
    toChat: '前往对话',
    allow: '允许页面',
    allowText: '网关只向管理者允许的页面展示对话。请把页面的源加入这个设置，然后重启网关：',
    copy: '复制代码',
    copyText: '放在页面末尾的 </body> 之前。下面的选择也会改变本页的对话。',
    copyLines: '复制',
    place: '位置',
    places: { corner: '角落里的按钮', inline: '页面中的方框' },
    language: '语言',
    languages: { auto: '跟随页面', en: '英文', 'zh-CN': '中文' },
    theme: '主题',
    themes: { auto: '跟随系统', light: '浅色', dark: '深色' },
    name: '标题',
    people: '说明是谁',
    peopleText:
      '设有密钥的网关需要密钥。请让你的服务器把密钥交给已登录的人，并设为元素的属性值（property）。密钥只留在内存中；不要写进地址或 HTML 属性。',
    events: '响应对话',
    eventsText: '元素有 open、close 和 send 方法，并发出这些事件。本页最近的事件：',
    noEvents: '还没有。请打开对话。',
    tryIt: '从页面发送消息',
    message: '你能做什么？',
    guide: '全部属性、事件和限制：指南',
  },
});
