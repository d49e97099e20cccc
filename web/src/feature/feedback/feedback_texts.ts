/** Texts of the feedback on an answer. */
import { pairTexts } from '../../i18n/pair_texts';

export const feedbackTexts = pairTexts({
  en: {
    up: 'Good answer',
    down: 'Bad answer',
    field: 'What is wrong with the answer?',
    hint: 'What is wrong? (optional)',
    send: 'Send',
    say: 'Say why',
    change: 'Change the reason',
    failed: 'Your rating could not be saved.',
  },
  'zh-CN': {
    up: '回答得好',
    down: '回答得不好',
    field: '这个回答有什么问题？',
    hint: '有什么问题？（可不填）',
    send: '发送',
    say: '说明原因',
    change: '修改原因',
    failed: '无法保存你的评价。',
  },
});
