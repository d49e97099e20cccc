/** What operators of the whole gateway read and change: files, limits of the day, connections, the log. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash } from '../../src/utils/content_hash';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { connectChat } from '../support/chat_client';
import { ADMIN, bearer, type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

const LIMITS = 'tenants:\n  acme:\n    tokensPerDay: 40\n';

let config: AgentConfig;
let keys: KeyBench;
let acme: RestClient;
let acmeSecret: string;

beforeAll(async () => {
  config = await createAgentConfig(['base']);
  await writeFile(join(config.directory, 'limits.yaml'), LIMITS);
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory });
  keys.bench.model.onTurn('hello', { text: 'Hello.', usage: { inputTokens: 30, outputTokens: 10 } });
  keys.bench.model.onTurn('fails', { error: { status: 400, message: 'no' } });
  acmeSecret = (await keys.makeKey({ name: 'acme-ops', tenant: 'acme', scopes: ['chat', 'ops:read', 'ops:write'] })).secret;
  acme = withKey(keys.url, acmeSecret);
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

interface FileBody {
  text?: string;
  hash?: string;
  isWritable: boolean;
  schema: { properties: Record<string, unknown> };
}
interface Row {
  actor: string;
  action: string;
  actionTextZh: string;
  details: Record<string, unknown>;
}

const readFileOf = (name: string) => keys.admin.request<FileBody>('GET', `/ops/config/${name}`);
const put = (name: string, body: object) => keys.admin.request<ErrorBody & { hash: string }>('PUT', `/ops/config/${name}`, body);
const auditOf = async (action: string) => (await keys.admin.request<PageBody<Row>>('GET', `/audit?action=${action}`)).body.data;

describe('files of the configuration', () => {
  it('are listed with their state, and an admin reads one with its schema', async () => {
    const { body } = await keys.admin.request<{ isWritable: boolean; files: { name: string; state: string; isEditable: boolean }[] }>(
      'GET',
      '/ops/config',
    );
    expect(body.isWritable).toBe(true);
    expect(body.files.map(({ name, state, isEditable }) => [name, state, isEditable])).toEqual([
      ['agents/default.yaml', 'ok', true],
      ['approvals.yaml', 'absent', true],
      ['limits.yaml', 'ok', true],
      ['mcp.yaml', 'absent', false],
      ['models.yaml', 'absent', true],
    ]);
    const file = await readFileOf('limits.yaml');
    expect(file.body).toMatchObject({ text: LIMITS, hash: contentHash(LIMITS), isWritable: true });
    expect(Object.keys(file.body.schema.properties)).toEqual(['default', 'tenants', 'keys']);
  });

  it('are checked, guarded by their hash, written whole and recorded', async () => {
    const text = 'rules:\n  - { tool: read_file, decision: deny }\n';
    const written = await put('approvals.yaml', { text });
    expect([written.status, written.body.hash]).toEqual([200, contentHash(text)]);
    expect(await readFile(join(config.directory, 'approvals.yaml'), 'utf8')).toBe(text);
    expect((await auditOf('config.write'))[0]).toMatchObject({
      actor: 'root',
      target: 'approvals.yaml',
      actionTextZh: '修改了文件',
      details: { before: 'none', after: contentHash(text) },
    });
    const late = await put('approvals.yaml', { text: 'rules: []\n' });
    expect([late.status, late.body.error.code, late.body.error.param, late.body.error.details]).toEqual([
      409,
      'config_changed',
      '/baseHash',
      { hash: contentHash(text) },
    ]);
    const broken = 'rules:\n  - { tool: read_file, decision: perhaps }\n';
    const refused = await put('approvals.yaml', { text: broken, baseHash: contentHash(text) });
    expect([refused.status, refused.body.error.param, refused.body.error.details]).toEqual([
      400,
      '/text',
      { file: 'approvals.yaml', field: '/rules/0/decision', line: 2 },
    ]);
    const torn = await put('approvals.yaml', { text: 'rules: [', baseHash: contentHash(text) });
    expect([torn.status, torn.body.error.param]).toEqual([400, '/text']);
    expect(await readFile(join(config.directory, 'approvals.yaml'), 'utf8')).toBe(text);
  });

  it('take a new agent, and refuse one that would break the others', async () => {
    const bad = await put('agents/lead.yaml', { text: 'name: lead\nmembers: [nobody]\n' });
    expect([bad.status, bad.body.error.details]).toEqual([400, { file: 'agents/lead.yaml', field: '/members/0', line: 2 }]);
    expect((await put('agents/lead.yaml', { text: 'name: lead\nmembers: [default]\n' })).status).toBe(200);
    const names = async () => (await keys.admin.request<PageBody<{ name: string }>>('GET', '/agents')).body.data.map(({ name }) => name);
    await until(async () => (await names()).includes('lead'));
  });

  it('that name programs cannot be changed here, nor any other file of the machine', async () => {
    for (const name of ['mcp.yaml', 'tools/echo.yaml', 'skills/x/SKILL.md', '../neta.db', 'agents/..%2F..%2Fx.yaml', '.env']) {
      expect([name, (await put(name, { text: '{}' })).status]).toEqual([name, 404]);
      expect([name, (await readFileOf(name)).status]).toEqual([name, 404]);
    }
  });

  it('give no model server the keys of the gateway', async () => {
    for (const name of ['NETA_API_KEYS', 'DATABASE_URL', 'REDIS_URL', 'NETA_METRICS_TOKEN']) {
      const { status, body } = await put('models.yaml', {
        text: `models: [{ id: a, baseUrl: "http://127.0.0.1:1", model: m, apiKeyEnv: ${name} }]\n`,
      });
      expect([name, status, body.error.param, body.error.details]).toEqual([
        name,
        400,
        '/text',
        { file: 'models.yaml', field: '/models/0/apiKeyEnv', line: 1 },
      ]);
    }
  });

  it('stay as they are in a directory that is read-only', async () => {
    if (process.getuid?.() === 0) return;
    await chmod(config.directory, 0o500);
    try {
      const { status, body } = await put('models.yaml', { text: 'models: [{ id: a, baseUrl: "http://127.0.0.1:1", model: m }]\n' });
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
    } finally {
      await chmod(config.directory, 0o700);
    }
  });
});

it('what is about the whole gateway needs admin', async () => {
  for (const [method, path, body] of [
    ['GET', '/ops/logs', undefined],
    ['GET', '/ops/logs/stream', undefined],
    ['GET', '/ops/config/limits.yaml', undefined],
    ['PUT', '/ops/config/limits.yaml', { text: 'default: {}\n' }],
    ['POST', '/ops/limits/raise', { scope: 'tenant', tenant: 'acme', name: 'acme', limit: 'tokensPerDay', by: 1_000 }],
  ] as const) {
    const answer = await acme.request<ErrorBody>(method, path, body);
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'forbidden']);
  }
});

it('a budget shows its forecast and its last block, and is raised for today', async () => {
  interface Limits {
    limits: { limit: string; max: number; used: number; raised?: number; forecast?: number; lastBlock?: { code: string } }[];
  }
  const rows = async () => (await keys.admin.request<Limits>('GET', '/ops/limits')).body.limits;
  expect((await acme.run({ input: 'hello' })).body.status).toBe('completed');
  expect((await acme.request<ErrorBody>('POST', '/runs', { input: 'hello' })).body.error.code).toBe('quota_exceeded');
  const [blocked] = await rows();
  expect(blocked).toMatchObject({ limit: 'tokensPerDay', max: 40, used: 40, lastBlock: { code: 'quota_exceeded' } });
  const isEarly = Date.now() % 86_400_000 < 1_800_000;
  expect(isEarly || (blocked?.forecast ?? 0) >= 40).toBe(true);
  const raise = (fields: object) =>
    keys.admin.request<ErrorBody & { raised: number }>('POST', '/ops/limits/raise', {
      scope: 'tenant',
      tenant: 'acme',
      name: 'acme',
      limit: 'tokensPerDay',
      by: 30,
      ...fields,
    });
  const raised = await raise({ reason: 'month end' });
  expect([raised.status, raised.body]).toEqual([200, { max: 40, raised: 30 }]);
  expect((await rows())[0]).toMatchObject({ max: 40, raised: 30 });
  expect((await acme.run({ input: 'hello' })).body.status).toBe('completed');
  // A second raise adds to the first.
  expect((await acme.request<ErrorBody>('POST', '/runs', { input: 'hello' })).status).toBe(429);
  expect((await raise({ by: 20 })).body).toEqual({ max: 40, raised: 50 });
  expect((await acme.run({ input: 'hello' })).body.status).toBe('completed');
  expect((await auditOf('limit.raise')).at(-1)).toMatchObject({
    actor: 'root',
    target: 'tenant:acme',
    details: { tenant: 'acme', limit: 'tokensPerDay', by: 30, reason: 'month end' },
  });
  const unknown = await raise({ limit: 'costPerDayUsd' });
  expect([unknown.status, unknown.body.error.param]).toEqual([404, '/name']);
  expect((await raise({ name: 'globex' })).status).toBe(404);
  expect((await raise({ by: 0 })).body.error.param).toBe('/by');
});

it('a connection is ended by those who see it, with a row in the audit log', async () => {
  interface Connections {
    connections: { id: string; tenantId: string; protocol: number; replayed: number; gaps: number }[];
  }
  const client = await connectChat(keys.url, { token: ADMIN });
  const mine = async () => (await keys.admin.request<Connections>('GET', '/ops/connections')).body.connections;
  const [row] = await mine();
  expect(row).toMatchObject({ tenantId: 'default', protocol: 4, replayed: 0, gaps: 0 });
  expect((await acme.request('POST', `/ops/connections/${row?.id}/disconnect`)).status).toBe(404);
  const ended = await keys.admin.request('POST', `/ops/connections/${row?.id}/disconnect`);
  expect([ended.status, ended.body]).toEqual([200, { id: row?.id, disconnected: true }]);
  await until(async () => (await mine()).every(({ id }) => id !== row?.id));
  expect((await auditOf('socket.disconnect'))[0]).toMatchObject({ actor: 'root', details: { tenant: 'default', of: 'root' } });
  client.close();
});

it('the log is read, filtered, downloaded and followed, without secrets', async () => {
  interface Line {
    n: number;
    level: string;
    msg: string;
    runId?: string;
  }
  const read = async (query: string) => (await keys.admin.request<{ data: Line[] }>('GET', `/ops/logs${query}`)).body.data;
  const stop = new AbortController();
  const response = await fetch(`${keys.url}/api/v1/ops/logs/stream`, { headers: bearer(ADMIN), signal: stop.signal });
  const { body } = await keys.admin.run({ input: 'fails' });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(body.runId)) break;
  }
  stop.abort();
  expect(text).toMatch(/^event: log\ndata: \{.*"n":\d+/m);
  const [line] = await read(`?run=${body.runId}`);
  expect(line).toMatchObject({ runId: body.runId, n: expect.any(Number), level: expect.any(String) });
  expect(await read('?level=error&q=nothing%20like%20this')).toEqual([]);
  const numbers = (await read('')).map(({ n }) => n);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  const file = await fetch(`${keys.url}/api/v1/ops/logs`, { headers: { ...bearer(ADMIN), accept: 'application/x-ndjson' } });
  expect(file.headers.get('content-disposition')).toContain('neta.log.jsonl');
  const lines = (await file.text()).trimEnd().split('\n');
  expect(lines.map(one => JSON.parse(one).n)).toEqual(expect.arrayContaining(numbers));
  expect(lines.join('')).not.toContain(ADMIN);
});
