/** Settings of chats. */
import { flag, oneOf } from './setting_types';

export const CHATS = {
  NETA_TITLES: oneOf(['model', 'first_message'], {
    section: 'model',
    en: '`model`: after the first answer in the page, the model writes a short title for the chat, with one small call; `first_message`: the title is the beginning of the first message, as it always is with the demo',
    zh: '`model`：页面中第一次回答之后，由模型用一次小调用为对话写短标题；`first_message`：标题取第一条消息的开头，演示模型总是如此',
  }),
};

export const SHARES = {
  NETA_SHARE_WITHOUT_LOGIN: flag({
    section: 'server',
    en: '1: a person may make links to a chat that whoever has the link can read without login',
    zh: '1：用户可以创建对话链接，拥有链接的任何人无需登录即可阅读',
  }),
};
