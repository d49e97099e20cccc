/**
 * CPU that the observer and the metrics cost a turn with list_dir, read_file and an answer of 200 tokens: what such a turn tells them is told again and
 * again, to an observer with and without metrics. Needs a build. Usage: node bench/metrics/run.mjs [turns]
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const load = path => require(`../../dist/src/${path}`);
const { createSystemClock } = load('adapter/local/node/clock.js');
const { createObserver } = load('adapter/local/node/observer.js');
const { MetricsCollector } = load('feature/telemetry/metrics_collector.js');

const TURNS = Number(process.argv[2] ?? 50_000);
const ROUNDS = 7;
/** Transactions of a turn, and those that store events: more than a turn of test/counts has. */
const TRANSACTIONS = 10;
const TOKENS = 200;

const clock = createSystemClock();
const onError = (message, thrown) => {
  throw new Error(message, { cause: thrown });
};
const model = { model: 'default', serverModel: 'm', provider: 'openai', tools: 18, isSummary: false, messages: [] };
const usage = { inputTokens: 2_000, outputTokens: 60, cachedTokens: 1_500, costUsd: 0.001 };

function callModel(observer, run) {
  const work = observer.begin('model_call', { run, ...model });
  void work.trace;
  work.mark({ type: 'first_chunk' });
  work.end({ usage, finishReason: 'stop' });
}

function callTool(observer, run, tool) {
  const begun = {
    run,
    tenantId: 'default',
    toolCallId: 'call_1',
    tool,
    toolset: 'base',
    origin: 'builtin',
    isCacheable: true,
    isRepaired: false,
  };
  const ended = { outcome: 'ok', resultBytes: 500, isTruncated: false, retries: 0, isFromCache: false, details: {} };
  observer.begin('tool_call', begun).end(ended);
}

function tellTurn(observer, sentEvents, turn) {
  const run = { runId: `run_${turn}`, sessionId: 'ses_1', tenantId: 'default', door: 'socketio', agent: 'default' };
  observer.note({ type: 'socket_message', message: 'chat' });
  observer.begin('tool_choice', { run }).end({ tools: 18 });
  const work = observer.begin('run', { run, acceptedAt: 0, startedAt: 1, isResumed: false });
  callModel(observer, run);
  callTool(observer, run, 'list_dir');
  callModel(observer, run);
  callTool(observer, run, 'read_file');
  callModel(observer, run);
  for (let i = 0; i < TRANSACTIONS; i += 1) {
    observer.note({ type: 'transaction', durationMs: 2, ok: true });
    observer.note({ type: 'events_stored', count: 3 });
  }
  work.end({ status: 'completed', usage });
  if (sentEvents) for (let i = 0; i < TOKENS; i += 1) sentEvents.set('text_delta', (sentEvents.get('text_delta') ?? 0) + 1);
}

/** Microseconds of CPU per turn. */
function measure(hasMetrics) {
  const observer = createObserver({ clock, onError });
  const sources = { clock, onError, hasModel: () => true, findTool: () => undefined };
  const sentEvents = hasMetrics ? new Map() : undefined;
  if (hasMetrics) observer.listen(new MetricsCollector(sources).listener);
  for (let turn = 0; turn < 5_000; turn += 1) tellTurn(observer, sentEvents, turn);
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn += 1) tellTurn(observer, sentEvents, turn);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TURNS;
}

const median = values => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounds = Array.from({ length: ROUNDS }, () => ({ blind: measure(false), metrics: measure(true) }));
for (const kind of ['blind', 'metrics']) console.log(`${kind}: ${median(rounds.map(round => round[kind])).toFixed(1)} µs of CPU per turn`);
