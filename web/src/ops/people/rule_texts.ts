/** Texts of the proposed approval rules. */
import { pairTexts } from '../../i18n/pair_texts';

export const ruleTexts = pairTexts({
  en: {
    rules: 'Rules from your decisions',
    nothing: 'No rule is proposed. A call that people allow five times, and never deny, is proposed here.',
    allowed: (tool: string, count: number) => `${tool}: people allowed this ${count} of ${count} times.`,
    everyCall: 'every call of the tool',
    states: { open: 'proposed', accepted: 'in force', dismissed: 'dismissed', undone: 'taken back' },
    effect: (allowed: number, asked: number, denied: number) =>
      `Of the past calls of this tool, ${allowed} would run without a question, ${asked} would be asked about, ${denied} would be denied.`,
    details: 'Change of approvals.yaml and examples',
    example: (before: string, after: string) => `${before} → ${after}`,
    decisions: { allow: 'runs', ask: 'asks', deny: 'denied' },
    hidden: 'a call of a chat that you do not see',
    long: 'a call with long arguments',
    accept: 'Accept the rule',
    dismiss: 'Dismiss',
    undo: 'Take back',
    accepted: 'The rule is in approvals.yaml and counts from now on.',
    dismissed: 'The proposal is dismissed.',
    undone: 'The rule is taken back.',
  },
  'zh-CN': {
    rules: '根据决定得出的规则',
    nothing: '没有规则建议。人们五次批准且从未拒绝的调用会在这里提出。',
    allowed: (tool, count) => `${tool}：${count} 次全部得到批准。`,
    everyCall: '该工具的所有调用',
    states: { open: '建议', accepted: '已生效', dismissed: '已忽略', undone: '已撤回' },
    effect: (allowed, asked, denied) => `该工具过去的调用中，${allowed} 次将无需询问，${asked} 次仍会询问，${denied} 次会被拒绝。`,
    details: 'approvals.yaml 的改动与示例',
    example: (before, after) => `${before} → ${after}`,
    decisions: { allow: '执行', ask: '询问', deny: '拒绝' },
    hidden: '你无权查看的对话中的调用',
    long: '参数很长的调用',
    accept: '接受规则',
    dismiss: '忽略',
    undo: '撤回',
    accepted: '规则已写入 approvals.yaml，即刻生效。',
    dismissed: '已忽略此建议。',
    undone: '规则已撤回。',
  },
});
