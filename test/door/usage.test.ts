/** GET /usage: runs of every kind, with the tokens and the price of each model, through the doors. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { type ModelBench, startModelBench } from '../support/model_bench';
import type { RestClient } from '../support/rest_client';
import { until } from '../support/until';

interface UsageBody {
  from: string;
  to: string;
  by: string;
  data: Record<string, unknown>[];
}

const MODELS = `
models:
  - { id: priced, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, price: { input: 2, output: 10 } }
  - { id: unknown, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
  - { id: silent, baseUrl: "{silent}", model: model-c, price: { input: 2, output: 10 } }
`;

/** Starts a model server that tells no tokens. */
async function startSilentModel(): Promise<Server> {
  const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }] };
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)));
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const TODAY = () => new Date().toISOString().slice(0, 10);

const readUsage = async (client: RestClient, query = '') => (await client.request<UsageBody>('GET', `/usage?${query}`)).body;

describe('a gateway with three models', () => {
  let bench: ModelBench;
  let silent: Server;

  beforeAll(async () => {
    silent = await startSilentModel();
    const models = MODELS.replace('{silent}', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`);
    bench = await startModelBench({ models, profiles: { default: 'members: [scout]', scout: 'description: Looks around.' } });
    const { a, b, rest } = bench;
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }], usage };
    a.onTurn('work', list, { ...list, usage: { inputTokens: 500, outputTokens: 50 } }, { text: 'Done.', usage });
    a.onTurn('refuse', { error: { status: 400, message: 'no' } });
    a.onTurn('ask', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }], usage }, 'Thanks.');
    a.onTurn('lead', { toolCalls: [{ name: 'delegate_task', arguments: { task: 'scout it' } }], usage }, { text: 'Led.', usage });
    a.onTurn('scout it', { text: 'Seen.', usage: { inputTokens: 300, outputTokens: 30 } });
    b.onTurn('chat', { text: 'Hello.', usage: { inputTokens: 10, outputTokens: 1 } });
    await rest.run({ input: 'work' });
    await rest.run({ input: 'refuse' });
    await rest.run({ input: 'chat', model: 'unknown' });
    await rest.run({ input: 'hello', model: 'silent' });
    await rest.run({ input: 'lead' });
    const { body } = await rest.request<{ runId: string }>('POST', '/runs', { input: 'ask', clarify: 'wait' }, { prefer: 'respond-async' });
    await until(async () => (await rest.request<{ data: [] }>('GET', '/clarifications?status=pending')).body.data.length > 0);
    await rest.request('POST', `/runs/${body.runId}/cancel`);
  });
  afterAll(async () => {
    await bench?.stop();
    silent.close();
    silent.closeAllConnections();
  });

  it('counts completed, failed and cancelled runs, and each child run once', async () => {
    const { from, to, by, data } = await readUsage(bench.rest);
    expect([to, by, Date.parse(to) - Date.parse(from)]).toEqual([TODAY(), 'day', 29 * 86_400_000]);
    expect(data).toEqual([
      {
        key: TODAY(),
        runs: 7,
        inputTokens: 2_500 + 2_000 + 300 + 1_000 + 10,
        cachedTokens: 0,
        outputTokens: 250 + 200 + 30 + 100 + 1,
        reasoningTokens: 0,
        unpriced: true,
        unpricedRuns: 2,
        knownCostUsd: 0.0174,
        durationMs: expect.any(Number),
      },
    ]);
  });

  it('tells priced models from unpriced ones', async () => {
    const { data } = await readUsage(bench.rest, 'by=model');
    expect(data.map(({ key, costUsd, unpriced }) => [key, costUsd, unpriced])).toEqual([
      ['priced', 0.0174, undefined],
      ['unknown', undefined, true],
      ['silent', undefined, true],
    ]);
  });

  it('adds up by agent, key and tool', async () => {
    expect((await readUsage(bench.rest, 'by=agent')).data).toMatchObject([
      { key: 'default', runs: 6 },
      { key: 'scout', runs: 1, inputTokens: 300, costUsd: 0.0009 },
    ]);
    expect((await readUsage(bench.rest, 'by=key')).data).toMatchObject([{ key: 'local', tenant: 'default', runs: 7 }]);
    const tools = async () => (await readUsage(bench.rest, 'by=tool')).data.map(({ key, runs, calls }) => [key, runs, calls]);
    const expected = [
      ['list_dir', 1, 2],
      ['clarify', 1, 1],
      ['delegate_task', 1, 1],
    ];
    expect(await tools()).toEqual(expected);
    // The sums outlive the runs.
    const { body } = await bench.rest.request<{ data: { id: string }[] }>('GET', '/sessions?limit=100');
    for (const { id } of body.data) await bench.rest.request('DELETE', `/sessions/${id}`);
    expect(await tools()).toEqual(expected);
    expect((await readUsage(bench.rest)).data).toMatchObject([{ runs: 7, inputTokens: 5_810 }]);
  });

  it('answers CSV when asked for it', async () => {
    const response = await fetch(`${bench.gateway.url}/api/v1/usage?by=model`, { headers: { accept: 'text/csv' } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="usage.csv"');
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toBe('key,tenant,runs,calls,inputTokens,cachedTokens,outputTokens,reasoningTokens,costUsd,durationMs');
    expect(lines[1]).toMatch(/^priced,,5,,5800,0,580,0,0\.0174,\d+$/);
    expect(lines[2]).toMatch(/^unknown,,1,,10,0,1,0,unpriced,\d+$/);
  });

  it.each([
    ['by=week', '/by'],
    ['from=2026-02-30', '/from'],
    ['to=tomorrow', '/to'],
    ['from=2026-02-02&to=2026-02-01', '/from'],
    ['from=2999-01-01', '/from'],
    ['day=1', '/day'],
  ])('refuses %s and names the field', async (query, param) => {
    expect((await bench.rest.request('GET', `/usage?${query}`)).body.error).toMatchObject({ code: 'invalid_request', param });
  });

  it('finds nothing on days without runs', async () => {
    expect(await readUsage(bench.rest, 'from=2020-01-01&to=2020-01-02T10:00:00Z')).toEqual({
      from: '2020-01-01',
      to: '2020-01-02',
      by: 'day',
      data: [],
      hasMore: false,
    });
  });
});

describe('a gateway with keys', () => {
  let keys: KeyBench;
  beforeAll(async () => {
    keys = await startKeyBench();
  });
  afterAll(() => keys?.bench.stop());

  it('shows operators their tenant, and an admin all tenants', async () => {
    const { bench, admin, url } = keys;
    bench.model.onTurn('hello', 'Hello.');
    const scopes = ['chat', 'ops:read'];
    const [acme, rival] = [
      withKey(url, (await keys.makeKey({ name: 'bot', tenant: 'acme', scopes })).secret),
      withKey(url, (await keys.makeKey({ name: 'bot', tenant: 'rival', scopes })).secret),
    ];
    await acme.run({ input: 'hello' });
    await rival.run({ input: 'hello' });
    await rival.run({ input: 'hello' });
    expect((await readUsage(acme, 'by=key')).data).toMatchObject([{ key: 'bot', tenant: 'acme', runs: 1 }]);
    expect((await readUsage(admin, 'by=key')).data).toMatchObject([
      { key: 'bot', tenant: 'rival', runs: 2 },
      { key: 'bot', tenant: 'acme', runs: 1 },
    ]);
    expect((await readUsage(admin, 'tenant=acme')).data).toMatchObject([{ runs: 1 }]);
    expect((await acme.request('GET', '/usage?tenant=rival')).body.error).toMatchObject({ code: 'forbidden', param: '/tenant' });
  });
});
