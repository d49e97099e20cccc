/** The texts of notifications. */
import type { Locale } from '../../port/store/sessions';

interface Texts {
  question: string;
  approval: string;
  /** Says what to do after a login notice. */
  loginAdvice: string;
  ends: Record<string, string>;
  untitled: string;
  /** In the place of what waits, on a device that shall not show it. */
  hidden: string;
  /** Says where a command would run. */
  inDirectory: (line: string, directory: string) => string;
}

export const PUSH_TEXTS: Record<Locale, Texts> = {
  en: {
    question: 'The agent has a question',
    approval: 'The agent asks for your approval',
    loginAdvice:
      'If neither you nor your admin did this, open Settings, Your logins: remove what you do not know, and change your password.',
    ends: { completed: 'The agent has finished', incomplete: 'The agent has stopped early', failed: 'The run has failed' },
    untitled: 'Untitled chat',
    hidden: 'Open the chat to see it.',
    inDirectory: (line, directory) => `${line} (in ${directory})`,
  },
  'zh-CN': {
    question: '智能体有一个问题',
    approval: '智能体请求你批准',
    loginAdvice: '如果不是您本人或管理员操作，请打开“设置 → 你的登录方式”：移除不认识的内容，并更改密码。',
    ends: { completed: '智能体已完成', incomplete: '智能体提前停止', failed: '运行失败' },
    untitled: '未命名对话',
    hidden: '请打开对话查看。',
    inDirectory: (line, directory) => `${line}（目录：${directory}）`,
  },
};
