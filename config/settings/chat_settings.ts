/** Settings of chats. */
import { flag, oneOf, textOr } from './setting_types';

export const CHATS = {
  NETA_TITLES: oneOf(['model', 'first_message'], {
    section: 'model',
    en: '`model`: after the first answer in the page, the model writes a short title for the chat, with one small call; `first_message`: the title is the beginning of the first message, as it always is with the demo',
    zh: '`model`：页面中第一次回答之后，由模型用一次小调用为对话写短标题；`first_message`：标题取第一条消息的开头，演示模型总是如此',
  }),
};

/** An address of nobody: push services get it until the operator names a contact. */
export const DEFAULT_PUSH_CONTACT = 'mailto:admin@example.com';

/** Settings of links to chats, pages of other sites and notifications. */
export const REACH = {
  NETA_PUBLIC_SHARES: flag({
    section: 'server',
    en: '1: a person may make links to a chat that whoever has the link can read without login',
    zh: '1：用户可以创建对话链接，拥有链接的任何人无需登录即可阅读',
  }),
  NETA_READ_PRIVATE_CHATS: flag({
    section: 'server',
    en: '1: operators may read private chats of people in the operator pages and in exports; each reading stands in the audit log',
    zh: '1：运维人员可以在运维页面和导出中阅读个人的私有对话；每次阅读都会写入审计日志',
  }),
  NETA_PUSH_CONTACT: textOr(
    DEFAULT_PUSH_CONTACT,
    {
      section: 'server',
      en: 'whom push services of browsers may ask about this gateway: `mailto:` or `https:` and an address',
      zh: '浏览器的推送服务可以就此网关联系谁：`mailto:` 或 `https:` 开头的地址',
    },
    { format: 'contact', refusal: 'NETA_PUSH_CONTACT must be an address such as mailto:ops@example.com or https://example.com/contact.' },
  ),
};
