/** Texts of an empty chat and the message field. */
import { pairTexts } from './pair_texts';

export const composerTexts = pairTexts({
  en: {
    emptyTitle: 'What shall we work on?',
    emptyText: 'The agent works in its own workspace: it reads and changes files, runs commands, plans, and asks you when it is unsure.',
    examples: [
      'Make a small project, ask me for a greeting and put it into the code',
      'Run the command: date && uname -sr',
      'List the files',
      'What can you do?',
    ],
    composerLabel: 'Message to the agent',
    composerPlaceholder: 'Message the agent…',
    composerBusyPlaceholder: 'Write the next message…',
    composerHint: 'Press Enter to send, Shift + Enter for a new line',
    composerBusyHint: 'Press Enter to send it after this answer, Esc to stop the agent',
    escapeAgain: 'Press Esc again to stop the agent',
    send: 'Send',
    stop: 'Stop',
    stopping: 'Stopping…',
    stopFailed: 'The run could not be stopped. Try again.',
    jumpToLatest: 'Jump to latest',
  },
  'zh-CN': {
    emptyTitle: '今天一起做点什么？',
    emptyText: '智能体在自己的工作区里干活：读写文件、运行命令、制定计划，拿不准时会来问你。',
    examples: ['做一个小项目，问我用哪句问候语，再写进代码', '运行命令：date && uname -sr', '列出文件', '你能做什么？'],
    composerLabel: '发给智能体的消息',
    composerPlaceholder: '给智能体发消息…',
    composerBusyPlaceholder: '写下一条消息…',
    composerHint: '按 Enter 发送，Shift + Enter 换行',
    composerBusyHint: '按 Enter 在当前回答结束后发送，Esc 停止运行',
    escapeAgain: '再按一次 Esc 停止运行',
    send: '发送',
    stop: '停止',
    stopping: '正在停止…',
    stopFailed: '未能停止运行，请再试一次。',
    jumpToLatest: '回到最新',
  },
});
