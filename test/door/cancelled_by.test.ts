/** The log of a cancelled run says who cancelled it, over each door, and says nothing when its caller left. */
import { connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

interface StartedRun {
  runId: string;
  sessionId: string;
}
interface End {
  type: string;
  data: { status?: string; by?: string };
}

let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
let chief: PersonClient;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: 'seven green umbrellas' });
};
const start = async (client: PersonClient, input: string, more: object = {}) =>
  (await client.request<StartedRun>('POST', '/runs', { input, clarify: 'wait', ...more }, { prefer: 'respond-async' })).body;

/** Starts a run of Anna that waits for her, in a chat of which Ben is a driver. */
async function startShared(): Promise<StartedRun> {
  const run = await start(anna, 'ask me');
  await anna.request('POST', `/sessions/${run.sessionId}/participants`, { person: '@ben', role: 'driver' });
  await until(async () => (await anna.request<{ status: string }>('GET', `/runs/${run.runId}`)).body.status === 'waiting');
  return run;
}

/** Resolves with what the log and the row of the run say at its end. */
async function endOf(runId: string) {
  const read = async () => (await anna.request<PageBody<End>>('GET', `/runs/${runId}/events?limit=100`)).body.data.at(-1);
  const end = await until(read, event => event?.type === 'run_end');
  const { body } = await anna.request<{ status: string; cancelledBy?: string }>('GET', `/runs/${runId}`);
  return { status: end?.data.status, by: end?.data.by, row: [body.status, body.cancelledBy] };
}
const cancelledBy = (name: string | undefined) => ({ status: 'cancelled', by: name, row: ['cancelled', name] });

beforeAll(async () => {
  keys = await startKeyBench();
  const { model } = keys.bench;
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which cellar?' } }] }, 'Thank you.');
  model.onTurn('look around', 'The cellar is green.');
  model.onTurn('say it slowly', { text: 'The cellar is green.', chunkSize: 4, pauseAfter: 1 });
  [anna, ben, chief] = [await invite('anna', 'member'), await invite('ben', 'member'), await invite('chief', 'admin')];
});
afterAll(() => keys?.bench.stop());

const DOORS: [string, string, (run: StartedRun) => Promise<unknown>][] = [
  ['REST', '@ben', ({ runId }) => ben.request('POST', `/runs/${runId}/cancel`)],
  [
    'the socket',
    '@ben',
    async ({ runId }) => {
      const chat = await connectChat(keys.url, {}, ben.headers);
      await chat.send({ type: 'cancel', runId });
      chat.close();
    },
  ],
  [
    'A2A',
    '@ben',
    ({ runId: id }) =>
      ben.request('POST', '//a2a', { jsonrpc: '2.0', id: 1, method: 'CancelTask', params: { id } }, { 'a2a-version': '1.0' }),
  ],
  ['the operator pages', '@chief', ({ runId }) => chief.request('POST', `/ops/runs/${runId}/cancel`, {})],
  ['a message that interrupts', '@ben', ({ sessionId }) => start(ben, 'look around', { sessionId, onBusy: 'interrupt' })],
];

it.each(DOORS)('[R] over %s the end of a run names %s, who cancelled it', async (_door, name, cancel) => {
  const run = await startShared();
  await cancel(run);
  expect(await endOf(run.runId)).toEqual(cancelledBy(name));
});

it('[R] a run that is cancelled in the queue names who did it', async () => {
  const { runId, sessionId } = await startShared();
  const queued = await start(anna, 'look around', { sessionId });
  await ben.request('POST', `/runs/${queued.runId}/cancel`);
  expect(await endOf(queued.runId)).toEqual(cancelledBy('@ben'));
  await anna.request('POST', `/runs/${runId}/cancel`);
  expect(await endOf(runId)).toEqual(cancelledBy('@anna'));
});

it('[R] a run that ends because its caller left names nobody', async () => {
  const leaves = new AbortController();
  const body = JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'say it slowly' }] });
  const headers = { ...anna.headers, 'content-type': 'application/json' };
  const lost = fetch(`${keys.url}/v1/chat/completions`, { method: 'POST', headers, body, signal: leaves.signal }).catch(() => 'lost');
  await keys.bench.model.waitFor('say it slowly');
  leaves.abort();
  expect(await lost).toBe('lost');
  const { body: found } = await anna.request<PageBody<StartedRun & { input: string }>>('GET', '/runs');
  const runId = found.data.find(({ input }) => input === 'say it slowly')?.runId ?? '';
  expect(await endOf(runId)).toEqual(cancelledBy(undefined));
});
