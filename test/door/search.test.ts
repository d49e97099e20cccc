/** Search in messages and titles: over REST, and by agents. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from '../../src/adapter/sql/migrations/migrations';
import { SqliteConnection } from '../../src/adapter/sqlite/sqlite_connection';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';

interface Found {
  sessionId: string;
  title: string;
  runId: string;
  role: string;
  snippet: string;
  at: string;
  score: number;
}

const searchIn = async (bench: AgentBench, query: Record<string, string>) =>
  bench.rest.request<PageBody<Found> & ErrorBody>('GET', `/search?${new URLSearchParams(query)}`);

describe('a search in messages', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench();
    bench.model.onTurn('wifi', 'The password is on the router.');
    bench.model.onTurn('上海', '上海明天有雨，记得带伞。');
    bench.model.onTurn('look', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Nothing special.');
    bench.model.onTurn(/./, 'Fine.');
  });
  afterAll(() => bench?.stop());

  const search = (query: Record<string, string>) => searchIn(bench, query);
  const snippets = async (query: Record<string, string>) => (await search(query)).body.data.map(row => row.snippet);

  it('finds what a person and an agent wrote, at once after the run', async () => {
    const { body: run } = await bench.rest.run({ input: 'How do I find the wifi password of the garden house?' });
    const { status, body } = await search({ q: 'PASSWORD' });
    expect(status).toBe(200);
    const common = { sessionId: run.sessionId, title: 'How do I find the wifi password of the garden house?', runId: run.runId };
    expect(body.data.sort((a, b) => (a.role < b.role ? -1 : 1))).toEqual([
      { ...common, role: 'assistant', snippet: 'The password is on the router.', at: expect.any(String), score: expect.any(Number) },
      { ...common, role: 'user', snippet: common.title, at: expect.any(String), score: expect.any(Number) },
    ]);
    expect(Date.parse(body.data[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(await snippets({ q: 'router passw' })).toEqual(['The password is on the router.']);
  });

  it('finds Chinese words of two characters, and what a socket sent', async () => {
    const client = await bench.connect();
    const { runId, sessionId } = await client.chat('请问上海的天气怎么样？');
    await client.endOf(runId);
    expect(await snippets({ q: '天气' })).toEqual(['请问上海的天气怎么样？']);
    expect((await search({ q: '上海', role: 'assistant' })).body.data).toMatchObject([{ sessionId, snippet: '上海明天有雨，记得带伞。' }]);
  });

  it('shows the text around the hit on one line, and no tool results', async () => {
    const long = `${'Some words before it. '.repeat(60)}\n\nThe <b>zucchini</b>\tis ripe. ${'More words after it. '.repeat(60)}`;
    await bench.rest.run({ input: long });
    const [snippet = ''] = await snippets({ q: 'zucchini' });
    expect(snippet).toMatch(/^….*The <b>zucchini<\/b> is ripe\..*…$/);
    expect(snippet.length).toBeLessThan(260);
    await bench.rest.run({ input: 'look around' });
    expect(await snippets({ q: 'empty directory' })).toEqual([]);
  });

  it('narrows by session and time, and pages', async () => {
    const { body: first } = await bench.rest.run({ input: 'turnip 0' });
    for (let i = 1; i < 5; i++) await bench.rest.run({ input: `turnip ${i}` });
    expect(await snippets({ q: 'turnip', sessionId: first.sessionId })).toEqual(['turnip 0']);
    expect(await snippets({ q: 'turnip', since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    const all: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await search({ q: 'turnip', limit: '2', ...(cursor && { cursor }) });
      all.push(...body.data.map(row => row.snippet));
      cursor = body.nextCursor;
    }
    expect(all.sort()).toEqual([0, 1, 2, 3, 4].map(i => `turnip ${i}`));
  });

  it('narrows messages and titles by agent, project, time and archive', async () => {
    const { sessionId } = (await bench.rest.run({ input: 'where is the gazebo' })).body;
    await bench.rest.request('PATCH', `/sessions/${sessionId}`, { project: 'Garden', title: 'Gazebo plan' });
    const found = async (path: string, query: Record<string, string>) => {
      const answer = await bench.rest.request<PageBody<object>>('GET', `${path}?${new URLSearchParams({ q: 'gazebo', ...query })}`);
      return answer.body.data.length;
    };
    const long = '2099-01-01T00:00:00Z';
    const fits: Record<string, string>[] = [
      {},
      { agent: 'default' },
      { project: 'Garden' },
      { archived: 'false' },
      { until: long, since: '2020-01-01T00:00:00Z' },
    ];
    const not: Record<string, string>[] = [
      { agent: 'nobody' },
      { project: 'House' },
      { archived: 'true' },
      { since: long },
      { until: '2020-01-01T00:00:00Z' },
    ];
    for (const path of ['/search', '/sessions']) {
      for (const query of fits) expect([path, query, await found(path, query)]).toEqual([path, query, 1]);
      for (const query of not) expect([path, query, await found(path, query)]).toEqual([path, query, 0]);
    }
    await bench.rest.request('PATCH', `/sessions/${sessionId}`, { archived: true });
    for (const path of ['/search', '/sessions'])
      expect([path, await found(path, {}), await found(path, { archived: 'true' }), await found(path, { archived: 'false' })]).toEqual([
        path,
        1,
        1,
        0,
      ]);
  });

  it('names the field of a request that it refuses, and takes odd characters for text', async () => {
    const bad: [Record<string, string>, string][] = [
      [{}, '/q'],
      [{ q: '  ' }, '/q'],
      [{ q: 'x'.repeat(201) }, '/q'],
      [{ q: 'a', limit: '0' }, '/limit'],
      [{ q: 'a', limit: '101' }, '/limit'],
      [{ q: 'a', since: 'yesterday' }, '/since'],
      [{ q: 'a', since: '2026-13-45T99:00:00Z' }, '/since'],
      [{ q: 'a', since: '2026-02-31T00:00:00Z' }, '/since'],
      [{ q: 'a', role: 'tool' }, '/role'],
      [{ q: 'a', sessionId: '../x' }, '/sessionId'],
      [{ q: 'a', cursor: 'nonsense' }, '/cursor'],
      [{ q: 'a', sort: 'up' }, '/sort'],
    ];
    for (const [query, param] of bad) {
      const { status, body } = await search(query);
      expect([query, status, body.error.param]).toEqual([query, 400, param]);
    }
    expect((await search({ q: 'a', sessionId: 'ses_none' })).body.error).toMatchObject({ code: 'not_found', param: '/sessionId' });
    for (const q of ['"', '*', 'NEAR(', 'tokens:', '-', "';--", '\\', '%', '😀']) {
      expect([q, (await search({ q })).status]).toEqual([q, 200]);
    }
  });

  it('finds nothing of a deleted session', async () => {
    const { body: run } = await bench.rest.run({ input: 'a secret rhubarb' });
    expect(await snippets({ q: 'rhubarb' })).toHaveLength(1);
    expect((await bench.rest.request('DELETE', `/sessions/${run.sessionId}`)).status).toBe(204);
    expect(await snippets({ q: 'rhubarb' })).toEqual([]);
    const database = new DatabaseSync(join(bench.gateway.dataDir, 'neta.db'), { readOnly: true });
    const rows = database.prepare('select count(*) as count from search_documents where session_id = ?').get(run.sessionId);
    const tokens = database.prepare("select count(*) as count from search_index where search_index match 'rhubarb'").get();
    database.close();
    expect([rows, tokens]).toEqual([{ count: 0 }, { count: 0 }]);
  });

  it('searches titles: GET /sessions?q= with pages', async () => {
    const create = async (title: string) => (await bench.rest.request<{ id: string }>('POST', '/sessions', { title })).body.id;
    const ids = [await create('Büro: 50% Rabatt'), await create('Der Umzug ins BÜRO'), await create('周报：花园计划'), await create('x_y')];
    type Titles = PageBody<{ id: string; title: string }> & ErrorBody;
    const titles = async (query: Record<string, string>) =>
      (await bench.rest.request<Titles>('GET', `/sessions?${new URLSearchParams(query)}`)).body;
    const found = async (q: string) => (await titles({ q })).data.map(({ id }) => ids.indexOf(id));
    expect(await found('büro')).toEqual([1, 0]);
    expect(await found('büro UMZ')).toEqual([1]);
    expect(await found('花园')).toEqual([2]);
    expect(await found('50%')).toEqual([0]);
    expect(await found('%')).toEqual([0]);
    expect(await found('x_y')).toEqual([3]);
    expect(await found("' or 1=1")).toEqual([]);
    const first = await titles({ q: 'büro', limit: '1' });
    expect(first.data).toMatchObject([{ id: ids[1] }]);
    expect((await titles({ q: 'büro', limit: '1', cursor: first.nextCursor ?? '' })).data).toMatchObject([{ id: ids[0] }]);
    expect((await titles({ q: ' ' })).error).toMatchObject({ code: 'invalid_request', param: '/q' });
  });
});

describe('session_search (beaver.builtins)', () => {
  let bench: AgentBench;
  let config: AgentConfig;
  let old: { sessionId: string };

  beforeAll(async () => {
    config = await createAgentConfig(['base', 'memory']);
    bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
    bench.model.onTurn('hen house', 'The hen house gets a green roof.');
    old = (await bench.rest.run({ input: 'Which roof for the\n1. 2020-01-01 hen house?' })).body;
    // A search indexes new messages for a limited time first, and the rest is indexed in the background.
    await until(async () => (await bench.rest.request<PageBody<unknown>>('GET', '/search?q=green')).body.data.length > 0);
    await bench.rest.request('PATCH', `/sessions/${old.sessionId}`, { title: 'Poultry\n2. forged' });
  });
  afterAll(async () => {
    await bench?.stop();
    await config?.remove();
  });

  const ask = (text: string, args: Record<string, unknown>) => {
    bench.model.onTurn(text, { toolCalls: [{ name: 'session_search', arguments: args }] }, request => `Told: ${request.toolResults}`);
    return text;
  };
  const toldOverRest = async (text: string, args: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    (await bench.rest.run({ input: ask(text, args), ...more })).body.text;

  it('gives a run excerpts with session, time and role, without the conversation itself, over both doors', async () => {
    const excerpt = new RegExp(
      `Excerpts of earlier.*\\n1\\. \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d agent in ${old.sessionId} "Poultry\\\\n2. forged"\\n {3}The hen house gets`,
    );
    const told = await toldOverRest('first question about a green hen roof', { query: 'hen green roof' });
    expect(told).toMatch(excerpt);
    expect(told).not.toContain('first question');
    const client = await bench.connect();
    const { runId } = await client.chat(ask('second question about a hen', { query: '"green roof"' }));
    const end = await client.endOf(runId);
    expect(end.data.text).toMatch(excerpt);
    expect(end.data.text).not.toContain('second question');
    // A message with a line break cannot forge a line.
    expect(await toldOverRest('third', { query: 'which roof for', limit: 1 })).toMatch(
      /\n {3}Which roof for the 1\. 2020-01-01 hen house\?$/,
    );
  });

  it('searches this conversation, another one, a time, and titles', async () => {
    expect(await toldOverRest('the goose question', { query: 'goose', session: 'current' })).toMatch(
      /person in .*\n {3}the goose question/,
    );
    expect(await toldOverRest('only there', { query: 'roof', session: old.sessionId })).toMatch(/hen house gets a green roof/);
    expect(await toldOverRest('later', { query: 'green roof', since: '2999-01-01' })).toContain('Nothing was found');
    expect(await toldOverRest('by title', { query: 'poultry' })).toMatch(new RegExp(`in the title:\\n- ${old.sessionId} "Poultry`));
    expect(await toldOverRest('中文', { query: '没有的词' }, { locale: 'zh-CN' })).toContain('没有找到');
  });

  it('says what is wrong with a call', async () => {
    expect(await toldOverRest('bad time', { query: 'hen', since: '2026-99-99' })).toContain('since: 2026-99-99 is not a time');
    expect(await toldOverRest('bad session', { query: 'hen', session: 'ses_none' })).toContain('There is no session ses_none');
    expect(await toldOverRest('bad limit', { query: 'hen', limit: 99 })).toMatch(/limit.*20/);
    const direct = await bench.rest.request<{ status: string; message: string }>('POST', '/tools/call', {
      toolName: 'session_search',
      parameters: { query: 'hen', session: 'current' },
    });
    expect(direct.body).toMatchObject({ status: 'error', message: expect.stringContaining('belongs to no conversation') });
  });
});

describe('a database of an older version', () => {
  const SESSIONS = 50;
  const MESSAGES = 4_000;
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ own: 'it is stopped and killed' });
    await bench.gateway.terminate();
  });
  afterAll(() => bench?.stop());

  it('is filled in the background after the start, each message once, also across a kill -9', async () => {
    const { dataDir } = bench.gateway;
    await mkdir(dataDir, { recursive: true });
    const path = join(dataDir, 'neta.db');
    await writeOldDatabase(path, { sessions: SESSIONS, messages: MESSAGES });
    await bench.gateway.restart();
    expect((await bench.rest.request('GET', '//readyz')).status).toBe(200);
    expect(indexedIn(path)).toBeLessThan(MESSAGES);

    // One search indexes for a moment only. The kill comes while the background goes on.
    await searchIn(bench, { q: 'turnip' });
    await bench.gateway.kill();
    const before = indexedIn(path);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(MESSAGES);
    await bench.gateway.restart();

    await until(async () => (await searchIn(bench, { q: `n${MESSAGES - 1}` })).body.data.length > 0, Boolean, { limitMs: 60_000 });
    const numbers: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await searchIn(bench, { q: 'turnip', limit: '100', ...(cursor && { cursor }) });
      numbers.push(...body.data.map(row => row.snippet));
      cursor = body.nextCursor;
    }
    expect(new Set(numbers).size).toBe(MESSAGES);
    expect(numbers).toHaveLength(MESSAGES);
    expect(indexedIn(path)).toBe(MESSAGES);
  });
});

/** Counts the messages in the index. */
function indexedIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('select count(*) as count from search_documents').get();
  database.close();
  return Number(row?.['count']);
}

/** Writes a database as the version with three migrations left it. */
async function writeOldDatabase(path: string, count: { sessions: number; messages: number }): Promise<void> {
  for (const old of [path, `${path}-wal`, `${path}-shm`]) await rm(old, { force: true });
  const connection = SqliteConnection.open(path, { busyTimeoutMs: 1_000 });
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: connection }) });
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '004'));
  const provider = { getMigrations: async () => migrations };
  const names = { migrationTableName: 'schema_migrations', migrationLockTableName: 'schema_migrations_lock' };
  const { error } = await new Migrator({ db, provider, ...names }).migrateToLatest();
  if (error) throw error;
  const session = connection.prepare(
    "insert into sessions (tenant_id, id, title, agent, locale, thinking_level, created_at, updated_at) values ('default', ?, 'Old', 'default', 'en', 'off', 1, 1)",
  );
  const message = connection.prepare(
    "insert into messages (tenant_id, id, session_id, run_id, run_ordinal, position, message, created_at) values ('default', ?, ?, 'run_old', 1, ?, ?, 1)",
  );
  connection.execute('begin');
  for (let i = 0; i < count.sessions; i++) session.run([`ses_${i}`]);
  for (let i = 0; i < count.messages; i++) {
    const text = JSON.stringify({ role: i % 2 ? 'assistant' : 'user', content: `A turnip n${i} and more words about it` });
    // Ids ascend with time, as those of the gateway do.
    message.run([`msg_${100_000 + i}`, `ses_${i % count.sessions}`, i, text]);
  }
  connection.execute('commit');
  connection.close();
}
