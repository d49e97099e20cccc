/** What operators see and switch, through real doors. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FormatRegistry, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import * as configSchemas from '../../src/feature/ops/schemas/config_schemas';
import * as dataSchemas from '../../src/feature/ops/schemas/data_schemas';
import * as runSchemas from '../../src/feature/ops/schemas/run_schemas';
import * as viewSchemas from '../../src/feature/ops/schemas/view_schemas';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { ADMIN, bearer, type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { readMetrics } from '../support/metrics';
import { createRestClient, type ErrorBody, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

const READ = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] };
const USAGE = { usage: { inputTokens: 20, outputTokens: 5 } };

const ANSWERS = { ...configSchemas, ...dataSchemas, ...runSchemas, ...viewSchemas };

FormatRegistry.Set('date-time', text => new Date(text).toISOString() === text);

/** Reads a view and checks it against the schema of its route. */
async function readAs<N extends keyof typeof ANSWERS>(rest: RestClient, path: string, name: N): Promise<Static<(typeof ANSWERS)[N]>> {
  const { status, body } = await rest.request<Static<(typeof ANSWERS)[N]>>('GET', path);
  expect([path, status]).toEqual([path, 200]);
  expect([...Value.Errors(ANSWERS[name], body)].map(({ path: field, message }) => `${field} ${message}`)).toEqual([]);
  return body;
}

/** Repeats a read until it passes; returns the last value after 15 s, so that the expectation behind it tells what is missing. */

describe('the views of operators', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ files: { 'notes.txt': 'beans\n' } });
    const { model } = bench;
    model.onTurn('read my notes', { ...READ, ...USAGE }, { text: 'There are beans.', ...USAGE });
    model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] }, 'Painted.');
    model.onTurn('never ends', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
    model.onTurn('fails', { error: { status: 400, message: 'no' } });
    model.onTurn('stumbles', { error: { status: 500 }, times: 1 });
    model.onTurn('stumbles', 'up again');
    model.onTurn(
      'patch it',
      { toolCalls: [{ name: 'patch', arguments: { path: 'notes.txt', old_string: 'beans', new_string: 'peas' } }] },
      'Patched.',
    );
  });
  afterAll(() => bench?.stop());

  it('counts a run in the overview, in its minute, and in the usage of the day', async () => {
    const { rest } = bench;
    const { body } = await rest.run({ input: 'read my notes' });
    expect(body.status).toBe('completed');
    const overview = await until(
      () => readAs(rest, '/ops/overview', 'OpsOverview'),
      ({ today }) => today.tokens >= 50,
    );
    // A loaded machine delays the event loop.
    expect(overview.reasons.filter(({ code }) => code !== 'event_loop_slow')).toEqual([]);
    expect(overview.accepting).toEqual({ accepting: true });
    expect(overview.traffic).toMatchObject({ successShare: 1, runP95Ms: expect.any(Number), firstTokenP95Ms: expect.any(Number) });
    expect(overview.minutes).toHaveLength(60);
    expect(overview.minutes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(50);
    expect(overview.nodes).toMatchObject([{ isSelf: true, version: expect.any(String) }]);
    expect(overview.process.diskFreeBytes).toBeGreaterThan(0);
  });

  it('shows what a live run does, and that it waits for a person', async () => {
    const { rest, model } = bench;
    const { body: streaming } = await rest.request<{ runId: string }>(
      'POST',
      '/runs',
      { input: 'never ends' },
      { prefer: 'respond-async' },
    );
    await model.waitFor('never ends');
    const asking = await rest.request<{ runId: string }>(
      'POST',
      '/runs',
      { input: 'ask me', clarify: 'wait' },
      { prefer: 'respond-async' },
    );
    const { live } = await until(
      () => readAs(rest, '/ops/runs', 'OpsRuns'),
      runs => runs.live.some(({ state }) => state === 'human') && runs.live.some(({ lastEventAt }) => lastEventAt !== undefined),
    );
    expect(live.find(({ runId }) => runId === streaming.runId)).toMatchObject({
      state: 'model',
      isStuck: false,
      door: 'rest',
      agent: 'default',
    });
    expect(live.find(({ runId }) => runId === asking.body.runId)).toMatchObject({ state: 'human', iterations: 1, maxIterations: 25 });
    const steps = (await readAs(rest, `/ops/runs/${asking.body.runId}`, 'OpsRunDetail')).waterfall;
    expect(steps.map(({ kind }) => kind).filter(kind => kind !== 'queue')).toEqual(['model', 'tool', 'human']);
    expect((await readAs(rest, `/ops/runs/${asking.body.runId}`, 'OpsRunDetail')).waterfall).toEqual(steps);
    const { waiting } = await readAs(rest, '/ops/people', 'OpsPeople');
    expect(waiting).toMatchObject([{ kind: 'clarification', runId: asking.body.runId, mode: 'wait' }]);
    expect((await readAs(rest, '/ops/overview', 'OpsOverview')).people).toMatchObject({
      questions: 1,
      approvals: 0,
      oldestAt: expect.any(String),
    });
    const cancelled = await rest.request('POST', `/ops/runs/${streaming.runId}/cancel`, { reason: 'too long' });
    expect([cancelled.status, cancelled.body]).toEqual([200, expect.objectContaining({ status: 'cancelled' })]);
    const bulk = await rest.request('POST', '/ops/runs/cancel', { filter: { agent: 'default' } });
    expect([bulk.status, bulk.body]).toEqual([202, { runIds: [asking.body.runId] }]);
    await until(
      () => readAs(rest, '/ops/runs', 'OpsRuns'),
      runs => runs.live.length === 0,
    );
  });

  it('lists ended runs by page and by filter, without their texts', async () => {
    const { rest } = bench;
    await rest.run({ input: 'fails' });
    const { body } = await rest.run({ input: 'read my notes' });
    const failed = await readAs(rest, '/ops/runs?status=failed', 'OpsRuns');
    expect(failed).toMatchObject({ live: [], data: [{ status: 'failed', errorCode: 'model_refused' }] });
    const first = await readAs(rest, '/ops/runs?limit=1', 'OpsRuns');
    expect(first).toMatchObject({ data: [{ runId: body.runId, tokens: 50 }], hasMore: true });
    const second = await readAs(rest, `/ops/runs?limit=1&cursor=${first.nextCursor}`, 'OpsRuns');
    expect(second.data).toMatchObject([{ status: 'failed' }]);
    expect((await readAs(rest, `/ops/runs?q=${body.sessionId}`, 'OpsRuns')).data).toMatchObject([{ runId: body.runId }]);
    expect((await readAs(rest, '/ops/runs?agent=nobody', 'OpsRuns')).data).toEqual([]);
    expect((await readAs(rest, '/ops/runs?door=socketio', 'OpsRuns')).data).toEqual([]);
    expect(JSON.stringify(first)).not.toContain('notes');
    const bad = await rest.request<ErrorBody>('GET', '/ops/runs?cursor=abc');
    expect([bad.status, bad.body.error.param]).toEqual([400, '/cursor']);
  });

  it('opens a run with its waterfall, its tools and its prompt', async () => {
    const { rest } = bench;
    const { body } = await rest.run({ input: 'read my notes' });
    const detail = await readAs(rest, `/ops/runs/${body.runId}`, 'OpsRunDetail');
    // On a busy machine a run waits a millisecond in the queue.
    const steps = detail.waterfall.filter(({ kind }) => kind !== 'queue');
    expect(steps.map(({ kind, name }) => [kind, name])).toEqual([
      ['model', expect.any(String)],
      ['tool', 'read_file'],
      ['model', expect.any(String)],
    ]);
    expect(detail.waterfall.at(-1)).toMatchObject({
      ok: true,
      firstTokenMs: expect.any(Number),
      inputTokens: 20,
      toSeq: expect.any(Number),
    });
    expect(detail.tools.find(({ name }) => name === 'read_file')).toEqual({
      name: 'read_file',
      why: expect.stringMatching(/always|toolset/),
    });
    expect(detail.prompt.layers.map(({ name }) => name)).toEqual(expect.arrayContaining(['prompt', 'tools', 'message']));
    expect(detail).toMatchObject({ again: { input: 'read my notes' }, isTruncated: false, errors: [] });
    const exported = await readAs(rest, `/ops/runs/${body.runId}/export`, 'OpsRunExport');
    expect(exported.events).toHaveLength(detail.run.lastSeq);
    expect((await rest.request('GET', '/ops/runs/run_unknown')).status).toBe(404);
  });

  it('counts calls of tools and models, and the level of patches', async () => {
    const { rest } = bench;
    await rest.run({ input: 'patch it' });
    await rest.run({ input: 'stumbles' });
    const { tools, patchLevels } = await readAs(rest, '/ops/tools', 'OpsTools');
    expect(tools.find(({ name }) => name === 'read_file')).toMatchObject({ errors: 0, p95Ms: expect.any(Number), isSwitchedOff: false });
    expect(patchLevels).toEqual({ exact: 1 });
    const { models } = await readAs(rest, '/ops/models', 'OpsModels');
    expect(models[0]).toMatchObject({
      isDefault: true,
      calls: expect.any(Number),
      errors: 1,
      retries: 1,
      lastError: { code: 'model_refused' },
    });
    const { limits, gateway } = await readAs(rest, '/ops/limits', 'OpsLimits');
    expect([limits, gateway]).toEqual([[], { concurrentRuns: 256, queuedRuns: 1_000 }]);
  });

  it('shows settings with their source and masks secrets', async () => {
    const config = await readAs(bench.rest, '/ops/config', 'OpsConfig');
    const settingOf = (name: string) => config.settings.find(row => row.name === name);
    expect(settingOf('OPENAI_API_KEY')).toMatchObject({ value: '***', source: 'environment', isSecret: true });
    expect(settingOf('NETA_MAX_READERS')).toMatchObject({ value: '2000', source: 'default' });
    expect(settingOf('BRAVE_API_KEY')).toMatchObject({ source: 'none' });
    expect(config.files.find(({ name }) => name === 'models.yaml')).toMatchObject({ state: 'absent', needsRestart: false });
    expect(JSON.stringify(config)).not.toContain(MODEL_KEY);
  });

  it('checks database, disk, clock, audit log and model', async () => {
    const report = await readAs(bench.rest, '/ops/doctor', 'OpsDoctor');
    expect(report.ok).toBe(true);
    expect(report.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['database', 'disk', 'clock', 'audit', 'webhooks', 'config']),
    );
    expect(report.checks.find(({ name }) => name === 'database')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('sound'),
    });
    expect(report.checks.filter(({ name }) => name.startsWith('model:'))).toHaveLength(1);
  });

  it('tells that the clock of the model server differs', async () => {
    const server = createServer((_request, response) => response.writeHead(200, { date: 'Mon, 01 Jan 2001 00:00:00 GMT' }).end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const gateway = await startGateway({ env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: MODEL_KEY } });
    try {
      const { checks } = await readAs(createRestClient(gateway.url), '/ops/doctor', 'OpsDoctor');
      const clocks = checks.filter(({ name }) => name.startsWith('clock:'));
      expect(clocks).toEqual([
        { name: 'clock:default', status: 'warn', message: expect.stringContaining('ahead of that of the model server') },
      ]);
    } finally {
      await gateway.stop();
      server.close();
    }
  });

  it('lists sockets with their key and transport', async () => {
    const client = await bench.connect();
    await client.chat('read my notes');
    const { connections } = await readAs(bench.rest, '/ops/connections', 'OpsConnections');
    expect(connections).toMatchObject([{ tenantId: 'default', keyName: 'local', transport: 'websocket', sessions: 1 }]);
    client.close();
    await until(
      () => readAs(bench.rest, '/ops/connections', 'OpsConnections'),
      answer => answer.connections.length === 0,
    );
  });

  it('sends a view to watchers when it changes', async () => {
    const stop = new AbortController();
    const response = await fetch(`${bench.gateway.url}/api/v1/ops/stream?view=limits`, { signal: stop.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const decoder = new TextDecoder();
    let text = '';
    const read = (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes('"accepting":{"accepting":false')) return;
      }
    })();
    await until(() => text.includes('event: limits'));
    await bench.rest.request('POST', '/ops/accepting', { accepting: false, reason: 'maintenance' });
    await read;
    stop.abort();
    await bench.rest.request('POST', '/ops/accepting', { accepting: true });
    const unknown = await bench.rest.request<ErrorBody>('GET', '/ops/stream?view=secrets');
    expect([unknown.status, unknown.body.error.param]).toEqual([400, '/view']);
  });
});

describe('the switches of operators', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await startBench({ files: { 'notes.txt': 'beans\n' } });
    bench.model.onTurn('read my notes', READ, ({ toolResults }) => `Result: ${toolResults[0]}`);
    bench.model.onTurn('hello', 'Hello.');
  });
  afterAll(() => bench?.stop());

  it('refuses new runs on every door while runs are paused, over a restart too', async () => {
    const { rest, gateway } = bench;
    const first = await rest.run({ input: 'hello' }, { 'idempotency-key': 'before' });
    const paused = await rest.request('POST', '/ops/accepting', { accepting: false, reason: 'disk full' });
    expect(paused.body).toMatchObject({ accepting: false, scope: 'gateway', reason: 'disk full', changedBy: 'local' });
    await gateway.restart();
    const refused = await rest.request<ErrorBody>('POST', '/runs', { input: 'hello' });
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([503, 'not_accepting', '30']);
    expect(refused.body.error.message).toContain('disk full');
    const openai = await rest.request<{ error: { code: string } }>('POST', '//v1/chat/completions', {
      model: 'default',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect([openai.status, openai.body.error.code]).toEqual([503, 'not_accepting']);
    const response = await rest.request<{ error: { code: string } }>('POST', '//v1/responses', { model: 'default', input: 'hello' });
    expect([response.status, response.body.error.code]).toEqual([503, 'not_accepting']);
    const agui = await rest.request<ErrorBody>('POST', '//agui/default', {
      threadId: 'paused',
      runId: 'r',
      messages: [{ id: 'm', role: 'user', content: 'hello' }],
    });
    expect([agui.status, agui.body.error.code]).toEqual([503, 'not_accepting']);
    const job = await rest.request<{ id: string }>('POST', '/jobs', { name: 'daily', schedule: { everyMs: 86_400_000 }, input: 'hello' });
    const started = await rest.request<ErrorBody>('POST', `/jobs/${job.body.id}/run`);
    expect([started.status, started.body.error.code]).toEqual([503, 'not_accepting']);
    const client = await bench.connect();
    expect((await client.send({ type: 'chat', text: 'hello' })).error?.code).toBe('not_accepting');
    const { body: document } = await rest.request<{
      paths: Record<string, { post: { responses: Record<string, { description: string }> } }>;
    }>('GET', '//openapi.json');
    const paths = ['/api/v1/runs', '/v1/chat/completions', '/v1/responses', '/agui/{agent}', '/api/v1/jobs/{id}/run'];
    for (const path of paths)
      expect([path, document.paths[path]?.post.responses['503']?.description]).toEqual([path, expect.stringContaining('`not_accepting`')]);
    expect((await rest.request<{ data: unknown[] }>('GET', '/runs')).body.data).toHaveLength(1);
    // A repeated request still gets the run that was accepted before.
    const repeated = await rest.run({ input: 'hello' }, { 'idempotency-key': 'before' });
    expect([repeated.status, repeated.body.runId]).toEqual([200, first.body.runId]);
    const overview = await readAs(rest, '/ops/overview', 'OpsOverview');
    expect(overview.state).toBe('degraded');
    expect(overview.reasons).toContainEqual(expect.objectContaining({ code: 'not_accepting', view: 'limits' }));
    expect((await readAs(rest, '/ops/limits', 'OpsLimits')).refusals[0]).toMatchObject({ code: 'not_accepting', keyName: 'local' });
    expect((await rest.request('POST', '/ops/accepting', { accepting: true })).body).toEqual({ accepting: true });
    expect((await rest.run({ input: 'hello' })).body.status).toBe('completed');
  });

  it('lets jobs wait while runs are paused, and stays ready', async () => {
    const { rest } = bench;
    const runsOf = async (id: string) => (await rest.request<{ data: { trigger: string }[] }>('GET', `/jobs/${id}/runs`)).body.data;
    await rest.request('POST', '/ops/accepting', { accepting: false });
    const dueAt = Date.now() + 200;
    const job = { name: 'Greet', schedule: { at: new Date(dueAt).toISOString() }, input: 'hello' };
    const { body } = await rest.request<{ id: string }>('POST', '/jobs', job);
    await until(() => Date.now() > dueAt + 500);
    expect([(await rest.request('GET', '//readyz')).status, await runsOf(body.id)]).toEqual([200, []]);
    await rest.request('POST', '/ops/accepting', { accepting: true });
    const runs = await until(
      () => runsOf(body.id),
      rows => rows.length > 0,
    );
    expect(runs).toMatchObject([{ trigger: 'schedule' }]);
  });

  it('takes a tool from new turns and tells the reason, over a restart too', async () => {
    const { rest, gateway } = bench;
    const off = await rest.request('POST', '/ops/tools/read_file', { enabled: false, reason: 'leaks' });
    expect([off.status, off.body]).toEqual([200, { name: 'read_file', enabled: false }]);
    await gateway.restart();
    const { body } = await rest.run({ input: 'read my notes' });
    expect(body.text).toContain('An operator has switched this tool off: "leaks".');
    const { tools } = await readAs(rest, `/ops/runs/${body.runId}`, 'OpsRunDetail');
    expect(tools.map(({ name }) => name)).not.toContain('read_file');
    const listed = await rest.request<{ data: { name: string; enabled: boolean; reason?: string }[] }>('GET', '/tools');
    expect(listed.body.data.find(({ name }) => name === 'read_file')).toMatchObject({
      enabled: false,
      reason: expect.stringContaining('leaks'),
    });
    const direct = await rest.request<ErrorBody>('POST', '/tools/call', { toolName: 'read_file', parameters: { path: 'notes.txt' } });
    expect([direct.status, direct.body.error.message]).toEqual([404, expect.stringContaining('leaks')]);
    await rest.request('POST', '/ops/tools/read_file', { enabled: true });
    expect((await rest.run({ input: 'read my notes' })).body.text).toContain('beans');
    const unknown = await rest.request<ErrorBody>('POST', '/ops/tools/no_such_tool', { enabled: false });
    expect([unknown.status, unknown.body.error.param]).toEqual([404, '/name']);
  });
});

describe('two gateways on one store', () => {
  let bench: AgentBench;
  let other: Gateway;

  beforeAll(async () => {
    bench = await startBench({ own: 'its figures are read' });
    bench.model.onTurn('hello', 'Hello.');
    const env = { NETA_DATA_DIR: bench.gateway.dataDir, OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
    other = await startGateway({ env });
  });
  afterAll(async () => {
    await other?.stop();
    await bench?.stop();
  });

  it('are in one view, and a pause of one holds for both', async () => {
    const { rest } = bench;
    const remote = createRestClient(other.url);
    await remote.run({ input: 'hello' });
    const overview = await until(
      () => readAs(rest, '/ops/overview', 'OpsOverview'),
      ({ nodes, traffic }) => nodes.length === 2 && traffic.successShare !== undefined,
    );
    expect(overview.nodes.map(({ isSelf }) => isSelf)).toEqual([true, false]);
    expect(overview.traffic.successShare).toBe(1);
    await rest.request('POST', '/ops/accepting', { accepting: false });
    const refused = await until(
      () => remote.request<Partial<ErrorBody>>('POST', '/runs', { input: 'hello' }),
      ({ status }) => status === 503,
    );
    expect(refused.body.error?.code).toBe('not_accepting');
  });
});

describe('operators of tenants', () => {
  let keys: KeyBench;
  let acme: RestClient;
  let globex: RestClient;

  beforeAll(async () => {
    keys = await startKeyBench();
    keys.bench.model.onTurn('hello', 'Hello.');
    const clientOf = async (tenant: string) => {
      const { secret } = await keys.makeKey({ name: tenant, tenant, scopes: ['chat', 'ops:read', 'ops:write'] });
      return withKey(keys.url, secret);
    };
    acme = await clientOf('acme');
    globex = await clientOf('globex');
  });
  afterAll(() => keys?.bench.stop());

  it('see and cancel their own runs alone; an admin sees all', async () => {
    const { body } = await acme.run({ input: 'hello' });
    expect((await readAs(acme, '/ops/runs', 'OpsRuns')).data).toMatchObject([{ runId: body.runId, tenantId: 'acme', keyName: 'acme' }]);
    expect((await readAs(globex, '/ops/runs', 'OpsRuns')).data).toEqual([]);
    expect((await readAs(globex, '/ops/overview', 'OpsOverview')).traffic.successShare).toBeUndefined();
    for (const [method, path] of [
      ['GET', `/ops/runs/${body.runId}`],
      ['GET', `/ops/runs/${body.runId}/export`],
      ['POST', `/ops/runs/${body.runId}/cancel`],
    ] as const) {
      const answer = await globex.request(method, path, method === 'POST' ? {} : undefined);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await readAs(keys.admin, '/ops/runs', 'OpsRuns')).data.map(({ runId }) => runId)).toContain(body.runId);
    expect((await readAs(keys.admin, `/ops/runs/${body.runId}`, 'OpsRunDetail')).run.tenantId).toBe('acme');
  });

  it('read how people rated answers: one rating for each run and key, sentences of other tenants with an audit row', async () => {
    type Row = { runId: string; tenantId: string; rating: string; text?: string; keyName: string };
    const { runId, sessionId } = (await acme.run({ input: 'hello' })).body;
    const rate = (client: RestClient, body: object) => client.request<Row>('PUT', `/runs/${runId}/feedback`, body);
    const list = async (client: RestClient, path: string) => (await client.request<{ data: Row[] }>('GET', path)).body.data;
    const counted = (rating: string) => async () =>
      (await readMetrics(keys.url, bearer(ADMIN))).sum('neta_feedback_total', { rating, agent: 'default' });
    expect((await rate(acme, { rating: 'up' })).body).toMatchObject({ runId, sessionId, rating: 'up', agent: 'default', keyName: 'acme' });
    expect((await rate(acme, { rating: 'down', text: 'Too short.' })).body.text).toBe('Too short.');
    expect([(await rate(globex, { rating: 'up' })).status, (await rate(acme, { rating: 'bad' })).status]).toEqual([404, 400]);
    const rated = { runId, rating: 'down', text: 'Too short.' };
    for (const query of ['', '?rating=down', `?session=${sessionId}&mine=true`, '?agent=default&since=2026-01-01T00:00:00Z'])
      expect([query, await list(acme, `/feedback${query}`)]).toEqual([query, [expect.objectContaining(rated)]]);
    for (const query of ['?rating=up', '?model=none', '?until=2026-01-01T00:00:00Z', '?session=ses_none'])
      expect([query, await list(acme, `/feedback${query}`)]).toEqual([query, []]);
    expect(await list(globex, '/feedback')).toEqual([]);
    expect(await list(globex, '/ops/feedback')).toEqual([]);
    expect([await counted('up')(), await counted('down')()]).toEqual([1, 1]);

    const { secret } = await keys.makeKey({ name: 'rating-reader', tenant: 'default', scopes: ['admin', 'ops:read'] });
    const [withTexts, without] = [keys.admin, withKey(keys.url, secret)];
    expect((await list(without, '/ops/feedback?tenant=acme')).map(({ rating, text }) => [rating, text])).toEqual([['down', undefined]]);
    expect(await list(withTexts, '/ops/feedback')).toEqual([expect.objectContaining({ ...rated, tenantId: 'acme' })]);
    expect(await list(withTexts, '/ops/feedback/counts')).toMatchObject([{ tenantId: 'acme', agent: 'default', up: 0, down: 1 }]);
    expect(await list(acme, '/audit?action=session.read&target=feedback')).toMatchObject([{ actor: 'root' }]);

    const branch = (await acme.request<{ id: string }>('POST', `/sessions/${sessionId}/branches`, { before: runId })).body.id;
    expect(await list(acme, `/feedback?session=${branch}&mine=true`)).toHaveLength(1);
    const exported = (await acme.request<string>('GET', '/export')).body;
    expect(exported.split('\n').some(line => line.includes('"feedback"') && line.includes('Too short.'))).toBe(true);
    const takeBack = async () => (await acme.request('DELETE', `/runs/${runId}/feedback`)).status;
    expect([await takeBack(), await takeBack()]).toEqual([204, 404]);
    await rate(acme, { rating: 'up' });
    await acme.request('DELETE', `/sessions/${sessionId}`);
    expect(await list(acme, '/feedback')).toEqual([]);
  });

  it('find in their audit log which admin read texts of theirs in a list, once an hour', async () => {
    const { body } = await acme.run({ input: 'hello from acme' });
    const { secret } = await keys.makeKey({ name: 'lister', tenant: 'default', scopes: ['admin', 'chat', 'ops:read'] });
    const lister = withKey(keys.url, secret);
    const rows = async () => {
      const { data } = (await acme.request<{ data: { actor: string; target: string }[] }>('GET', '/audit?action=session.read&actor=lister'))
        .body;
      return data.map(({ target }) => target);
    };
    const wordsOf = (runs: { data: { runId: string; firstWords?: string }[] }) =>
      runs.data.find(({ runId }) => runId === body.runId)?.firstWords;
    expect(wordsOf(await readAs(lister, '/ops/runs', 'OpsRuns'))).toBeUndefined();
    expect(await rows()).toEqual([]);
    const read = (path: string) => readAs(lister, path, 'OpsRuns');
    const lists = await Promise.all(
      ['/ops/runs?texts=true', '/ops/runs?texts=true&tenant=acme', '/ops/runs?texts=true&sort=tokens'].map(read),
    );
    expect(lists.map(wordsOf)).toEqual(lists.map(() => expect.stringContaining('hello from acme')));
    const watching = new AbortController();
    const stream = await fetch(`${keys.url}/api/v1/ops/stream?view=runs&texts=true`, { headers: bearer(secret), signal: watching.signal });
    const first = await stream.body?.getReader().read();
    watching.abort();
    expect(new TextDecoder().decode(first?.value)).toContain('hello from acme');
    expect(await rows()).toEqual(['runs']);
    await readAs(lister, '/ops/sessions', 'OpsSessions');
    expect(await rows()).toEqual(['sessions', 'runs']);
  });

  it('pause and switch for their own tenant alone', async () => {
    await acme.request('POST', '/ops/accepting', { accepting: false });
    await acme.request('POST', '/ops/tools/bash', { enabled: false });
    expect((await acme.request<ErrorBody>('POST', '/runs', { input: 'hello' })).body.error.code).toBe('not_accepting');
    expect((await globex.run({ input: 'hello' })).body.status).toBe('completed');
    const bashOf = async (client: RestClient) => {
      const { tools } = await readAs(client, '/ops/tools', 'OpsTools');
      return tools.find(({ name }) => name === 'bash')?.isSwitchedOff;
    };
    expect([await bashOf(acme), await bashOf(globex)]).toEqual([true, false]);
    await acme.request('POST', '/ops/accepting', { accepting: true });
  });

  it('pause their tenant, and an admin sees who did it and lifts it', async () => {
    await acme.request('POST', '/ops/accepting', { accepting: false, reason: 'audit' });
    const pause = { tenantId: 'acme', reason: 'audit', changedBy: 'acme', changedAt: expect.any(String) };
    const { accepting, reasons } = await readAs(keys.admin, '/ops/overview', 'OpsOverview');
    expect(accepting).toEqual({ accepting: true, tenants: [pause] });
    expect(reasons).toContainEqual(
      expect.objectContaining({ code: 'tenants_not_accepting', message: expect.stringContaining('acme (by acme)') }),
    );
    expect((await readAs(keys.admin, '/ops/limits', 'OpsLimits')).accepting.tenants).toEqual([pause]);
    expect((await readAs(globex, '/ops/limits', 'OpsLimits')).accepting).toEqual({ accepting: true });
    const refused = await globex.request<ErrorBody>('POST', '/ops/accepting', { accepting: true, tenant: 'acme' });
    expect([refused.status, refused.body.error.param]).toEqual([403, '/tenant']);
    // The pause of all tenants is another switch.
    await keys.admin.request('POST', '/ops/accepting', { accepting: true });
    expect((await acme.request<ErrorBody>('POST', '/runs', { input: 'hello' })).body.error.code).toBe('not_accepting');
    const lifted = await keys.admin.request('POST', '/ops/accepting', { accepting: true, tenant: 'acme' });
    expect([lifted.status, lifted.body]).toEqual([200, { accepting: true }]);
    expect((await acme.run({ input: 'hello' })).body.status).toBe('completed');
    const { body } = await keys.admin.request<{ data: object[] }>('GET', '/audit?action=runs.accept&limit=1');
    expect(body.data).toMatchObject([{ actor: 'root', target: 'acme' }]);
  });

  it('see no facts of the machine and no runs of others among those of a gateway', async () => {
    keys.bench.model.onTurn('never ends', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
    const started = await acme.request<{ runId: string }>('POST', '/runs', { input: 'never ends' }, { prefer: 'respond-async' });
    const ofAdmin = await until(
      () => readAs(keys.admin, '/ops/overview', 'OpsOverview'),
      ({ live }) => live.running === 1,
    );
    expect(ofAdmin.nodes).toMatchObject([{ runs: 1, rssBytes: expect.any(Number) }]);
    expect(ofAdmin.process).toMatchObject({ rssBytes: expect.any(Number), diskFreeBytes: expect.any(Number) });
    const { process: machine, nodes } = await readAs(globex, '/ops/overview', 'OpsOverview');
    expect(machine).toEqual({ connections: 0 });
    expect(nodes).toMatchObject([{ runs: 0 }]);
    expect(nodes[0]).not.toHaveProperty('rssBytes');
    for (const path of ['/ops/doctor', '/ops/audit/verify']) {
      const { status, body } = await globex.request<ErrorBody>('GET', path);
      expect([path, status, body.error.code]).toEqual([path, 403, 'forbidden']);
    }
    await acme.request('POST', `/ops/runs/${started.body.runId}/cancel`, {});
  });

  it('list sessions with their size and their last run, and find them by their words', async () => {
    const { model } = keys.bench;
    model.onTurn('种一棵柿子树', '好的，种在院子里。');
    model.onTurn('breaks', { error: { status: 400, message: 'no' } });
    const planted = await acme.run({ input: '种一棵柿子树' });
    const broken = await acme.run({ input: 'breaks' });
    const all = await readAs(acme, '/ops/sessions', 'OpsSessions');
    expect(all.data.find(({ sessionId }) => sessionId === planted.body.sessionId)).toMatchObject({
      tenantId: 'acme',
      title: expect.stringContaining('柿子'),
      messages: 2,
      messageBytes: expect.any(Number),
      runs: 1,
      isMore: false,
      lastRun: { runId: planted.body.runId, status: 'completed', door: 'rest' },
    });
    expect((await readAs(acme, '/ops/sessions?status=failed', 'OpsSessions')).data).toMatchObject([
      { sessionId: broken.body.sessionId, lastRun: { errorCode: 'model_refused' } },
    ]);
    const found = await readAs(keys.admin, `/ops/sessions?tenant=acme&q=${encodeURIComponent('柿子树')}`, 'OpsSessions');
    expect(found.data).toMatchObject([{ sessionId: planted.body.sessionId, snippet: expect.stringContaining('柿子树') }]);
    const page = await readAs(acme, '/ops/sessions?limit=1', 'OpsSessions');
    expect(page).toMatchObject({ data: [{ sessionId: broken.body.sessionId }], hasMore: true });
    const next = await readAs(acme, `/ops/sessions?limit=1&cursor=${page.nextCursor}`, 'OpsSessions');
    expect(next.data).toMatchObject([{ sessionId: planted.body.sessionId }]);
    expect((await readAs(globex, '/ops/sessions', 'OpsSessions')).data.map(({ tenantId }) => tenantId)).not.toContain('acme');
    for (const [client, path, status, param] of [
      [globex, '/ops/sessions?tenant=acme', 403, '/tenant'],
      [acme, '/ops/sessions?status=odd', 400, '/status'],
      [acme, '/ops/sessions?cursor=abc', 400, '/cursor'],
      [acme, '/ops/sessions?since=tomorrow', 400, '/since'],
    ] as const) {
      const { status: got, body } = await client.request<ErrorBody>('GET', path);
      expect([path, got, body.error.param]).toEqual([path, status, param]);
    }
  });

  it('find sessions by their titles first, page by page, and then by their messages', async () => {
    const ids: string[] = [];
    for (const title of ['Winter wheat', 'winter rye']) {
      const { body } = await acme.run({ input: 'hello' });
      await acme.request('PATCH', `/sessions/${body.sessionId}`, { title });
      ids.unshift(body.sessionId);
    }
    const said = await acme.run({ input: 'sown in winter' });
    await acme.request('PATCH', `/sessions/${said.body.sessionId}`, { title: 'Untitled' });
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const path = `/ops/sessions?q=winter&limit=1${cursor && `&cursor=${cursor}`}`;
      const page: { data: { sessionId: string }[]; nextCursor?: string } = await readAs(acme, path, 'OpsSessions');
      expect(page.data.length).toBeLessThanOrEqual(1);
      found.push(...page.data.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    }
    expect(found).toEqual([...ids, said.body.sessionId]);
    expect((await readAs(globex, '/ops/sessions?q=winter', 'OpsSessions')).data).toEqual([]);
  });

  it('save views of lists for their own tenant, in the place of one of the same name and screen', async () => {
    const path = `/ops/views/${encodeURIComponent('晚上/night')}`;
    const save = (rest: RestClient, body: object) => rest.request<Record<string, unknown>>('PUT', path, body);
    const queryOf = async (rest: RestClient, of = '') => {
      const { body } = await rest.request<{ data: { name: string; query: object }[] }>('GET', `/ops/views${of}`);
      return body.data.map(({ name, query }) => ({ name, query }));
    };
    expect((await save(acme, { screen: 'runs', query: { status: 'failed' } })).body).toMatchObject({ name: '晚上/night', savedBy: 'acme' });
    await save(acme, { screen: 'runs', query: { sort: 'cost' } });
    await save(acme, { screen: 'audit', query: {} });
    expect(await queryOf(acme, '?screen=runs')).toEqual([{ name: '晚上/night', query: { sort: 'cost' } }]);
    expect(await queryOf(acme)).toHaveLength(2);
    expect(await queryOf(globex)).toEqual([]);
    expect((await globex.request('DELETE', `${path}?screen=runs`)).status).toBe(404);
    for (const body of [{ screen: 'runs' }, { screen: 'runs', query: { a: 1 } }, { screen: '../x', query: {} }]) {
      expect([body, (await save(acme, body)).status]).toEqual([body, 400]);
    }
    const { secret } = await keys.makeKey({ name: 'reader', tenant: 'acme', scopes: ['ops:read'] });
    expect([await queryOf(withKey(keys.url, secret), '?screen=audit'), (await save(withKey(keys.url, secret), {})).status]).toEqual([
      [{ name: '晚上/night', query: {} }],
      403,
    ]);
    expect((await acme.request('DELETE', `${path}?screen=runs`)).status).toBe(204);
    expect(await queryOf(acme, '?screen=runs')).toEqual([]);
  });

  it('show no titles without the scope chat', async () => {
    const { secret } = await keys.makeKey({ name: 'counter', tenant: 'acme', scopes: ['ops:read'] });
    const counter = withKey(keys.url, secret);
    const { body } = await acme.run({ input: 'hello' });
    const { data } = await readAs(counter, '/ops/sessions', 'OpsSessions');
    expect(data.map(({ sessionId }) => sessionId)).toContain(body.sessionId);
    expect(data.filter(({ title }) => title !== undefined)).toEqual([]);
    for (const path of ['/ops/sessions?q=hello', `/ops/sessions/${body.sessionId}/export`]) {
      expect([path, (await counter.request('GET', path)).status]).toEqual([path, 403]);
    }
  });

  it('export and delete a session of another tenant with admin, and that tenant reads who did it', async () => {
    const { body } = await acme.run({ input: 'hello' });
    const path = `/ops/sessions/${body.sessionId}`;
    expect((await globex.request('GET', `${path}/export`)).status).toBe(404);
    expect((await globex.request('DELETE', path)).status).toBe(404);
    const exported = await fetch(`${keys.url}/api/v1${path}/export`, { headers: bearer(ADMIN) });
    expect(await exported.text()).toContain('Hello.');
    expect((await keys.admin.request('DELETE', path)).status).toBe(204);
    expect((await acme.request('GET', `/sessions/${body.sessionId}`)).status).toBe(404);
    const { data } = (await acme.request<{ data: object[] }>('GET', `/audit?target=${body.sessionId}`)).body;
    expect(data).toMatchObject([
      { tenant: 'acme', actor: 'root', action: 'session.delete' },
      { tenant: 'acme', actor: 'root', action: 'session.export' },
    ]);
  });

  it('answer questions and decide approvals of another tenant with admin', async () => {
    const { model } = keys.bench;
    model.onTurn(
      'ask me',
      { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] },
      ({ toolResults }) => `It is ${toolResults[0]}`,
    );
    model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] }, 'Refused.');
    const start = (client: RestClient, input: string) =>
      client.request<{ runId: string }>('POST', '/runs', { input, clarify: 'wait' }, { prefer: 'respond-async' });
    // Without a key that may approve nobody is asked.
    const { secret } = await keys.makeKey({ name: 'approver', tenant: 'acme', scopes: ['chat', 'approve'] });
    const [asking, reading] = [await start(acme, 'ask me'), await start(withKey(keys.url, secret), 'read the keys')];
    const { waiting } = await until(
      () => readAs(keys.admin, '/ops/people', 'OpsPeople'),
      people => people.waiting.length === 2,
    );
    expect(waiting.map(({ kind, tool }) => tool ?? kind).sort()).toEqual(['clarification', 'read_file']);
    const idOf = (kind: string) => waiting.find(row => row.kind === kind)?.requestId ?? '';
    const [question, approval] = [idOf('clarification'), idOf('approval')];
    expect(await readAs(keys.admin, `/ops/people/${question}`, 'OpsQuestion')).toMatchObject({
      tenantId: 'acme',
      question: { question: 'Which colour?' },
    });
    expect(await readAs(keys.admin, `/ops/people/${approval}`, 'OpsQuestion')).toMatchObject({ approval: { tool: 'read_file' } });
    expect((await globex.request('GET', `/ops/people/${question}`)).status).toBe(404);
    expect((await globex.request('POST', `/ops/people/${question}`, { answer: 'mine' })).status).toBe(404);
    // The key of the tenant lacks the scope approve.
    const refused = await acme.request<ErrorBody>('POST', `/ops/people/${approval}`, { decision: { decision: 'allow_once' } });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    const empty = await keys.admin.request<ErrorBody>('POST', `/ops/people/${approval}`, { answer: 'yes' });
    expect([empty.status, empty.body.error.param]).toEqual([400, '/decision']);
    const decided = await keys.admin.request('POST', `/ops/people/${approval}`, { decision: { decision: 'deny' } });
    expect([decided.status, decided.body]).toEqual([200, { requestId: approval, status: 'answered', decision: 'deny' }]);
    expect((await keys.admin.request('POST', `/ops/people/${question}`, { answer: 'Red' })).status).toBe(200);
    const endOf = (runId: string) =>
      until(
        () => acme.request<{ status: string; text?: string }>('GET', `/runs/${runId}`),
        ({ body }) => body.status === 'completed',
      );
    expect((await endOf(asking.body.runId)).body.status).toBe('completed');
    await endOf(reading.body.runId);
    const { data } = (await acme.request<{ data: object[] }>('GET', `/audit?target=${question}`)).body;
    expect(data).toMatchObject([
      { tenant: 'acme', actor: 'root', action: 'question.answer' },
      { tenant: 'acme', actor: 'root', action: 'session.read' },
    ]);
  });

  it('verify the audit log with admin', async () => {
    const { body } = await keys.admin.request<{ data: { hash: string }[] }>('GET', '/audit?limit=1');
    const check = await readAs(keys.admin, '/ops/audit/verify', 'OpsAuditCheck');
    expect(check).toEqual({ ok: true, rows: expect.any(Number), head: body.data[0]?.hash });
    expect(check.rows).toBeGreaterThan(3);
  });

  it('see which settings are given, and their values only with admin', async () => {
    const shownValue = async (client: RestClient, name: string) => {
      const { settings } = await readAs(client, '/ops/config', 'OpsConfig');
      return settings.find(row => row.name === name)?.value;
    };
    expect(await shownValue(keys.admin, 'OPENAI_BASE_URL')).toContain('127.0.0.1');
    expect(await shownValue(acme, 'OPENAI_BASE_URL')).toBe('***');
    expect(await shownValue(acme, 'NETA_MAX_READERS')).toBe('2000');
  });

  it('read no texts without the scope chat', async () => {
    const { secret } = await keys.makeKey({ name: 'watcher', tenant: 'acme', scopes: ['ops:read'] });
    const { body } = await acme.run({ input: 'hello' });
    const exported = await readAs(withKey(keys.url, secret), `/ops/runs/${body.runId}/export`, 'OpsRunExport');
    expect(exported).toMatchObject({ hasTexts: false });
    expect(exported.again).toBeUndefined();
    expect(JSON.stringify(exported).toLowerCase()).not.toContain('hello');
  });

  it('lose their stream when the key is revoked', async () => {
    const { id, secret } = await keys.makeKey({ name: 'short', tenant: 'acme', scopes: ['ops:read'] });
    const response = await fetch(`${keys.url}/api/v1/ops/stream?view=overview`, { headers: { authorization: `Bearer ${secret}` } });
    const text = response.text();
    await keys.admin.request('DELETE', `/api-keys/${id}`);
    expect(await text).toContain('unauthenticated');
    expect((await createRestClient(keys.url).request('GET', '/ops/overview')).status).toBe(401);
  });
});
