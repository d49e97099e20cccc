/** Texts of the frame around the views that open in the place of the chat. Each view has its own texts beside it. */
import { pairTexts } from './pair_texts';

export const viewTexts = pairTexts({
  en: {
    views: 'More',
    viewTitles: { files: 'Files', memory: 'Memory', skills: 'Skills', jobs: 'Jobs', tools: 'Tools', settings: 'Settings' },
    viewAbout: {
      files: 'The directory that the agent works in. Name a file in a message with @ and its path.',
      memory: 'What the agent remembers about you and your work, in every chat. You can change or delete all of it.',
      skills: 'Instructions and files for tasks of one kind. The agent reads a skill when a task needs it.',
      jobs: 'Tasks that the agent does by itself, at the times you set.',
      tools: 'What the agent can do, and where each tool comes from. A tool that cannot run says why.',
      settings: 'How the page looks and behaves. The settings stay in this browser and apply to all of its tabs at once.',
    },
    backToChat: 'Back to the chat',
    skipToView: 'Skip to the content',
    viewFailed: 'This part of the page could not be loaded.',
    reloadPage: 'Reload the page',
    notRead: 'The gateway did not answer.',
    tryAgain: 'Try again',
    discardQuestion: 'Discard your changes?',
    discardExplanation: 'What you have written here is not saved.',
    discard: 'Discard',
  },
  'zh-CN': {
    views: '更多',
    viewTitles: { files: '文件', memory: '记忆', skills: '技能', jobs: '定时任务', tools: '工具', settings: '设置' },
    viewAbout: {
      files: '智能体工作的目录。在消息中用 @ 加路径即可指明一个文件。',
      memory: '智能体记住的关于你和工作的内容，在每个对话中都有效。你可以随时修改或删除。',
      skills: '针对某类任务的说明和文件。任务需要时，智能体会读取相应的技能。',
      jobs: '智能体按你设定的时间自行完成的任务。',
      tools: '智能体能做的事，以及每个工具的来源。不能运行的工具会说明原因。',
      settings: '页面的外观和行为。设置保存在此浏览器中，并立即应用于所有标签页。',
    },
    backToChat: '返回对话',
    skipToView: '跳到内容',
    viewFailed: '无法加载页面的这一部分。',
    reloadPage: '重新加载页面',
    notRead: '网关没有响应。',
    tryAgain: '重试',
    discardQuestion: '放弃修改？',
    discardExplanation: '你在这里写的内容还没有保存。',
    discard: '放弃',
  },
});
