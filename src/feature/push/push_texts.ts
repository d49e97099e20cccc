/** The texts of notifications. */
import type { Locale } from '../../port/store/sessions';

interface Texts {
  question: string;
  approval: string;
  /** A sign-in from a network or a browser that the person had not used before. */
  login: string;
  loginAbout: string;
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
    login: 'A new sign-in to your account',
    loginAbout:
      'It came from a new network or browser. If it was not you, log out there in the settings and ask an admin for a new password.',
    ends: { completed: 'The agent has finished', incomplete: 'The agent has stopped early', failed: 'The run has failed' },
    untitled: 'Untitled chat',
    hidden: 'Open the chat to see it.',
    inDirectory: (line, directory) => `${line} (in ${directory})`,
  },
  'zh-CN': {
    question: '智能体有一个问题',
    approval: '智能体请求你批准',
    login: '你的账户有新的登录',
    loginAbout: '来自新的网络或浏览器。如果不是你，请在设置中退出该登录，并向管理员索取新密码。',
    ends: { completed: '智能体已完成', incomplete: '智能体提前停止', failed: '运行失败' },
    untitled: '未命名对话',
    hidden: '请打开对话查看。',
    inDirectory: (line, directory) => `${line}（目录：${directory}）`,
  },
};
