/** Lists, invites and removes people with accounts. */
import { type Command, EXIT, type Invocation, list, UsageError } from './command';

const LIST_LIMIT = 1_000;
const FIRST_ROLE = 'operator';
const USUAL_ROLE = 'member';

type Role = 'operator' | 'admin' | 'member' | 'approver' | 'viewer';

async function listPeople(invocation: Invocation): Promise<number> {
  const { data } = await invocation.client.request('get', '/api/v1/people', { query: { limit: LIST_LIMIT } });
  return list(invocation, data, ({ id, name, email, handle, role, state, lastLoginAt }) => ({
    id,
    name,
    email,
    handle,
    role,
    state,
    'last login': lastLoginAt,
  }));
}

/** The link alone goes to stdout. */
async function invite({ client, options, output, language }: Invocation, email: string): Promise<number> {
  const isOpen = !(await client.request('get', '/api/v1/me')).loginRequired;
  // The gateway checks the role.
  const role = String(options['role'] ?? (isOpen ? FIRST_ROLE : USUAL_ROLE)) as Role;
  const made = await client.request('post', '/api/v1/invitations', { body: { role, email } });
  if (output.isJson) output.json(made);
  else {
    output.line(made.url);
    output.note(`${role}: ${NOTES.link[language]} ${made.expiresAt}`, 'dim');
    if (made.mail !== undefined) output.note(NOTES[made.mail][language], made.mail === 'sent' ? 'dim' : 'red');
  }
  return EXIT.done;
}

async function remove({ client, output, language }: Invocation, id: string): Promise<number> {
  await client.request('delete', '/api/v1/people/{id}', { path: { id } });
  if (output.isJson) output.json({ id });
  else output.line(NOTES.removed[language]);
  return EXIT.done;
}

const people: Command = {
  usage: '[list|add|remove] [email|id]',
  summary: {
    en: 'List people; print an invitation link for an e-mail address; remove one by the id',
    'zh-CN': '列出人员；为电子邮件地址输出邀请链接；按 id 删除',
  },
  options: {
    role: {
      type: 'string',
      summary: {
        en: 'for add: operator, admin, member, approver or viewer (default: member; operator for the first person)',
        'zh-CN': '用于 add：operator、admin、member、approver 或 viewer（默认 member；第一个人为 operator）',
      },
    },
  },
  async run(invocation) {
    const [action = 'list', value] = invocation.args;
    if (action === 'list' && value === undefined) return listPeople(invocation);
    if (action === 'add' && value !== undefined) return invite(invocation, value);
    if (action === 'remove' && value !== undefined) return remove(invocation, value);
    throw new UsageError('neta people [list] | add <email> | remove <id>');
  },
};

export const PEOPLE_COMMANDS = { people };

const NOTES = {
  link: { en: 'the link works once, until', 'zh-CN': '链接只能使用一次，有效期至' },
  sent: { en: 'It was mailed to the person, too.', 'zh-CN': '链接也已用邮件发给此人。' },
  failed: { en: 'It could not be mailed: give it to the person yourself.', 'zh-CN': '无法用邮件发送：请自行交给此人。' },
  removed: { en: 'Removed.', 'zh-CN': '已删除。' },
};
