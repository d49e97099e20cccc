/** Specs of the crew tools. A service of the crew will run them; no agent has them yet. */
import { Type } from '@sinclair/typebox';
import type { ToolSpec } from '../common';

const closed = { additionalProperties: false };

const delegation = {
  member: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Name of the crew member as listed' }),
  task: Type.String({
    minLength: 1,
    maxLength: 8_000,
    description: 'The whole task: goal, paths, limits and what to report back',
  }),
  context: Type.Optional(Type.String({ maxLength: 16_000, description: 'Facts the member needs; it sees nothing of this conversation' })),
};

export const delegateTaskSpec: ToolSpec = {
  name: 'delegate_task',
  toolset: 'crew',
  label: 'Delegate task',
  description:
    'Gives one task to a crew member and waits for its report. Use it for a well-bounded piece of work that fits the speciality of that member. ' +
    'The member works in the same workspace with its own tools, sees only what you write here and cannot ask the person, so make the task complete. Check the report before you rely on it. Not for what a call or two of your own would do.',
  whenToUse: 'One self-contained piece of work suits a crew member',
  effect: 'write',
  parameters: Type.Object(delegation, closed),
  translations: {
    'zh-CN': {
      label: '委派任务',
      description:
        '把一项任务交给一名团队成员并等待其报告。用于边界清楚、符合该成员专长的工作。' +
        '成员在同一工作区用自己的工具工作，只能看到你在此写下的内容，也不能询问用户，因此任务必须写完整。采用报告之前先核对。自己一两次调用就能完成的事不要委派。',
      whenToUse: '一件能独立完成的工作适合交给某个成员',
      parameters: {
        member: '列表中的成员名称',
        task: '完整的任务：目标、路径、限制以及要汇报的内容',
        context: '成员需要知道的事实；它看不到本次对话',
      },
    },
  },
};

export const delegateParallelSpec: ToolSpec = {
  name: 'delegate_parallel',
  toolset: 'crew',
  label: 'Delegate tasks in parallel',
  description:
    'Gives 2 to 8 tasks to crew members at the same time and waits for all reports, in the order of the tasks. Use it only for tasks that do not depend on each other and do not change the same files; ' +
    'otherwise hand them out one after another. A task that fails does not stop the rest.',
  whenToUse: 'Several pieces of work do not depend on each other',
  effect: 'write',
  parameters: Type.Object(
    { tasks: Type.Array(Type.Object(delegation, closed), { minItems: 2, maxItems: 8, description: 'Independent tasks, 2 to 8' }) },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '并行委派任务',
      description:
        '同时把 2 到 8 项任务交给团队成员，等待全部报告，按任务顺序返回。只用于互不依赖、也不修改相同文件的任务；' +
        '否则请依次委派。某项任务失败不会影响其他任务。',
      whenToUse: '几件工作互不依赖',
      parameters: { tasks: '相互独立的任务，2 到 8 项' },
    },
  },
};

export const escalateSpec: ToolSpec = {
  name: 'escalate',
  toolset: 'crew',
  label: 'Escalate',
  description:
    'Hands a problem that you cannot solve to whoever gave you the task: the leading agent, or the person. Use it when a decision is beyond your task, when access or information is missing, or after two different attempts have failed. ' +
    'Say what you need. Not for progress reports and not before you have tried.',
  whenToUse: 'The crew cannot solve something or may not decide it',
  effect: 'external',
  parameters: Type.Object(
    {
      reason: Type.String({ minLength: 1, maxLength: 4_000, description: 'What stops you, and what you need to go on' }),
      attempted: Type.Optional(Type.String({ maxLength: 4_000, description: 'What you tried and what came of it' })),
      severity: Type.Optional(
        Type.Union([Type.Literal('question'), Type.Literal('blocked'), Type.Literal('danger')], {
          description: 'question: a decision is needed. blocked (default): no way on. danger: harm is likely if work goes on',
        }),
      ),
    },
    closed,
  ),
  translations: {
    'zh-CN': {
      label: '上报问题',
      description:
        '把自己无法解决的问题交给委派任务的一方：主导的智能体或用户。当需要超出任务范围的决定、缺少权限或信息、或两次不同的尝试都失败时使用。' +
        '说明你需要什么。不用于汇报进度，也不要在尝试之前使用。',
      whenToUse: '团队解决不了，或无权决定',
      parameters: {
        reason: '什么阻碍了你，以及继续下去需要什么',
        attempted: '尝试过什么，结果如何',
        severity: 'question：需要做决定。blocked（默认）：无法继续。danger：继续下去可能造成损害',
      },
    },
  },
};
