/** Limits of limits.yaml: rates, queues and days of keys and tenants, and the budget of each run. */

import { writeFile } from 'node:fs/promises';
import type { RunResult } from '../../src/service/run_log/run_service';
import { createProfiles } from '../support/agent_config';
import { startAndFail } from '../support/gateway';
import { withKey } from '../support/key_bench';
import { type LimitsBench, startLimitsBench } from '../support/limits_bench';
import { startModelBench } from '../support/model_bench';
import { createRestClient, type ErrorBody, type PageBody } from '../support/rest_client';
import { until } from '../support/until';

const USED = { inputTokens: 400, outputTokens: 100 };
const look = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }], usage: USED };

function scriptModel({ model }: LimitsBench): void {
  model.onTurn('rounds', look, look, look, look, { text: 'All seen.', usage: USED });
  model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  model.onTurn('quick', { text: 'quick answer', usage: USED });
}

describe('limits of all keys', () => {
  let bench: LimitsBench;
  afterEach(() => bench?.stop());
  const start = async (limits: string) => {
    bench = await startLimitsBench(limits);
    scriptModel(bench);
  };
  const ask = (path = '/sessions') => bench.rest.request<ErrorBody>('GET', path);

  it('limits requests of a key and of its tenant over REST and sockets together, and says what is left', async () => {
    await start('default: { requestsPerMinute: 4 }\ntenants: { default: { requestsPerMinute: 100 } }\n');
    const first = await ask();
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=4;w=60, "tenant";q=100;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=3;t=(60|59), "tenant";r=99;t=\d+$/);
    const client = await bench.connect();
    expect(await client.send({ type: 'ping' })).toMatchObject({ ok: true });
    expect(await client.send({ type: 'chat', text: 'quick one' })).toMatchObject({ ok: true });
    expect((await ask('/runs')).headers.get('ratelimit')).toMatch(/^"default";r=1;/);
    expect((await ask('/tools')).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      429,
      'rate_limited',
      { scope: 'key', limit: 'requestsPerMinute' },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;/);
    const message = await client.send({ type: 'chat', text: 'quick two' });
    expect(message).toMatchObject({ ok: false, error: { code: 'rate_limited', retryAfterMs: expect.any(Number) } });
    // Probes, pages and the documents are open.
    for (const path of ['//healthz', '//readyz', '//openapi.json']) expect((await ask(path)).status).toBe(200);
  });

  it('keeps the counts after kill -9, and lets two gateways on one store through the limit only once', async () => {
    await start('default: { requestsPerMinute: 6 }\n');
    for (let i = 0; i < 2; i++) expect((await ask()).status).toBe(200);
    await bench.gateway.restart();
    const second = await bench.startAnother();
    try {
      const clients = [bench.rest, createRestClient(second.url)];
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => clients[i % 2]!.request('GET', '/sessions')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
    } finally {
      await second.stop();
    }
  });
});

/** Each test has a key and a tenant of its own; this is what limits.yaml says about the keys. */
const LIMITS_OF_KEYS = {
  minute: '{ runsPerMinute: 2 }',
  queue: '{ concurrentRuns: 1, queuedRuns: 2 }',
  day: '{ tokensPerDay: 1000 }',
  steering: '{ runsPerMinute: 2 }',
  late: '{ tokensPerDay: 1000, concurrentRuns: 1 }',
  narrow: '{ maxToolIterations: 3 }',
  other: '{ maxTokens: 1 }',
  job: '{}',
  changed: '{ maxTokens: 1 }',
};
type Key = keyof typeof LIMITS_OF_KEYS;
const NAMES = Object.keys(LIMITS_OF_KEYS) as Key[];
const secretOf = (name: Key) => `secret-of-the-key-${name}`;
const limitsWith = (more: Partial<Record<Key, string>> = {}) =>
  [
    'default: { maxTokens: 1000 }',
    'keys:',
    ...Object.entries({ ...LIMITS_OF_KEYS, ...more }).map(([name, limits]) => `  ${name}: ${limits}`),
  ].join('\n');

describe('limits of one key', () => {
  let bench: LimitsBench;
  beforeAll(async () => {
    const keys = NAMES.map(name => `${name}:${secretOf(name)}:tenant-of-${name}:chat`);
    bench = await startLimitsBench(limitsWith(), { env: { NETA_API_KEYS: keys.join(',') } });
    scriptModel(bench);
  });
  afterAll(() => bench?.stop());

  /** What a caller with the key does. */
  function as(name: Key) {
    const rest = withKey(bench.gateway.url, secretOf(name));
    return {
      ...rest,
      later: (input: string) =>
        rest.request<{ runId: string; status: string } & ErrorBody>('POST', '/runs', { input }, { prefer: 'respond-async' }),
      connect: () => bench.connect({ token: secretOf(name), capabilities: ['clarify@1'] }),
    };
  }

  it('limits the runs of a minute, and does not count a repeated request', async () => {
    const { run, request, later, connect } = as('minute');
    const key = { 'idempotency-key': 'same' };
    const { body } = await run({ input: 'quick one' }, key);
    expect((await run({ input: 'quick one' }, key)).body.runId).toBe(body.runId);
    expect((await run({ input: 'quick two' })).status).toBe(200);
    const refused = await later('quick three');
    expect([refused.status, refused.body.error.details]).toEqual([429, { scope: 'key', limit: 'runsPerMinute' }]);
    expect((await run({ input: 'quick one' }, key)).body.runId).toBe(body.runId);
    const client = await connect();
    expect((await client.send({ type: 'chat', text: 'quick four' })).error).toMatchObject({ code: 'rate_limited' });
    expect((await request('GET', '/runs')).status).toBe(200);
  });

  it('executes as many runs of a key as it may, queues the next, refuses beyond the queue, and starts them in order', async () => {
    const { later, stream } = as('queue');
    const running = await later('slow in the queue');
    await bench.model.waitFor('slow in the queue');
    const queued = [await later('quick in the queue, one'), await later('quick in the queue, two')];
    expect([running, ...queued].map(({ body }) => body.status)).toEqual(['running', 'queued', 'queued']);
    const refused = await later('quick three');
    expect([refused.status, refused.body.error.details]).toEqual([429, { scope: 'key', limit: 'queuedRuns' }]);
    expect(refused.headers.get('x-should-retry')).toBeNull();
    expect(bench.model.requests('quick in the queue')).toEqual([]);
    bench.model.resume();
    for (const { body } of queued) {
      const events = await stream('GET', `/runs/${body.runId}/events`);
      expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed' } });
    }
    expect(bench.model.requests('quick in the queue').map(({ userText }) => userText)).toEqual([
      'quick in the queue, one',
      'quick in the queue, two',
    ]);
  });

  it('refuses runs after the tokens of the day are used up, also after a restart, and says when they are back', async () => {
    const { run, request, later } = as('day');
    expect((await run({ input: 'quick one' })).status).toBe(200);
    const ended = (await run({ input: 'rounds' })).body;
    expect(ended).toMatchObject({ status: 'incomplete', reason: 'budget', usage: { inputTokens: 400 } });
    expect(ended.text).toContain('tokensPerDay');
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
    const isRefused = async () => {
      const { status, headers, body } = await later('quick two');
      expect([status, body.error.code]).toEqual([429, 'quota_exceeded']);
      expect(body.error.details).toEqual({ scope: 'key', limit: 'tokensPerDay', resetsAt: midnight });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('x-should-retry')).toBe('false');
    };
    await isRefused();
    await bench.gateway.restart();
    await isRefused();
    const { body: sessions } = await request<PageBody<{ id: string }>>('GET', '/sessions');
    for (const { id } of sessions.data) await request('DELETE', `/sessions/${id}`);
    await isRefused();
  });

  it('counts steering messages like runs, because late ones become runs', async () => {
    const { request, later } = as('steering');
    const { body } = await later('slow and steered');
    await bench.model.waitFor('slow and steered');
    const steer = (text: string) => request<ErrorBody>('POST', `/runs/${body.runId}/steer`, { text });
    expect((await steer('quick one')).status).toBe(202);
    expect((await steer('quick two')).body.error).toMatchObject({ code: 'rate_limited', details: { limit: 'runsPerMinute' } });
    await request('POST', `/runs/${body.runId}/cancel`);
    const { body: runs } = await request<PageBody<unknown>>('GET', '/runs');
    expect(runs.data).toHaveLength(2);
  });

  it('ends a queued run without a model call when others have used up the day', async () => {
    const { later, stream } = as('late');
    await later('slow of late');
    await bench.model.waitFor('slow of late');
    const queued = [await later('quick one'), await later('quick two'), await later('quick of late')];
    bench.model.resume();
    const last = await stream('GET', `/runs/${queued[2]?.body.runId}/events`);
    expect(last.at(-1)?.data).toMatchObject({ status: 'incomplete', reason: 'budget' });
    expect(bench.model.requests('quick of late')).toEqual([]);
  });

  it('narrows the limits of requests on both doors, and never widens them', async () => {
    const { run, connect } = as('narrow');
    for (const limits of [undefined, { maxTokens: 100_000, maxToolIterations: 50 }]) {
      const { body } = await run({ input: 'rounds', ...(limits && { limits }) });
      expect(body).toMatchObject({ reason: 'budget', usage: { inputTokens: 800 } });
    }
    expect((await run({ input: 'rounds', limits: { maxTokens: 400 } })).body).toMatchObject({ usage: { inputTokens: 400 } });
    const client = await connect();
    const { runId } = await client.chat('rounds');
    expect((await client.endOf(runId)).data).toMatchObject({ status: 'incomplete', reason: 'budget' });
  });

  it('ends a job and its run within the same limits', async () => {
    const { request, stream } = as('job');
    const job = { name: 'look', schedule: { everyMs: 3_600_000 }, input: 'rounds' };
    const { body } = await request<{ id: string }>('POST', '/jobs', job);
    const { body: started } = await request<{ runId: string }>('POST', `/jobs/${body.id}/run`);
    await stream('GET', `/runs/${started.runId}/events`);
    const run = (await request<RunResult>('GET', `/runs/${started.runId}`)).body;
    expect(run).toMatchObject({ status: 'incomplete', reason: 'budget' });
  });

  it('reads a change of the file within a second, and keeps the limits when the change is wrong', async () => {
    const reasonOf = async () => (await as('changed').run({ input: 'rounds' })).body.reason;
    const readyz = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;
    expect(await reasonOf()).toBe('budget');
    await bench.writeLimits(limitsWith({ changed: '{ maxTokens: many }' }));
    const warnings = await until(readyz, found => found.some(warning => warning.includes('limits.yaml')));
    expect(warnings.join()).toMatch(/limits\.yaml: \/keys\/\*\/maxTokens: .*line 11/);
    expect(await reasonOf()).toBe('budget');
    await bench.writeLimits(limitsWith({ changed: '{ maxTokens: 100000 }' }));
    await until(async () => (await readyz()).length === 0);
    expect(await reasonOf()).toBeUndefined();
  });
});

it('refuses runs after the money of the day is used up, counts no run of a model without a price, and names that model', async () => {
  const models = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, price: { input: 1000, output: 1000 } }
  - { id: local-llm, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
`;
  const priced = await startModelBench({ models, configFiles: { 'limits.yaml': 'default: { costPerDayUsd: 0.75 }\n' } });
  try {
    for (const model of [priced.a, priced.b]) model.onTurn('quick', { text: 'quick answer', usage: USED });
    const runOf = (model: string) => priced.rest.request<RunResult & ErrorBody>('POST', '/runs', { input: `quick ${model}`, model });
    // 500 tokens at 1,000 USD a million.
    expect((await runOf('a')).body.usage).toMatchObject({ costUsd: 0.5 });
    expect((await runOf('local-llm')).body.status).toBe('completed');
    expect((await runOf('a')).status).toBe(200);
    const { status, body } = await runOf('a');
    expect([status, body.error.code, body.error.details]).toMatchObject([429, 'quota_exceeded', { scope: 'key', limit: 'costPerDayUsd' }]);
    const { warnings } = (await priced.rest.request<{ warnings: string[] }>('GET', '//readyz')).body;
    const ofLimits = warnings.filter(warning => warning.startsWith('limits.yaml'));
    expect(ofLimits).toEqual([
      'limits.yaml: maxCostUsd and costPerDayUsd do not limit local-llm: no price is known. Set price in models.yaml.',
    ]);
  } finally {
    await priced.stop();
  }
}, 20_000);

it('refuses to start with a wrong limit, and names file, field and line', async () => {
  const config = await createProfiles({ default: '' });
  try {
    await writeFile(`${config.directory}/limits.yaml`, 'default:\n  tokensPerDay: -1');
    const { code, output } = await startAndFail({
      NETA_CONFIG_DIR: config.directory,
      NETA_DATA_DIR: `${config.directory}/data`,
      PORT: '0',
    });
    expect(code).toBe(1);
    expect(output).toMatch(/limits\.yaml: \/default\/tokensPerDay: .*line 2/);
  } finally {
    await config.remove();
  }
});
