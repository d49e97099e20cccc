/** Commands that list and change what the gateway keeps: sessions, agents, tools, jobs. */
import { type Command, EXIT, type Invocation, list, UsageError } from './command';
import { TEXTS } from './texts';

const LIST_LIMIT = 50;

const sessions: Command = {
  usage: '[words ...]',
  summary: { en: 'List sessions, newest first; words search their titles', 'zh-CN': '列出会话，最新的在前；词语用于搜索标题' },
  async run(invocation) {
    const q = invocation.args.join(' ');
    const { data } = await invocation.client.request('get', '/api/v1/sessions', { query: { limit: LIST_LIMIT, q: q || undefined } });
    return list(invocation, data, ({ id, agent, updatedAt, title }) => ({ id, agent, updated: updatedAt, title }));
  },
};

const agents: Command = {
  usage: '',
  summary: { en: 'List agents', 'zh-CN': '列出智能体' },
  async run(invocation) {
    const { data } = await invocation.client.request('get', '/api/v1/agents');
    return list(invocation, data, ({ name, label, description }) => ({ name, label, description }));
  },
};

const tools: Command = {
  usage: '[words ...]',
  summary: { en: 'List tools, and why one cannot be used', 'zh-CN': '列出工具，以及某个工具不可用的原因' },
  async run(invocation) {
    const words = invocation.args.map(word => word.toLowerCase());
    const answer = await invocation.client.request('get', '/api/v1/tools');
    const data = answer.data.filter(row => words.every(word => JSON.stringify(row).toLowerCase().includes(word)));
    return list(invocation, data, ({ name, toolset, effect, enabled, description }) => ({
      name,
      toolset,
      effect,
      state: enabled ? 'on' : 'off',
      description,
    }));
  },
};

/** Actions on a job: the first argument names one, the second one the job. */
const JOB_ACTIONS = {
  run: async ({ client }: Invocation, id: string) => client.request('post', '/api/v1/jobs/{id}/run', { path: { id } }),
  pause: async ({ client }: Invocation, id: string) =>
    client.request('patch', '/api/v1/jobs/{id}', { path: { id }, body: { enabled: false } }),
  resume: async ({ client }: Invocation, id: string) =>
    client.request('patch', '/api/v1/jobs/{id}', { path: { id }, body: { enabled: true } }),
  delete: async ({ client }: Invocation, id: string) => client.request('delete', '/api/v1/jobs/{id}', { path: { id } }),
} as const;

const jobs: Command = {
  usage: `[${Object.keys(JOB_ACTIONS).join('|')} <job>]`,
  summary: { en: 'List jobs, or run, pause, resume or delete one', 'zh-CN': '列出任务，或运行、暂停、恢复、删除一个任务' },
  async run(invocation) {
    const [action, id] = invocation.args;
    const { client, output, language } = invocation;
    if (action === undefined) {
      const { data } = await client.request('get', '/api/v1/jobs', { query: { limit: LIST_LIMIT } });
      return list(invocation, data, ({ id: jobId, name, enabled, nextRunAt, lastRun }) => ({
        id: jobId,
        name,
        state: enabled ? 'on' : 'paused',
        next: nextRunAt,
        last: lastRun?.status,
      }));
    }
    const act = Object.entries(JOB_ACTIONS).find(([name]) => name === action)?.[1];
    if (!act || id === undefined) throw new UsageError(`neta jobs ${jobs.usage}`);
    const answer = await act(invocation, id);
    if (output.isJson) output.json(answer ?? { id });
    else output.line({ run: TEXTS.started, pause: TEXTS.changed, resume: TEXTS.changed, delete: TEXTS.deleted }[action as 'run'][language]);
    return EXIT.done;
  },
};

export const LIST_COMMANDS = { sessions, agents, tools, jobs };
