/** The price of a run before it works: a person agrees to it, and the budget of the day holds it until the run has ended. */

import { withKey } from '../support/key_bench';
import { type ModelBench, startModelBench } from '../support/model_bench';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

interface Body extends ErrorBody {
  runId: string;
  sessionId: string;
  status: string;
  text: string;
}

/** An answer of these tokens costs half a dollar. */
const USED = { inputTokens: 400, outputTokens: 100 };
const MODELS = `models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, price: { input: 1000, output: 1000 } }
`;
const LIMITS = `keys:
  asker: { askAboveUsd: 0.2 }
  saver: { costPerDayUsd: 0.8 }
`;
const secretOf = (name: string) => `${name}-secret-0123456789`;

let bench: ModelBench;
const clients: Record<string, RestClient> = {};

beforeAll(async () => {
  const names = ['free', 'asker', 'saver'];
  const keys = names.map(name => `${name}:${secretOf(name)}:default:chat+approve`).join(',');
  bench = await startModelBench({ models: MODELS, configFiles: { 'limits.yaml': LIMITS }, env: { NETA_API_KEYS: keys } });
  for (const name of names) clients[name] = withKey(bench.gateway.url, secretOf(name));
  bench.a.onTurn('work', { text: 'Worked.', usage: USED });
  bench.a.onTurn('slow', { text: 'Worked slowly, in many words.', usage: USED, chunkSize: 4, pauseAfter: 1 });
  for (let i = 0; i < 5; i += 1) await start('free', { input: 'work' });
});
afterAll(() => bench?.stop());

async function start(who: string, body: object, headers = {}) {
  const { status, body: answer } = await clients[who]!.request<Body>('POST', '/runs', body, headers);
  return { status, answer };
}

const runOf = async (who: string, runId: string) => (await clients[who]!.request<Body>('GET', `/runs/${runId}`)).body;
const ASYNC = { prefer: 'respond-async' };

/** Starts a run that waits for its question, and gives the answer after `beforeAnswer`. Resolves with the question and the ended run. */
async function answerQuestion(answer: string, beforeAnswer = async () => {}) {
  const { runId } = (await start('asker', { input: 'work', clarify: 'wait' }, ASYNC)).answer;
  const list = () =>
    clients['asker']!.request<PageBody<{ requestId: string; runId: string; question: string }>>('GET', '/clarifications?status=pending');
  const asked = await until(async () => (await list()).body.data.find(row => row.runId === runId));
  expect((await runOf('asker', runId)).status).toBe('waiting');
  await beforeAnswer();
  const calls = bench.a.requests('work').length;
  await clients['asker']!.request('POST', `/clarifications/${asked?.requestId}`, { answer });
  const ended = await until(
    () => runOf('asker', runId),
    ({ status }) => status !== 'waiting' && status !== 'running',
  );
  return { question: asked?.question, status: ended.status, calls: bench.a.requests('work').length - calls };
}

it('[R] asks a person before a run that will likely cost more than askAboveUsd, and works only after a yes', async () => {
  expect(await answerQuestion('Stop')).toEqual({ question: expect.stringContaining('likely cost $0.50'), status: 'cancelled', calls: 0 });
  expect(await answerQuestion('Continue')).toMatchObject({ status: 'completed', calls: 1 });
});

it('[R] asks once, also when the gateway is killed while the question waits', async () => {
  expect(await answerQuestion('1', () => bench.gateway.restart())).toMatchObject({ status: 'completed', calls: 1 });
  const { body } = await clients['asker']!.request<PageBody<object>>('GET', '/clarifications?status=pending');
  expect(body.data).toEqual([]);
});

it('[R] refuses such a run where nobody can be asked, unless its request names the most that it may cost', async () => {
  const { status, answer } = await start('asker', { input: 'work' });
  expect([status, answer.error]).toMatchObject([
    403,
    { code: 'price_not_agreed', details: { costUsd: { p50: 0.5, p90: 0.5 }, askAboveUsd: 0.2, setting: 'askAboveUsd' } },
  ]);
  expect((await start('asker', { input: 'work', limits: { maxCostUsd: 1 } })).answer.status).toBe('completed');
  expect((await start('free', { input: 'work' })).answer.status).toBe('completed');
});

it('[R] reserves in the budget of the day what a run will likely cost, and gives it back when the run ends', async () => {
  const slow = (await start('saver', { input: 'slow' }, ASYNC)).answer;
  await bench.a.waitFor('slow');
  const refused = await start('saver', { input: 'work' });
  expect([refused.status, refused.answer.error]).toMatchObject([
    429,
    { code: 'quota_exceeded', details: { scope: 'key', limit: 'costPerDayUsd', needed: 0.5, left: 0.3 } },
  ]);
  await clients['saver']!.request('POST', `/runs/${slow.runId}/cancel`);
  // The reservation of a run does not count against the run itself.
  expect((await start('saver', { input: 'work' })).answer.status).toBe('completed');
  // Alone, a run starts while something is left.
  expect((await start('saver', { input: 'work' })).answer.status).toBe('completed');
  expect((await start('saver', { input: 'work' })).answer.error.code).toBe('quota_exceeded');
});
