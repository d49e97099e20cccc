/** Texts of the top bar and the notice about the sandbox. */
import type { ModelSummary } from '../api/rest_types';
import { pairTexts } from './pair_texts';

/** Says how a model stands. `until` is the time of the next try. */
type ModelStates = Readonly<Record<ModelSummary['state'], (until: string, reason: string) => string>>;

export const topBarTexts = pairTexts({
  en: {
    theme: { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
    switchTheme: 'Change theme',
    switchLanguage: 'Language',
    thinkingLevel: 'Thinking',
    thinkingLevels: { off: 'Off', minimal: 'Minimal', low: 'Low', medium: 'Medium', high: 'High' },
    model: 'Model',
    standardModel: (name: string) => `Default: ${name}`,
    modelOption: (name: string, state: string) => `${name} – ${state}`,
    modelState: {
      ok: () => 'ready',
      cooling: (until: string, reason: string) => `paused until ${until}, because it failed: ${reason}`,
      failing: (_until: string, reason: string) => `failing: ${reason}`,
    } as ModelStates,
    modelGone: 'no longer available',
    demoBadge: 'Demo: a script, no AI',
    demoExplanation:
      'No model is configured, so a script answers a few messages. The tools are real. Set OPENAI_API_KEY or OPENAI_BASE_URL to use a model.',
    noSandbox: 'No sandbox for commands',
    noSandboxExplanation:
      'Commands run on this machine without a sandbox, with all permissions of the gateway’s user. The approval rules decide which commands ask you first.',
  },
  'zh-CN': {
    theme: { system: '主题：跟随系统', light: '主题：浅色', dark: '主题：深色' },
    switchTheme: '切换主题',
    switchLanguage: '语言',
    thinkingLevel: '思考',
    thinkingLevels: { off: '关闭', minimal: '极少', low: '较少', medium: '适中', high: '深入' },
    model: '模型',
    standardModel: name => `默认：${name}`,
    modelOption: (name, state) => `${name}（${state}）`,
    modelState: {
      ok: () => '可用',
      cooling: (until, reason) => `出错，${until} 前暂停使用：${reason}`,
      failing: (_until, reason) => `出错：${reason}`,
    },
    modelGone: '已不可用',
    demoBadge: '演示：按脚本应答，非 AI',
    demoExplanation: '尚未配置模型，因此由脚本应答几条固定的消息；工具是真实的。设置 OPENAI_API_KEY 或 OPENAI_BASE_URL 即可使用模型。',
    noSandbox: '命令未在沙箱中运行',
    noSandboxExplanation: '在这台机器上，命令不在沙箱中运行，拥有网关所属用户的全部权限。哪些命令需要你先同意，由审批规则决定。',
  },
});
