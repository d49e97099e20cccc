/** The table of the guide docs/guides/call-the-api.md: which form each behaviour has at each door. */
import type { Door, DoorForms } from './door';

type Language = 'en' | 'zh-CN';
type Words<Form extends string> = Record<Form, Record<Language, string>>;

const ELSEWHERE = { en: 'other door', 'zh-CN': '其他入口' };

const STREAM: Words<DoorForms['stream']> = {
  text: { en: 'text', 'zh-CN': '文本' },
  steps: { en: 'steps', 'zh-CN': '步骤' },
  state: { en: 'state', 'zh-CN': '状态' },
  elsewhere: ELSEWHERE,
};
const RESUME: Words<DoorForms['resume']> = {
  cursor: { en: 'any cursor', 'zh-CN': '任意游标' },
  whole: { en: 'from the start', 'zh-CN': '从头' },
  retry: { en: 'same request', 'zh-CN': '相同请求' },
  state: { en: 'state', 'zh-CN': '状态' },
  none: { en: 'no', 'zh-CN': '否' },
};
const QUESTION: Words<DoorForms['question'][number]> = {
  asked: { en: 'asked', 'zh-CN': '询问' },
  text: { en: 'text', 'zh-CN': '文本' },
  elsewhere: ELSEWHERE,
};
const APPROVAL: Words<DoorForms['approval']> = {
  asked: { en: 'asked', 'zh-CN': '询问' },
  refused: { en: 'refused', 'zh-CN': '拒绝' },
  elsewhere: ELSEWHERE,
};
const CANCEL: Words<DoorForms['cancel']> = {
  request: { en: 'request', 'zh-CN': '请求' },
  leaving: { en: 'leaving', 'zh-CN': '离开' },
  elsewhere: ELSEWHERE,
};
/** Names that are no proper names. */
const CHINESE_NAMES: Record<string, string> = {
  'Command line': '命令行',
  'MCP, with sessions': 'MCP（有会话）',
  'MCP 2026-07-28, tasks': 'MCP 2026-07-28（任务）',
  'Inbound webhooks': '入站 Webhook',
};
const HEADINGS: Record<Language, string> = {
  en: '| door | stream | resume | question | approval | cancel | budget | error |',
  'zh-CN': '| 入口 | 流式 | 续传 | 提问 | 审批 | 取消 | 预算 | 错误 |',
};

export function doorTable(doors: readonly Door[], language: Language): string {
  const rows = doors.map(({ name, guide, forms }) => {
    const page = language === 'en' || guide.endsWith('README.md') ? guide : guide.replace('.md', '.zh-CN.md');
    const cells = [
      `[${(language === 'zh-CN' && CHINESE_NAMES[name]) || name}](${page})`,
      STREAM[forms.stream][language],
      RESUME[forms.resume][language],
      forms.question.map(form => QUESTION[form][language]).join(language === 'en' ? ', ' : '、'),
      APPROVAL[forms.approval][language],
      CANCEL[forms.cancel][language],
      forms.budget === undefined ? ELSEWHERE[language] : `\`${forms.budget}\``,
      `\`${forms.error}\``,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [HEADINGS[language], '|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}
