/** Texts of the form that answers several questions. */
import { pairTexts } from '../../i18n/pair_texts';

export const questionFormTexts = pairTexts({
  en: {
    title: (count: number) => `The agent asks ${count} questions`,
    place: (number: number, count: number) => `Question ${number} of ${count}`,
    ownWords: 'Answer in your own words…',
    answerOne: 'Send only this answer',
    send: 'Send answers',
    answered: (count: number, all: number) =>
      count === all ? 'Each question has an answer.' : `${count} of ${all} questions have an answer.`,
    keys: (count: number) => `Alt + 1 to ${count} chooses for the question with the focus, Enter leads on to the next`,
    notSent: (number: number) => `The answer to question ${number} was not sent. It is still here: try again.`,
  },
  'zh-CN': {
    title: count => `智能体有 ${count} 个问题`,
    place: (number, count) => `问题 ${number}/${count}`,
    ownWords: '用自己的话回答…',
    answerOne: '只发送这个回答',
    send: '发送回答',
    answered: (count, all) => (count === all ? '每个问题都有回答了。' : `${all} 个问题中 ${count} 个已有回答。`),
    keys: count => `Alt + 1～${count} 为焦点所在的问题选择答案，Enter 前往下一个问题`,
    notSent: number => `问题 ${number} 的回答未能发送。内容还在，请重试。`,
  },
});
