/** Tools of a master: they hand tasks to crew members and wait for the reports. */
import { Type } from '@sinclair/typebox';
import { formatQuestion } from '../../../tools/builtin/clarify';
import { defineTool, errorResult, inLocale, type ToolContext, ToolInputError, type ToolResult, textResult } from '../../../tools/common';
import type { CrewMaster, CrewReport, CrewTask } from '../../../tools/crew_access';

const closed = { additionalProperties: false };
/** The longest task with its context, in characters; docs/tools.md shows the numbers of the schema. */
const MAX_TASK = 8_000;
const MAX_CONTEXT = 16_000;

const CrewTaskParameters = {
  member: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Name of the crew member as listed; the first one when left out' }),
  ),
  task: Type.String({ minLength: 1, maxLength: MAX_TASK, description: 'The whole task: goal, paths and limits' }),
  context: Type.Optional(
    Type.String({ maxLength: MAX_CONTEXT, description: 'Facts the member needs; it sees nothing of this conversation' }),
  ),
  expected_output: Type.Optional(Type.String({ maxLength: 4_000, description: 'What the report must contain, and in which form' })),
};

const TASK_TEXTS_ZH_CN: Record<keyof typeof CrewTaskParameters, string> = {
  member: '列表中的成员名称；省略则交给第一个成员',
  task: '完整的任务：目标、路径和限制',
  context: '成员需要知道的事实；它看不到本次对话',
  expected_output: '报告里必须有什么，用什么形式',
};

export const delegateTaskTool = defineTool({
  name: 'delegate_task',
  toolset: 'crew',
  label: 'Delegate task',
  description:
    'Gives one task to a crew member and waits for its report, at most 8,000 characters. Use it for a well-bounded piece of work that fits the speciality of that member. ' +
    'The member works in the same workspace with its own tools, sees only what you write here and cannot ask the person, so make the task complete. Check the report before you rely on it. Not for what a call or two of your own would do.',
  whenToUse: 'One self-contained piece of work suits a crew member',
  effect: 'write',
  crew: 'delegate',
  isResumable: true,
  // Infinity: the time limit of the run ends the wait.
  timeoutMs: Number.POSITIVE_INFINITY,
  parameters: Type.Object(CrewTaskParameters, closed),
  translations: {
    'zh-CN': {
      label: '委派任务',
      description:
        '把一项任务交给一名团队成员并等待其报告（最多 8,000 个字符）。用于边界清楚、符合该成员专长的工作。' +
        '成员在同一工作区用自己的工具工作，只能看到你在此写下的内容，也不能询问用户，因此任务必须写完整。采用报告之前先核对。自己一两次调用就能完成的事不要委派。',
      whenToUse: '一件能独立完成的工作适合交给某个成员',
      parameters: TASK_TEXTS_ZH_CN,
    },
  },
  async execute(args, ctx) {
    const master = masterOf(ctx);
    if (!master) return notHere(ctx);
    const [report] = await delegateTasks(master, [args], ctx);
    if (!report) return notHere(ctx);
    return toResult(isUsable(report), renderReport(report, ctx), [report]);
  },
});

export const delegateParallelTool = defineTool({
  name: 'delegate_parallel',
  toolset: 'crew',
  label: 'Delegate tasks in parallel',
  description:
    'Gives up to 8 tasks to crew members at the same time, 4 of them at once, and waits for all reports, in the order of the tasks. Use it only for tasks that do not depend on each other and do not change the same files; ' +
    'otherwise hand them out one after another. A task that fails does not stop the rest.',
  whenToUse: 'Several pieces of work do not depend on each other',
  effect: 'write',
  crew: 'delegate',
  isResumable: true,
  timeoutMs: Number.POSITIVE_INFINITY,
  parameters: Type.Object(
    {
      tasks: Type.Array(Type.Object(CrewTaskParameters, closed), { minItems: 1, maxItems: 8, description: 'Independent tasks, at most 8' }),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '并行委派任务',
      description:
        '同时把最多 8 项任务交给团队成员，其中 4 项并行，等待全部报告，按任务顺序返回。只用于互不依赖、也不修改相同文件的任务；' +
        '否则请依次委派。某项任务失败不会影响其他任务。',
      whenToUse: '几件工作互不依赖',
      parameters: {
        tasks: '相互独立的任务，最多 8 项',
        ...Object.fromEntries(Object.entries(TASK_TEXTS_ZH_CN).map(([name, text]) => [`tasks.${name}`, text])),
      },
    },
  },
  async execute({ tasks }, ctx) {
    const master = masterOf(ctx);
    if (!master) return notHere(ctx);
    const reports = await delegateTasks(master, tasks, ctx);
    const sections = reports.map((report, i) => `## ${i + 1}. ${renderReport(report, ctx)}`);
    return toResult(reports.some(isUsable), sections.join('\n\n'), reports);
  },
});

const masterOf = ({ crew }: ToolContext): CrewMaster | undefined => (crew?.role === 'master' ? crew : undefined);

const notHere = (ctx: ToolContext): ToolResult =>
  errorResult(
    inLocale(
      ctx,
      'There is no crew here: only an agent with members can delegate, in a run.',
      '这里没有团队：只有带成员的智能体在运行中才能委派。',
    ),
  );

/** Rejects with ToolInputError for a member that does not exist, before any task begins. */
function delegateTasks(master: CrewMaster, tasks: readonly CrewTask[], { toolCallId, signal }: ToolContext): Promise<CrewReport[]> {
  const unknown = tasks.map(({ member }) => member).find(member => member !== undefined && !master.members.includes(member));
  const members = master.members.join(', ');
  if (unknown !== undefined) {
    throw new ToolInputError(
      `There is no crew member "${unknown}". Members: ${members}.`,
      `没有名为“${unknown}”的团队成员。成员：${members}。`,
    );
  }
  return master.delegateTasks({ toolCallId, signal }, tasks);
}

/** Returns true for a report that the master can work with: an answer, a partial answer, or a question. */
const isUsable = ({ status }: CrewReport): boolean => status === 'completed' || status === 'incomplete';

function toResult(ok: boolean, content: string, reports: readonly CrewReport[]): ToolResult {
  const children = reports.map(({ member, status, childRunId, childSessionId }) => ({ member, status, childRunId, childSessionId }));
  return ok ? textResult(content, { children }) : errorResult(content, { children });
}

function renderReport(report: CrewReport, ctx: ToolContext): string {
  const { inputTokens, outputTokens } = report.usage;
  const seconds = Math.round(report.durationMs / 100) / 10;
  const figures = inLocale(
    ctx,
    `(${inputTokens} tokens in, ${outputTokens} out, ${seconds} s)`,
    `（输入 ${inputTokens}、输出 ${outputTokens} token，${seconds} 秒）`,
  );
  const head = `${headOf(report, ctx)} ${figures}`;
  if (report.escalation) return `${head}\n\n${formatQuestion(report.escalation.question, report.escalation.choices, ctx.locale)}`;
  if (report.text === '') return head;
  const intro = report.status === 'completed' ? '' : `${inLocale(ctx, 'So far:', '目前的内容：')}\n`;
  return `${head}\n\n${intro}${report.text}`;
}

/** Says in one line how the task ended. */
function headOf({ member, status, reason = 'budget', escalation, error = '' }: CrewReport, ctx: ToolContext): string {
  if (escalation) {
    return inLocale(
      ctx,
      `${member} asks you and has stopped. Decide, or ask the person, and delegate again.`,
      `${member} 向你提问并已停止。请作出决定或询问用户，然后重新委派。`,
    );
  }
  switch (status) {
    case 'completed':
      return inLocale(ctx, `${member}: done.`, `${member}：已完成。`);
    case 'incomplete':
      return inLocale(
        ctx,
        `${member}: stopped by a limit (${reason}), not finished.`,
        `${member}：达到上限（${reason}）而停止，尚未完成。`,
      );
    case 'cancelled':
      return inLocale(ctx, `${member}: cancelled.`, `${member}：已取消。`);
    case 'failed':
      return inLocale(ctx, `${member}: failed. ${error}`, `${member}：失败。${error}`);
  }
}
