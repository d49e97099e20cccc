/** The log of the gateway: one line for each end of a run and for each refusal, faults with their stack, and no text of a person. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentBench, startBench } from '../support/agent_bench';
import { readMetrics } from '../support/metrics';
import { startOtlpReceiver } from '../support/otlp_receiver';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

let bench: AgentBench;
afterEach(() => bench.stop());

const AT_START = /commands run |limits of a command|failpoints are armed/;
/** The lines after those of the start. */
const textOf = () =>
  bench.gateway
    .output()
    .split('\n')
    .filter(line => !AT_START.test(line))
    .join('\n');
const linesIn = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));

/** Resolves with the lines once there are `count`; a line leaves the gateway after the answer to which it belongs. */
async function lines(count: number, read: () => Promise<string>) {
  for (let left = 200; left > 0; left--) {
    const found = linesIn(await read());
    if (found.length >= count) return found;
    await delay(20);
  }
  throw new Error(`too few lines:\n${await read()}`);
}

it('a log line about a run names the run and its session', async () => {
  bench = await startBench({ env: { NETA_DEBUG_POINTS: 'run_end=fail' } });
  bench.model.onTurn('hello', 'hello too');
  const { body } = await bench.rest.run({ input: 'hello' });
  expect(body.text).toBe('hello too');
  const { runId, sessionId } = body;
  expect(await lines(2, async () => textOf())).toEqual([
    {
      time: TIME,
      level: 'error',
      msg: 'the end of a run is written anew',
      runId,
      sessionId,
      requestId: expect.any(String),
      error: expect.stringMatching(/^\w*Error: .*\n\s+at /),
    },
    // The failed write has stored the end.
    expect.objectContaining({ level: 'info', msg: 'a run ended', runId, outcome: 'completed' }),
  ]);
  expect((await readMetrics(bench.gateway.url)).sum('neta_runs_total', { outcome: 'completed' })).toBe(1);
});

it('writes a line for each end of a run and each refusal, on both doors, and no text of a person or a model', async () => {
  bench = await startBench({ own: 'its log is read' });
  bench.model.onTurn('pineapple', 'mango');
  bench.model.onTurn('kumquat', { error: { status: 400, message: 'papaya' } });
  const { body: done } = await bench.rest.request<{ runId: string; sessionId: string }>(
    'POST',
    '/runs',
    { input: 'pineapple' },
    { traceparent: TRACEPARENT, 'x-request-id': 'req-0' },
  );
  const client = await bench.connect();
  const failed = await client.chat('kumquat');
  await client.endOf(failed.runId);
  const refused = await bench.rest.request<{ error: { requestId: string } }>(
    'POST',
    '/runs',
    { input: 'guava', agent: 'lychee' },
    { traceparent: TRACEPARENT, 'x-request-id': 'req-1' },
  );
  const ack = await client.send({ type: 'subscribe', sessionId: 'rambutan' });
  expect(await lines(4, async () => textOf())).toEqual([
    {
      time: TIME,
      level: 'info',
      msg: 'a run ended',
      runId: done.runId,
      sessionId: done.sessionId,
      requestId: 'req-0',
      door: 'rest',
      agent: 'default',
      traceId: TRACE_ID,
      durMs: expect.any(Number),
      outcome: 'completed',
    },
    expect.objectContaining({
      level: 'warn',
      msg: 'a run ended',
      runId: failed.runId,
      door: 'socketio',
      outcome: 'failed',
      code: 'model_refused',
    }),
    {
      time: TIME,
      level: 'info',
      msg: 'a request was refused',
      requestId: 'req-1',
      traceId: TRACE_ID,
      method: 'POST',
      status: 404,
      code: 'not_found',
    },
    expect.objectContaining({ msg: 'a message was refused', requestId: ack.error?.requestId, door: 'socketio', code: 'not_found' }),
  ]);
  expect(refused.body.error.requestId).toBe('req-1');
  expect(textOf()).not.toMatch(/pineapple|mango|kumquat|papaya|guava|lychee|rambutan/);
});

it('a line about a run names the span of the run when traces are sent, also without a trace of the caller', async () => {
  const receiver = await startOtlpReceiver();
  try {
    bench = await startBench({
      env: { NETA_OTLP_ENDPOINT: receiver.url, NETA_LOG_LEVEL: 'debug', NETA_DEBUG_POINTS: 'run_end=fail', NETA_LOG: 'json' },
    });
    bench.model.onTurn('hello', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'hello too');
    const { runId } = (await bench.rest.run({ input: 'hello' })).body;
    const found = await lines(5, async () => textOf());
    const spans = await receiver.traceWith(
      ({ name, attributes }) => name.startsWith('invoke_agent') && attributes['neta.run.id'] === runId,
    );
    const placeOf = (prefix: string) => {
      const span = spans.find(({ name }) => name.startsWith(prefix));
      return { traceId: span?.traceId, spanId: span?.spanId };
    };
    const lineWith = (msg: string) => found.find(line => line.msg === msg);
    expect(lineWith('a run ended')).toMatchObject({ runId, ...placeOf('invoke_agent') });
    expect(lineWith('the end of a run is written anew')).toMatchObject({ runId, ...placeOf('invoke_agent') });
    expect(lineWith('a tool call ended')).toMatchObject({ runId, ...placeOf('execute_tool') });
    expect(lineWith('a model call ended')).toMatchObject({ runId, ...placeOf('chat') });
  } finally {
    await receiver.stop();
  }
});

it('writes calls at the level debug, to a file too, and lines for people when asked', async () => {
  bench = await startBench({ env: { NETA_LOG: 'text', NETA_LOG_LEVEL: 'debug', NETA_LOG_FILE: 'logs/neta.log' } });
  bench.model.onTurn('list', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Nothing.');
  const { body } = await bench.rest.run({ input: 'list' });
  const file = await lines(4, () => readFile(join(bench.gateway.dataDir, 'logs/neta.log'), 'utf8'));
  expect(file.map(({ level, msg }) => [level, msg])).toEqual([
    ['debug', 'a model call ended'],
    ['debug', 'a tool call ended'],
    ['debug', 'a model call ended'],
    ['info', 'a run ended'],
  ]);
  expect(file[1]).toMatchObject({ runId: body.runId, tool: 'list_dir', outcome: 'ok' });
  expect(textOf()).toMatch(/\d\d:\d\d:\d\d {2}info {3}a run ended {2}runId=run_/);
  expect(linesIn(textOf())).toEqual([]);
});

it('writes only JSON lines beside the line with the address', async () => {
  bench = await startBench({ env: { NETA_LOG: 'json', NETA_DEBUG_POINTS: 'run_end=fail' } });
  expect(await lines(3, async () => bench.gateway.output())).toMatchObject([
    { level: expect.any(String), msg: expect.stringMatching(/commands run in a sandbox|without a sandbox/) },
    { level: 'info', msg: expect.stringContaining('limits of a command') },
    { level: 'warn', msg: expect.stringContaining('failpoints') },
  ]);
  const plain = bench.gateway
    .output()
    .trim()
    .split('\n')
    .filter(line => !line.startsWith('{'));
  expect(plain).toEqual([expect.stringMatching(/^neta-gateway is ready on http/)]);
});
