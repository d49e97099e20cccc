/** The first model call of a run is sent while its message is being stored. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MAX_CONCURRENT_RUNS: '1' }, failpoints: true });
  bench.model.onTurn('quick', 'quick answer');
});

afterAll(() => bench?.stop());

it('asks the model while the message is being stored, and shows nothing of the answer before the message is stored', async () => {
  const client = await bench.connect();
  // The first call of all loads the client of the model.
  await client.endOf((await client.chat('quick start')).runId);
  // The commit takes a second.
  await bench.gateway.arm('run_begun=delay:1000');
  const order: string[] = [];
  const asked = bench.model.waitFor('quick one').then(() => order.push('asked'));
  const accepted = client.chat('quick one');
  const stored = accepted.then(() => order.push('stored'));
  await Promise.all([asked, stored]);
  expect(order).toEqual(['asked', 'stored']);
  const { runId } = await accepted;
  expect((await client.endOf(runId)).data).toMatchObject({ status: 'completed', text: 'quick answer' });
  const types = client.eventsOf(runId).map(event => event.type);
  expect(types[0]).toBe('run_start');
});

it.each(['socketio', 'rest'])('keeps no trace and frees the slot when a message cannot be stored (%s)', async door => {
  const sessions = async () => (await bench.rest.request<PageBody<unknown>>('GET', '/sessions')).body.data;
  const before = await sessions();
  const client = await bench.connect();
  await bench.gateway.arm('run_begun=fail');
  const refused =
    door === 'rest'
      ? (await bench.rest.request('POST', '/runs', { input: 'quick one' })).body
      : await client.send({ type: 'chat', text: 'quick one' });
  expect(refused).toMatchObject({ error: { code: 'store_unavailable' } });
  expect(await sessions()).toEqual(before);
  const { runId } = await client.chat('quick two');
  expect((await client.endOf(runId)).data.text).toBe('quick answer');
});
