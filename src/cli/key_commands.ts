/** Lists, makes and revokes API keys. */
import type { RequestInput } from '../../clients/typescript/src/types';
import { type Command, EXIT, type Invocation, list, UsageError } from './command';
import { TEXTS } from './texts';

const LIST_LIMIT = 1_000;
const DEFAULT_SCOPES = 'chat';

type NewKey = NonNullable<RequestInput<'/api/v1/api-keys', 'post'>['body']>;

const readKeys = async ({ client }: Invocation) => (await client.request('get', '/api/v1/api-keys', { query: { limit: LIST_LIMIT } })).data;

async function listKeys(invocation: Invocation): Promise<number> {
  const data = await readKeys(invocation);
  return list(invocation, data, ({ id, name, tenant, scopes, source, expiresAt, lastUsedAt }) => ({
    id,
    name,
    tenant,
    scopes: scopes.join('+'),
    source,
    expires: expiresAt,
    'last used': lastUsedAt,
  }));
}

/** The secret alone goes to stdout. */
async function createKey(invocation: Invocation, name: string): Promise<number> {
  const { client, options, output, language } = invocation;
  const { scopes, tenant, expires } = options;
  // A first key without admin would lock everybody out of the keys.
  if (scopes === undefined && (await readKeys(invocation)).length === 0) throw new UsageError(TEXTS.firstKey[language]);
  // The gateway checks the scopes.
  const names = String(scopes ?? DEFAULT_SCOPES).split('+') as NewKey['scopes'];
  const body = { name, scopes: names, tenant: tenant ? String(tenant) : undefined, expiresAt: expires ? String(expires) : undefined };
  const made = await client.request('post', '/api/v1/api-keys', { body });
  if (output.isJson) output.json(made);
  else if (made.secret !== undefined) output.line(made.secret);
  if (made.secret === undefined) {
    output.note(`${TEXTS.secretLost[language]} neta keys revoke ${made.id}`, 'red');
    return EXIT.failed;
  }
  if (!output.isJson) output.note(`${made.id}: ${TEXTS.shownOnce[language]}`, 'dim');
  return EXIT.done;
}

async function revokeKey({ client, output, language }: Invocation, id: string): Promise<number> {
  await client.request('delete', '/api/v1/api-keys/{id}', { path: { id } });
  if (output.isJson) output.json({ id });
  else output.line(TEXTS.revoked[language]);
  return EXIT.done;
}

const keys: Command = {
  usage: '[list|create|revoke] [name|id]',
  summary: {
    en: 'List API keys; make one with a name, or revoke one by its id',
    'zh-CN': '列出 API 密钥；按名称新建，或按 id 吊销',
  },
  options: {
    scopes: {
      type: 'string',
      summary: {
        en: `for create, such as chat+tools (default: ${DEFAULT_SCOPES})`,
        'zh-CN': `用于 create，例如 chat+tools（默认 ${DEFAULT_SCOPES}）`,
      },
    },
    tenant: { type: 'string', summary: { en: 'for create (default: your own)', 'zh-CN': '用于 create（默认是你自己的租户）' } },
    expires: {
      type: 'string',
      summary: { en: 'for create: UTC time such as 2027-01-01T00:00:00Z', 'zh-CN': '用于 create：UTC 时间，例如 2027-01-01T00:00:00Z' },
    },
  },
  async run(invocation) {
    const [action = 'list', value] = invocation.args;
    if (action === 'list' && value === undefined) return listKeys(invocation);
    if (action === 'create' && value !== undefined) return createKey(invocation, value);
    if (action === 'revoke' && value !== undefined) return revokeKey(invocation, value);
    throw new UsageError('neta keys [list] | create <name> | revoke <id>');
  },
};

export const KEY_COMMANDS = { keys };
