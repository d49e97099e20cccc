/** Idempotency-Key on every POST that makes something: a repeated request makes nothing twice. test/door/idempotency.test.ts tests runs. */
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody, RestAnswer } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_SANDBOX: 'none' } });
  bench.model.onTurn('hello', 'hello too');
  bench.model.onTurn('take your time', { text: 'slowly', pauseAfter: 0 });
});

afterAll(() => bench?.stop());

interface Made {
  id: string;
}

const post = <T = Made>(path: string, body: unknown, key: string): Promise<RestAnswer<T>> =>
  bench.rest.request<T>('POST', path, body, { 'idempotency-key': key });

const isReplay = ({ headers }: { headers: Headers }): boolean => headers.get('idempotency-replayed') === 'true';

const count = async (path: string): Promise<number> =>
  (await bench.rest.request<PageBody<unknown>>('GET', `${path}?limit=1000`)).body.data.length;

const SOURCE = { title: 'to be forked' };
let source = '';

beforeAll(async () => {
  source = (await bench.rest.request<Made>('POST', '/sessions', SOURCE)).body.id;
});

const jobAt = (time: number) => ({ name: 'once', schedule: { at: new Date(time).toISOString() }, input: 'hello' });

describe.each([
  ['sessions', () => '/sessions', { title: 'one' }, { title: 'two' }, '/sessions'],
  ['forks', () => `/sessions/${source}/fork`, { title: 'fork one' }, { title: 'fork two' }, '/sessions'],
  ['memories', () => '/memories', { text: 'The user likes green tea.' }, { text: 'A dog barks at night.' }, '/memories'],
  ['jobs', () => '/jobs', jobAt(Date.now() + 3_600_000), jobAt(Date.now() + 7_200_000), '/jobs'],
])('%s', (name, path, body, other, list) => {
  it('are made once, and the replay names the first', async () => {
    const first = await post(path(), body, `${name} 1`);
    const made = await count(list);
    const again = await post(path(), body, `${name} 1`);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await count(list)).toBe(made);
  });

  it('are refused for the same key with another body, and nothing is made', async () => {
    await post(path(), body, `${name} 2`);
    const made = await count(list);
    const answer = await post<ErrorBody>(path(), other, `${name} 2`);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch', retryable: false } } });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await count(list)).toBe(made);
  });

  it('are made once by requests that race', async () => {
    const made = await count(list);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path(), other, `${name} 3`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.filter(answer => !isReplay(answer))).toHaveLength(1);
    expect(await count(list)).toBe(made + 1);
  });

  it('are made twice without a key', async () => {
    const answers = [1, 2].map(() => bench.rest.request<Made>('POST', path(), name === 'memories' ? { ...body, force: true } : body));
    for (const answer of await Promise.all(answers)) expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });
});

it('the key of one operation is refused for another', async () => {
  await post('/sessions', { title: 'shared' }, 'shared key');
  for (const [path, body] of [
    ['/runs', { input: 'hello' }],
    ['/memories', { text: 'shared' }],
    [`/sessions/${source}/fork`, { title: 'shared' }],
  ] as const) {
    const answer = await post<ErrorBody>(path, body, 'shared key');
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 409, 'idempotency_mismatch']);
  }
});

it('a session that was deleted is made anew', async () => {
  const first = await post('/sessions', { title: 'short-lived' }, 'deleted');
  await bench.rest.request('DELETE', `/sessions/${first.body.id}`);
  const again = await post('/sessions', { title: 'short-lived' }, 'deleted');
  expect(again).toMatchObject({ status: 201 });
  expect(again.body.id).not.toBe(first.body.id);
});

it('a refused request leaves its key free', async () => {
  expect((await post('/sessions', { agent: 'nobody' }, 'corrected')).status).toBe(404);
  expect((await post('/memories', { text: 'password: hunter2-hunter2-hunter2' }, 'corrected')).status).toBe(400);
  expect((await post('/sessions', { title: 'right' }, 'corrected')).status).toBe(201);
});

it('a job whose time has passed since is replayed all the same', async () => {
  const body = jobAt(Date.now() - 50_000);
  const first = await post('/jobs', body, 'just in time');
  await bench.gateway.restart();
  const again = await post('/jobs', body, 'just in time');
  expect([first.status, again.status, isReplay(again)]).toEqual([201, 201, true]);
  expect(again.body.id).toBe(first.body.id);
});

describe('a direct call', () => {
  const append = (text: string) => ({ toolName: 'bash', parameters: { command: `printf ${text} >> log.txt; cat log.txt` } });
  const log = (): Promise<string> => readFile(join(bench.gateway.workspace, 'log.txt'), 'utf8');

  it('runs once, and its replay has the same answer, also after a restart', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post<{ status: string; result: unknown }>('/tools/call', append('a'), 'call 1')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(answer => !isReplay(answer))).toHaveLength(1);
    expect(answers[0]?.body).toMatchObject({ status: 'success' });
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    await bench.gateway.restart();
    expect((await post('/tools/call', append('a'), 'call 1')).body).toEqual(answers[0]?.body);
    expect(await log()).toBe('a');
  });

  it('with another body is refused, and does not run', async () => {
    await post('/tools/call', append('b'), 'call 2');
    const before = await log();
    expect((await post('/tools/call', append('c'), 'call 2')).status).toBe(409);
    expect(await log()).toBe(before);
  });

  it('goes on when its caller leaves, who gets the answer with the same key', async () => {
    const slow = { toolName: 'bash', parameters: { command: 'touch begun; while [ ! -e go ]; do sleep 0.02; done; echo finished' } };
    const left = httpRequest(`${bench.gateway.url}/api/v1/tools/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'call 3' },
    });
    left.once('error', () => {});
    left.end(JSON.stringify(slow));
    const command = (text: string) => bench.rest.request('POST', '/tools/call', { toolName: 'bash', parameters: { command: text } });
    await command('while [ ! -e begun ]; do sleep 0.02; done');
    left.destroy();
    const again = post<{ status: string; message: string }>('/tools/call', slow, 'call 3');
    await command('touch go');
    const { body, headers } = await again;
    expect(body).toMatchObject({ status: 'success', message: expect.stringContaining('finished') });
    expect(headers.get('idempotency-replayed')).toBe('true');
  });

  it('in the background gets the same execution', async () => {
    const ask = () =>
      bench.rest.request<Made>('POST', '/tools/call', append('d'), { 'idempotency-key': 'call 4', prefer: 'respond-async' });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });
});

it('a steering message reaches its run once', async () => {
  const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'take your time' }, { prefer: 'respond-async' });
  const steer = () => post<{ runId: string }>(`/runs/${body.runId}/steer`, { text: 'hello' }, 'steer 1');
  const [first, again] = [await steer(), await steer()];
  expect([first.body, again.body]).toEqual([first.body, first.body]);
  expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
  await bench.rest.request('POST', `/runs/${body.runId}/cancel`);
  const later = await steer();
  expect([later.status, later.body.runId]).toEqual([202, body.runId]);
});
