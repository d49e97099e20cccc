/** Two gateways on one data directory: one is paused in the middle of a run, the other acquires the run, and the first wakes up again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

const TAKEOVER_LIMIT_MS = 20_000;

let bench: AgentBench;
let second: Gateway | undefined;

beforeAll(async () => {
  bench = await startBench({ own: 'it is killed' });
  const count = (name: string) => ({ toolCalls: [{ name: 'bash', arguments: { command: `echo ${name} >> counter.txt` } }] });
  bench.model.onTurn('job', count('one'), { ...count('two'), pauseAfter: 0, times: 1 });
  bench.model.onTurn('job', count('one'), count('two'), 'The job is done.');
  bench.model.onTurn('go on', 'on it goes');
});

afterAll(async () => {
  await second?.stop();
  await bench?.stop();
});

it('lets the second gateway acquire the run in time, and the paused one writes nothing and runs no tool when it wakes up', async () => {
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('job');
  await client.waitFor('tool_call_end');
  await until(() => bench.model.requests('job').length === 2);
  // It starts before the pause: the limit is for the takeover alone.
  second = await startGateway({
    env: {
      NETA_DATA_DIR: bench.gateway.dataDir,
      NETA_WORKSPACE: bench.gateway.workspace,
      OPENAI_BASE_URL: bench.model.baseUrl,
      OPENAI_API_KEY: 'none',
    },
  });
  const paused = bench.gateway.pid;
  process.kill(paused, 'SIGSTOP');
  try {
    const startedAt = performance.now();
    await until(() => bench.model.requests('job').length === 3);
    expect(performance.now() - startedAt).toBeLessThan(TAKEOVER_LIMIT_MS);
  } finally {
    process.kill(paused, 'SIGCONT');
  }
  const rest = createRestClient(second.url);
  const events = await rest.stream('GET', `/runs/${runId}/events`);
  expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: 'The job is done.' } });

  // The model now answers the paused gateway and asks for a tool.
  const [, answer] = bench.model.requests('job');
  bench.model.resume();
  await answer?.ended;
  // The gateway is awake: it answers and accepts the next message.
  expect((await bench.rest.run({ input: 'go on', sessionId })).body).toMatchObject({ status: 'completed', text: 'on it goes' });
  expect(await readFile(join(bench.gateway.workspace, 'counter.txt'), 'utf8')).toBe('one\ntwo\n');
  expect(await rest.stream('GET', `/runs/${runId}/events`)).toEqual(events);
  expect(await bench.rest.stream('GET', `/runs/${runId}/events`)).toEqual(events);
  const history = await rest.history(sessionId);
  expect(history.map(message => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
}, 60_000);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 20));
}
