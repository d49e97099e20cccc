/** Two gateways on one store: a run ends when the gateway at which its caller waits dies, wherever the run is. */
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import type { RestClient } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;
let dying: Gateway;
let rest: RestClient;

beforeAll(async () => {
  bench = await startBench({ own: 'another gateway shares its data' });
  const { dataDir, workspace } = bench.gateway;
  const env = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_DATA_DIR: dataDir, NETA_WORKSPACE: workspace };
  dying = await startGateway({ env });
  rest = bench.rest;
});

afterAll(async () => {
  await dying?.stop();
  await bench?.stop();
});

/** Holds a session busy at the gateway that stays. */
async function holdSession(text: string): Promise<string> {
  bench.model.onTurn(text, { text: 'It holds the session.', chunkSize: 4, pauseAfter: 1 });
  const { body } = await rest.request<{ sessionId: string }>('POST', '/runs', { input: text }, { prefer: 'respond-async' });
  await bench.model.waitFor(text);
  return body.sessionId;
}

/** Waits at the gateway that dies. */
const ask = (sessionId: string, content: string) =>
  fetch(`${dying.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': sessionId },
    body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content }] }),
  }).then(
    answer => answer.status,
    () => 'lost',
  );

const statusOf = async (sessionId: string, text: string) => {
  const { body } = await rest.request<{ data: { input: string; status: string }[] }>('GET', `/runs?sessionId=${sessionId}`);
  return body.data.find(run => run.input === text)?.status;
};

async function waitForStatus(sessionId: string, text: string, wanted: string): Promise<string | undefined> {
  return until(
    () => statusOf(sessionId, text),
    status => status === wanted,
    { limitMs: 30_000 },
  );
}

it('cancels what only a caller of the dead gateway waits for, in the queue and at the gateway that executes it', async () => {
  const { model } = bench;
  model.onTurn('moves over', { text: 'Nobody hears this.', chunkSize: 4, pauseAfter: 1 });
  model.onTurn('waits in the queue', 'never asked');
  const executed = await holdSession('first holder');
  const moved = ask(executed, 'moves over');
  expect(await waitForStatus(executed, 'moves over', 'queued')).toBe('queued');
  model.resume();
  // The gateway of the first run starts the next one of its session.
  const call = await model.waitFor('moves over');
  const queued = await holdSession('second holder');
  const waiting = ask(queued, 'waits in the queue');
  expect(await waitForStatus(queued, 'waits in the queue', 'queued')).toBe('queued');
  await dying.kill();
  expect(await Promise.all([moved, waiting])).toEqual(['lost', 'lost']);
  expect(await waitForStatus(executed, 'moves over', 'cancelled')).toBe('cancelled');
  expect(await waitForStatus(queued, 'waits in the queue', 'cancelled')).toBe('cancelled');
  expect(await call.ended).toBe('hung_up');
  expect(model.requests('waits in the queue')).toEqual([]);
  expect(await statusOf(queued, 'second holder')).toBe('running');
}, 90_000);
