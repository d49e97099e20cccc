/** The command for inbound webhooks: lists, makes, pauses and deletes them. */
import { type Command, EXIT, type Invocation, list, UsageError } from './command';
import { TEXTS } from './texts';

const setEnabled =
  (enabled: boolean) =>
  ({ client }: Invocation, id: string) =>
    client.request('patch', '/api/v1/hooks/{id}', { path: { id }, body: { enabled } });

/** Actions on a hook: the first argument names one, the second one the hook. */
const ACTIONS = {
  pause: setEnabled(false),
  resume: setEnabled(true),
  delete: ({ client }: Invocation, id: string) => client.request('delete', '/api/v1/hooks/{id}', { path: { id } }),
} as const;

const hooks: Command = {
  usage: `[add <name> <template> | ${Object.keys(ACTIONS).join('|')} <hook>]`,
  summary: {
    en: 'List inbound webhooks, or add, pause, resume or delete one',
    'zh-CN': '列出入站 webhook，或添加、暂停、恢复、删除一个',
  },
  options: {
    agent: { type: 'string', summary: { en: 'add: the agent of the runs', 'zh-CN': 'add：运行使用的智能体' } },
    same: { type: 'boolean', summary: { en: 'add: all runs in one session', 'zh-CN': 'add：所有运行共用一个会话' } },
  },
  async run(invocation) {
    const [action, ...rest] = invocation.args;
    if (action === undefined) return listHooks(invocation);
    if (action === 'add') return addHook(invocation, rest);
    const act = Object.entries(ACTIONS).find(([name]) => name === action)?.[1];
    const [id, ...more] = rest;
    if (!act || id === undefined || more.length > 0) throw new UsageError(`neta hooks ${hooks.usage}`);
    const answer = await act(invocation, id);
    const { output, language } = invocation;
    if (output.isJson) output.json(answer ?? { id });
    else output.line((action === 'delete' ? TEXTS.deleted : TEXTS.changed)[language]);
    return EXIT.done;
  },
};

async function listHooks(invocation: Invocation): Promise<number> {
  const { data } = await invocation.client.request('get', '/api/v1/hooks', { query: { limit: 50 } });
  return list(invocation, data, ({ id, name, agent, enabled, url }) => ({ id, name, agent, state: enabled ? 'on' : 'paused', url }));
}

async function addHook({ client, options, output, language }: Invocation, args: readonly string[]): Promise<number> {
  const [name, template, ...more] = args;
  if (name === undefined || template === undefined || more.length > 0) throw new UsageError(`neta hooks ${hooks.usage}`);
  const agent = typeof options['agent'] === 'string' ? options['agent'] : undefined;
  const body = { name, template, agent, session: options['same'] ? ('same' as const) : undefined };
  const hook = await client.request('post', '/api/v1/hooks', { body });
  if (output.isJson) output.json(hook);
  else {
    output.line(hook.url);
    output.line(hook.secret ?? '');
    output.note(TEXTS.shownOnce[language]);
  }
  return EXIT.done;
}

export const HOOK_COMMANDS = { hooks };
