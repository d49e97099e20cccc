/** Two gateways on one data directory: callers and readers at either one get the end of a run, whichever executes it. */
import type { RunResult } from '../../src/service/run_log/run_service';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, parseEventStream, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;
let second: Gateway;
let secondRest: RestClient;

beforeAll(async () => {
  bench = await startBench({ own: 'another gateway shares its data' });
  const { dataDir, workspace } = bench.gateway;
  const model = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY };
  second = await startGateway({ env: { ...model, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace } });
  secondRest = createRestClient(second.url);
  bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('quick', request => `answer to ${request.userText}`);
  bench.model.onTurn('endless', { text: 'It never ends.', chunkSize: 4, pauseAfter: 1 });
});

afterAll(async () => {
  await second?.stop();
  await bench?.stop();
});

async function startSlowRun(text: string): Promise<{ runId: string; sessionId: string }> {
  const { body } = await bench.rest.request<{ runId: string; sessionId: string }>(
    'POST',
    '/runs',
    { input: text },
    { prefer: 'respond-async' },
  );
  await bench.model.waitFor(text);
  return body;
}

it('ends waiting calls and event streams at one gateway with the run of the other', async () => {
  const { sessionId } = await startSlowRun('slow one');
  const waiting = Promise.all(['quick one', 'quick two', 'quick three'].map(input => secondRest.run({ input, sessionId })));
  const stream = secondRest.stream('POST', '/runs', { input: 'quick four', sessionId });
  const queued = () => bench.rest.request<{ data: unknown[] }>('GET', `/runs?sessionId=${sessionId}&status=queued`);
  await until(async () => (await queued()).body.data.length >= 4);
  bench.model.resume();
  const results = await waiting;
  expect(results.map(({ status, body }) => [status, body.status, body.text])).toEqual(
    ['quick one', 'quick two', 'quick three'].map(input => [200, 'completed', `answer to ${input}`]),
  );
  const events = await stream;
  expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'answer to quick four' } });
});

it('delivers every event of a run of the other gateway to an event stream that was open before', async () => {
  const { runId } = await startSlowRun('slow two');
  const response = await fetch(`${second.url}/api/v1/runs/${runId}/events`, { headers: { accept: 'text/event-stream' } });
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    // The first bytes have arrived, so the reader is subscribed; only now the run continues.
    if (text === '') bench.model.resume();
    text += decoder.decode(piece, { stream: true });
  }
  const events = parseEventStream(text);
  expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { text: 'slow but done' } });
});

it('cancels a run of the other gateway and returns', async () => {
  const { runId } = await startSlowRun('endless');
  const cancelled = await secondRest.request<RunResult>('POST', `/runs/${runId}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
});

it('ends waiting calls and event streams when the other gateway deletes the session', async () => {
  const { runId, sessionId } = await startSlowRun('endless deletion');
  const cancel = secondRest.request('POST', `/runs/${runId}/cancel`);
  const stream = secondRest.stream('GET', `/runs/${runId}/events`);
  expect((await bench.rest.request('DELETE', `/sessions/${sessionId}`)).status).toBe(204);
  expect([200, 404]).toContain((await cancel).status);
  await stream;
});
