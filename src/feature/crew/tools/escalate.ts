/** A question upwards: of a crew member to its master, of a master to the person. */
import { Type } from '@sinclair/typebox';
import { clarifyTool } from '../../../tools/builtin/clarify';
import { defineTool, inLocale } from '../../../tools/common';

export const escalateTool = defineTool({
  name: 'escalate',
  toolset: 'crew',
  label: 'Escalate',
  description:
    'For members of a crew: hands a decision or a problem that you cannot solve to your lead. An agent without a lead reaches the person with it, and needs it only when it has no other tool to ask the person. Use it when a decision is beyond your task, when access or information is missing, or after two different attempts have failed. ' +
    'Say what stops you and what you need. A crew member ends with it; its lead answers with a new task. Not for progress reports and not before you have tried.',
  // A master asks the person with clarify; a member has no clarify and asks its master.
  whenToUse: [
    {
      en: 'A problem cannot be solved here, or may not be decided here → escalate.',
      'zh-CN': '问题在这里解决不了，或无权在这里决定 → escalate。',
      lacks: ['clarify'],
    },
  ],
  effect: 'external',
  crew: 'escalate',
  asksPerson: true,
  isResumable: true,
  // Infinity: the deadline of the stored question ends the wait.
  timeoutMs: Number.POSITIVE_INFINITY,
  parameters: Type.Object(
    {
      question: Type.String({ minLength: 1, maxLength: 2_000, description: 'What stops you, what you tried, and what has to be decided' }),
      choices: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          maxItems: 4,
          uniqueItems: true,
          description: 'Up to 4 different ready answers to pick from',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  translations: {
    'zh-CN': {
      label: '上报问题',
      description:
        '供团队成员使用：把自己无法解决的问题或无权作的决定交给主导者。没有主导者的智能体用它会问到用户，只在没有别的提问工具时才需要。当需要超出任务范围的决定、缺少权限或信息、或两次不同的尝试都失败时使用。' +
        '说明什么阻碍了你、需要什么。团队成员会就此结束，由主导者用新任务作答。不用于汇报进度，也不要在尝试之前使用。',
      parameters: {
        question: '什么阻碍了你、尝试过什么、需要决定什么',
        choices: '最多 4 个不同的现成答案',
      },
    },
  },
  async execute(args, ctx) {
    if (ctx.crew?.role !== 'member') return clarifyTool.execute(args, ctx);
    const content = inLocale(ctx, 'The question was handed to your lead and your task ends here.', '问题已交给主导者，你的任务到此结束。');
    return { ok: true, content, question: { question: args.question, choices: args.choices?.length ? args.choices : undefined } };
  },
});
