import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../../errors';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult, textResult } from '../../../tools/common';
import { describeJob, describeJobs } from './describe_job';
import type { JobAccess, JobInput, JobView } from './job_access';

const closed = { additionalProperties: false };
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  );

const CronParameters = Type.Object(
  {
    action: oneOf(['create', 'list', 'update', 'delete', 'run_now'], 'What to do; list shows ids, times and the last run'),
    id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The job; needed by update, delete and run_now' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Short title; needed by create' })),
    schedule: Type.Optional(
      Type.Object(
        {
          cron: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, description: 'Five fields: minute, hour, day of month, month, day of week' }),
          ),
          timeZone: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'Time zone of cron, such as Europe/Berlin. Default: that of the gateway',
            }),
          ),
          everyMs: Type.Optional(Type.Number({ description: 'Milliseconds between two runs, at least 60000' })),
          at: Type.Optional(
            Type.String({ minLength: 1, maxLength: 40, description: 'One run at this time, such as 2030-05-01T08:00:00+02:00' }),
          ),
        },
        { ...closed, description: 'Exactly one of cron, everyMs and at; needed by create' },
      ),
    ),
    input: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        pattern: '\\S',
        description: 'The message that the agent gets at each run, complete in itself; needed by create',
      }),
    ),
    agent: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Name of the agent. Default: default' })),
    session: Type.Optional(oneOf(['new', 'same'], 'new (default): each run has a session of its own. same: all runs share one')),
    onMissed: Type.Optional(oneOf(['run', 'skip'], 'Times that passed while the gateway was down: one run for all (default), or none')),
    onOverlap: Type.Optional(
      oneOf(['skip', 'queue'], 'A time that comes while a run of the job goes on: no run (default), or one run afterwards'),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'false pauses the job, true resumes it' })),
  },
  closed,
);

type CronArguments = Static<typeof CronParameters>;

export const cronTool = defineTool({
  name: 'cron',
  toolset: 'jobs',
  label: 'Jobs',
  description:
    'Makes and manages jobs: a message that an agent gets by itself, at set times, once or again and again. Use it when something has to happen later or regularly; not for waiting within this turn. ' +
    'create needs name, schedule and input. The schedule is cron (five fields, with a time zone), everyMs (at least 60000) or at (one time). At most 50 jobs, none more often than once a minute. ' +
    'Nobody is there when a job runs: it cannot ask, and its calls that need approval are refused. Five failures in a row pause a job. A person must approve what makes or changes a job.',
  whenToUse: 'Something has to happen later or regularly, without the person',
  howToUse: {
    title: { en: '## Jobs', 'zh-CN': '## 定时任务' },
    lines: [
      {
        en: 'Write the input of a job as a message that is complete in itself: what to do, with what, and how to report. A run in a new session knows nothing of this conversation.',
        'zh-CN': '任务的 input 要写成一条自身完整的消息：做什么、用什么、怎样汇报。在新会话里运行时，它对本次对话一无所知。',
      },
      {
        en: "Put the person's time zone into the schedule when they name a time of day. When the time or the rhythm is unclear, ask before you create the job.",
        'zh-CN': '用户说到几点时，把他的时区写进 schedule。时间或频率不明确时，先问清再建。',
      },
      {
        en: 'Afterwards tell the person when the job runs next, in the words of the result. To change or stop a job, list first and use its id; do not create a second one.',
        'zh-CN': '建好后按结果里的说法告诉用户下次何时运行。要修改或停止任务，先 list 再用它的 id，不要另建一个。',
      },
    ],
  },
  effect: 'write',
  approval: {
    reason: {
      en: 'A job lets the agent work by itself, with nobody present.',
      'zh-CN': '定时任务会让智能体在无人在场时自行工作。',
    },
  },
  isHarmless: isHarmlessCall,
  keepsText: args => keepsMessage(args as CronArguments),
  translations: {
    'zh-CN': {
      label: '定时任务',
      description:
        '创建和管理定时任务：到了设定的时间，智能体会自动收到一条消息，一次或反复。用于以后或定期要做的事；不要用来在本轮中等待。' +
        'create 需要 name、schedule 和 input。schedule 为 cron（五个字段，可带时区）、everyMs（至少 60000）或 at（单个时间）。最多 50 个任务，每个不超过每分钟一次。' +
        '任务运行时没有人在场：不能提问，需要审批的调用会被拒绝。连续五次失败会暂停任务。新建或修改任务需要用户批准。',
      whenToUse: '某件事要在以后或定期进行，而用户不在场',
      parameters: {
        action: '要做什么；list 列出编号、时间和最近一次运行',
        id: '任务编号；update、delete、run_now 必填',
        name: '简短的名称；create 必填',
        schedule: 'cron、everyMs、at 三者恰好一个；create 必填',
        'schedule.cron': '五个字段：分、时、日、月、星期',
        'schedule.timeZone': 'cron 的时区，例如 Asia/Shanghai。默认为网关的时区',
        'schedule.everyMs': '两次运行之间的毫秒数，至少 60000',
        'schedule.at': '在此时间运行一次，例如 2030-05-01T08:00:00+08:00',
        input: '每次运行发给智能体的消息，自身要完整；create 必填',
        agent: '智能体的名字。默认 default',
        session: 'new（默认）：每次运行一个新会话。same：所有运行共用一个',
        onMissed: '网关停机期间错过的时间：合并补一次（默认），或不补',
        onOverlap: '到时间而上一次运行未结束：跳过（默认），或结束后补一次',
        enabled: 'false 暂停任务，true 恢复',
      },
    },
  },
  parameters: CronParameters,
  async execute(args, ctx) {
    if (!ctx.jobs) return errorResult(inLocale(ctx, 'There are no jobs here.', '此处没有定时任务。'));
    try {
      return await perform(args, ctx.jobs, ctx);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      return errorResult(inLocale(ctx, `Nothing was changed. ${thrown.message}`, `没有任何改动。${thrown.messageZh}`));
    }
  },
});

/** Listing, renaming and pausing cannot make the agent do more than before. */
function isHarmlessCall(args: unknown): boolean {
  const { action, id: _id, name: _name, enabled, ...rest } = args as CronArguments;
  return action === 'list' || (action === 'update' && enabled !== true && Object.keys(rest).length === 0);
}

/** A job keeps its message, and its name, beyond the chat that made it. */
function keepsMessage({ action, name, input }: CronArguments): boolean {
  return action === 'create' || (action === 'update' && (name !== undefined || input !== undefined));
}

async function perform({ action, id, ...fields }: CronArguments, jobs: JobAccess, ctx: ToolContext): Promise<ToolResult> {
  if (action === 'list') return describeJobs(await jobs.listJobs(), ctx);
  if (action === 'create') return create(fields, jobs, ctx);
  if (id === undefined) return missing(action, ['id'], ctx);
  if (action === 'update') return update(id, fields, jobs, ctx);
  return action === 'delete' ? remove(id, jobs, ctx) : runNow(id, jobs, ctx);
}

async function update(id: string, changes: Partial<JobInput>, jobs: JobAccess, ctx: ToolContext): Promise<ToolResult> {
  if (Object.keys(changes).length === 0) {
    return errorResult(inLocale(ctx, 'Nothing was changed: name the fields to change.', '没有任何改动：请给出要修改的字段。'));
  }
  return jobResult(inLocale(ctx, 'Changed the job.', '已修改任务。'), await jobs.updateJob(id, changes), ctx);
}

async function remove(id: string, jobs: JobAccess, ctx: ToolContext): Promise<ToolResult> {
  const { job } = await jobs.deleteJob(id);
  const text = inLocale(ctx, `Deleted the job ${id}, "${job.name}". Its sessions stay.`, `已删除任务 ${id}“${job.name}”。它的会话会保留。`);
  return textResult(text, { jobId: id });
}

async function runNow(id: string, jobs: JobAccess, ctx: ToolContext): Promise<ToolResult> {
  const { runId, sessionId } = await jobs.runJobNow(id);
  const text = inLocale(
    ctx,
    `Started the job ${id}: run ${runId} in session ${sessionId}.`,
    `已启动任务 ${id}：运行 ${runId}，会话 ${sessionId}。`,
  );
  return textResult(text, { jobId: id, runId, sessionId });
}

async function create(
  { name, schedule, input, ...rest }: Omit<CronArguments, 'action' | 'id'>,
  jobs: JobAccess,
  ctx: ToolContext,
): Promise<ToolResult> {
  if (name === undefined || schedule === undefined || input === undefined) {
    const absent = Object.entries({ name, schedule, input }).flatMap(([field, value]) => (value === undefined ? [field] : []));
    return missing('create', absent, ctx);
  }
  const view = await jobs.createJob({ ...rest, name, schedule, input });
  return jobResult(inLocale(ctx, 'Created the job.', '已创建任务。'), view, ctx);
}

const jobResult = (head: string, view: JobView, ctx: ToolContext): ToolResult =>
  textResult(`${head}\n${describeJob(view, ctx)}`, { jobId: view.job.id });

const missing = (action: string, fields: readonly string[], ctx: ToolContext): ToolResult =>
  errorResult(
    inLocale(
      ctx,
      `Nothing was changed: ${action} needs ${fields.join(', ')}. Send the call again with it.`,
      `没有任何改动：${action} 需要 ${fields.join('、')}。请补上后重新调用。`,
    ),
  );
