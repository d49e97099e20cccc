/** Texts about branches of a chat: an edited message, an answer that is generated again. */
import { pairTexts } from './pair_texts';

export const branchTexts = pairTexts({
  en: {
    copyMessage: 'Copy message',
    editedMessage: 'Your message',
    editNote: 'The chat goes on from here in a new branch. The earlier one is kept. Files in the workspace stay as they are.',
    regenerate: 'Answer again',
    regenerateNote: 'Answer again in a new branch. The earlier answer is kept. Files in the workspace stay as they are.',
    branchNumber: (number: number, total: number) => `Branch ${number} of ${total}`,
    previousBranch: 'Previous branch',
    nextBranch: 'Next branch',
  },
  'zh-CN': {
    copyMessage: '复制消息',
    editedMessage: '你的消息',
    editNote: '对话将从这里进入新的分支，原来的分支会保留。工作区里的文件保持原样。',
    regenerate: '重新回答',
    regenerateNote: '在新的分支中重新回答，原来的回答会保留。工作区里的文件保持原样。',
    branchNumber: (number, total) => `第 ${number} 个分支，共 ${total} 个`,
    previousBranch: '上一个分支',
    nextBranch: '下一个分支',
  },
});
