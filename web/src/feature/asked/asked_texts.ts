/** Texts of the requests about chats that the person does not see. */
import { pairTexts } from '../../i18n/pair_texts';

export const askedTexts = pairTexts({
  en: {
    title: 'Colleagues ask you',
    byWhom: (name: string) => `Asked for ${name}. You see this request alone; the chat is private.`,
    answer: 'Answer',
    yourAnswer: 'Your answer',
    othersMissing: 'Your yes counts. Others must say yes, too.',
    failed: 'This did not work. Please try again.',
  },
  'zh-CN': {
    title: '同事在询问你',
    byWhom: name => `由 ${name} 引起。你只看到这一项请求；对话是私有的。`,
    answer: '回答',
    yourAnswer: '你的回答',
    othersMissing: '你的同意已计入，还需要其他人同意。',
    failed: '操作未成功，请重试。',
  },
});
