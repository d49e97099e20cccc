/** Texts of the line about a gateway that works only in part. */
import { pairTexts } from '../../i18n/pair_texts';

export const gatewayTexts = pairTexts({
  en: {
    store: 'The gateway cannot save anything at the moment, so it takes no new messages. You can still read your chats.',
    draining: 'The gateway is about to restart and takes no new messages. Answers in progress go on afterwards.',
    model: 'The model does not answer at the moment. A message may fail, or take long.',
    retried: (time: string) => `The gateway tries it again at ${time}.`,
  },
  'zh-CN': {
    store: '网关目前无法保存数据，因此不接受新消息。已有的对话仍可阅读。',
    draining: '网关即将重启，暂不接受新消息。进行中的回答会在重启后继续。',
    model: '模型目前没有响应。消息可能失败，或需要较长时间。',
    retried: time => `网关将在 ${time} 再次尝试。`,
  },
});
