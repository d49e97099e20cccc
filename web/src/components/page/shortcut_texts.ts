/** Texts of the sheet of shortcuts. */
import { pairTexts } from '../../i18n/pair_texts';

export const shortcutTexts = pairTexts({
  en: {
    title: 'Keyboard shortcuts',
    commands: 'Commands at the beginning of a message',
    about: {
      search: 'Search chats, or find an action',
      sheet: 'Show these shortcuts',
      send: 'Send the message; queue it while the agent works',
      newLine: 'Begin a new line',
      steer: 'Give the message to the working agent',
      interrupt: 'Interrupt the agent and send',
      editLast: 'Edit the last message, in the empty field',
      stop: 'Stop the agent, or close what is open',
      choose: 'Choose an answer to a question',
      list: 'Move in the list of chats',
      menu: 'Go to the menu of a chat in the list',
    },
  },
  'zh-CN': {
    title: '键盘快捷键',
    commands: '消息开头的命令',
    about: {
      search: '搜索对话或查找操作',
      sheet: '显示这些快捷键',
      send: '发送消息；智能体工作时排队',
      newLine: '换行',
      steer: '把消息交给正在工作的智能体',
      interrupt: '中断智能体并发送',
      editLast: '输入框为空时，修改上一条消息',
      stop: '停止智能体，或关闭打开的内容',
      choose: '选择问题的答案',
      list: '在对话列表中移动',
      menu: '转到列表中对话的菜单',
    },
  },
});
