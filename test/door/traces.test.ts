/** Traces over OTLP: spans of runs, model calls, tools, MCP calls, waits, child runs and compactions, over kill -9 and without a receiver. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { startGateway } from '../support/gateway';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp_receiver';
import { startTracedMcpServer, type TracedMcpServer } from '../support/traced_mcp_server';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, tracestate: 'vendor=abc' };
const [INTERNAL, CLIENT] = [1, 3];

let bench: AgentBench;
let config: McpConfig;
let server: TracedMcpServer;
let receiver: OtlpReceiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTracedMcpServer(`key ${MODEL_KEY}`), startOtlpReceiver()]);
  config = await createMcpConfig({ traced: { url: server.url, effect: 'read' } });
  await writeFile(join(config.directory, 'agents/lead.yaml'), 'name: lead\nmembers: [default]\n');
  bench = await startBench({
    env: {
      NETA_CONFIG_DIR: config.directory,
      NETA_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ops%20team',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      NETA_CONTEXT_TOKENS: '20000',
    },
  });
  await waitForServers(bench.rest, rows => rows['traced']?.state === 'connected');
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), receiver?.stop()]);
});

const isRun = (runId: string) => (span: ReceivedSpan) => span.name.startsWith('invoke_agent') && span.attributes['neta.run.id'] === runId;
/** Name of each span with the name of its parent; that of the caller is `caller`. */
const treeOf = (spans: readonly ReceivedSpan[]) =>
  spans.map(({ name, parentSpanId }) => {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? (parentSpanId === '' ? 'none' : 'caller');
    return `${name} < ${parent}`;
  });
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find(span => span.name === name);
  if (!found) throw new Error(`there is no ${name} in ${spans.map(span => span.name).join(', ')}`);
  return found;
};

it('shows a run with its model calls, tools and MCP calls in the trace of the caller', async () => {
  bench.model.onTurn('where is it', { toolCalls: [{ name: 'traced__where' }] }, 'There.');
  const { body } = await bench.rest.request<{ runId: string; sessionId: string }>('POST', '/runs', { input: 'where is it' }, CALLER);
  const spans = await receiver.traceWith(isRun(body.runId));
  expect(treeOf(spans).sort()).toEqual([
    'chat gpt-5-mini < invoke_agent default',
    'chat gpt-5-mini < invoke_agent default',
    'execute_tool traced__where < invoke_agent default',
    'invoke_agent default < caller',
    'neta.assemble_tools < invoke_agent default',
    'tools/call where < execute_tool traced__where',
  ]);
  expect(spans.every(({ traceId }) => traceId === TRACE_ID)).toBe(true);
  const run = named(spans, 'invoke_agent default');
  expect(run).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: INTERNAL, isFailed: false });
  expect(run.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': body.sessionId,
    'neta.door': 'rest',
    'neta.run.outcome': 'completed',
  });
  const chat = named(spans, 'chat gpt-5-mini');
  expect(chat).toMatchObject({ kind: CLIENT, events: [{ name: 'neta.first_chunk' }] });
  expect(chat.attributes).toMatchObject({ 'gen_ai.provider.name': 'openai-compatible', 'gen_ai.usage.input_tokens': expect.any(Number) });
  expect(chat.startMs).toBeGreaterThanOrEqual(run.startMs);
  expect(chat.endMs).toBeLessThanOrEqual(run.endMs + 2);
  // The servers get the spans of the calls as their parents.
  const sent = bench.model.requests('where is it').map(({ headers }) => headers['traceparent']);
  const chats = spans.filter(({ name }) => name.startsWith('chat')).map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`);
  expect(sent).toEqual(chats);
  expect(server.calls.at(-1)?.headers).toEqual({
    traceparent: `00-${TRACE_ID}-${named(spans, 'tools/call where').spanId}-01`,
    tracestate: 'vendor=abc',
  });
  expect(JSON.stringify(spans)).not.toMatch(/where is it|There\./);
  const { path, headers, resource } = receiver.requests[0] ?? {};
  expect([path, headers?.['x-team']]).toEqual(['/v1/traces', 'ops team']);
  expect(resource).toMatchObject({ 'service.name': 'neta-gateway', 'service.version': expect.any(String) });
});

it('shows waits for a person, errors of a model with their retries, and cancelled runs, each in a trace of its own', async () => {
  bench.model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which?' } }] }, 'Good.');
  bench.model.onTurn('flaky', { error: { status: 500, message: 'no' }, times: 1 });
  bench.model.onTurn('flaky', 'Fine now.');
  bench.model.onTurn('refused', { error: { status: 400, message: 'no' } });
  bench.model.onTurn('endless', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  const client = await bench.connect();
  const asking = await client.chat('ask me');
  const { data: question } = await client.waitFor('clarify_request');
  await client.send({ type: 'clarify_response', sessionId: asking.sessionId, requestId: question.requestId, answer: 'this' });
  const asked = await receiver.traceWith(isRun(asking.runId));
  expect(treeOf(asked)).toContain('neta.wait_human < execute_tool clarify');
  expect(named(asked, 'neta.wait_human').attributes).toMatchObject({ 'neta.wait.outcome': 'answered', 'neta.wait.kind': 'clarification' });

  const flaky = await receiver.traceWith(isRun((await client.chat('flaky')).runId));
  expect(named(flaky, 'chat gpt-5-mini').events.map(({ name }) => name)).toEqual(['neta.retry', 'neta.first_chunk']);

  const refused = await receiver.traceWith(isRun((await client.chat('refused')).runId));
  for (const name of ['chat gpt-5-mini', 'invoke_agent default']) {
    expect(named(refused, name)).toMatchObject({ isFailed: true, attributes: { 'error.type': 'model_refused' } });
  }

  const endless = await client.chat('endless');
  await client.waitForText(endless.runId, 'on');
  await client.send({ type: 'cancel', runId: endless.runId });
  const cancelled = await receiver.traceWith(isRun(endless.runId));
  expect(named(cancelled, 'invoke_agent default')).toMatchObject({ isFailed: false, attributes: { 'neta.run.outcome': 'cancelled' } });
  expect(new Set([asked, flaky, refused, cancelled].map(([first]) => first?.traceId)).size).toBe(4);
});

it('names a tool that a model made up as metrics do', async () => {
  bench.model.onTurn('odd call', { toolCalls: [{ name: `sk_made_up_${'x'.repeat(500)}` }] }, 'No such tool.');
  const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'odd call' });
  const spans = await receiver.traceWith(isRun(body.runId));
  expect(treeOf(spans)).toContain('execute_tool other < invoke_agent default');
  expect(JSON.stringify(spans)).not.toContain('sk_made_up');
});

it('shows a child run below the call that delegated it', async () => {
  const task = 'look into the barn';
  bench.model.onTurn('lead them', { toolCalls: [{ name: 'delegate_task', arguments: { task } }] }, 'Done.');
  bench.model.onTurn(task, 'Hay.');
  const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'lead them', agent: 'lead' });
  const spans = await receiver.traceWith(isRun(body.runId));
  expect(treeOf(spans)).toEqual(
    expect.arrayContaining([
      'invoke_agent lead < none',
      'execute_tool delegate_task < invoke_agent lead',
      'invoke_agent default < execute_tool delegate_task',
      'chat gpt-5-mini < invoke_agent default',
    ]),
  );
});

it('shows a compaction with its model call', async () => {
  bench.model.onTurn(/^story/, 'A long tale. '.repeat(900));
  bench.model.onTurn(({ toolNames }) => toolNames.length === 0, 'A summary of it all.');
  const { body: first } = await bench.rest.request<{ sessionId: string }>('POST', '/runs', { input: 'story one' });
  const { sessionId } = first;
  let span: ReceivedSpan | undefined;
  for (let i = 0; i < 8 && !span; i++) {
    const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: `story ${i}`, sessionId });
    const spans = await receiver.traceWith(isRun(body.runId));
    span = spans.find(({ name }) => name === 'neta.compact');
    if (span)
      expect(treeOf(spans)).toEqual(expect.arrayContaining(['neta.compact < invoke_agent default', 'chat gpt-5-mini < neta.compact']));
  }
  expect(span?.attributes).toMatchObject({ 'neta.compact.before_tokens': expect.any(Number) });
});

it('goes on with the same trace and the same span of the run after kill -9', async () => {
  bench.model.onTurn(
    'stay',
    { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] },
    { text: 'one two three', chunkSize: 4, pauseAfter: 1 },
  );
  const client = await bench.connect();
  const { runId, sessionId } = await client.chat('stay');
  await client.waitForText(runId, 'one ');
  const before = await receiver.traceWith(
    ({ attributes }) => attributes['neta.run.id'] === runId && attributes['gen_ai.tool.name'] === 'list_dir',
  );
  await bench.gateway.restart();
  const again = await bench.connect();
  await again.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  await again.waitForText(runId, 'one ');
  bench.model.resume();
  const spans = await receiver.traceWith(isRun(runId));
  expect(named(spans, 'invoke_agent default').attributes['neta.run.resumed']).toBe(true);
  expect(treeOf(spans)).toContain('execute_tool list_dir < invoke_agent default');
  expect(spans.length).toBeGreaterThan(before.length);
});

it('keeps no trace that its caller does not sample, and sends the decision on', async () => {
  bench.model.onTurn('unsampled', 'Yes.');
  const traceparent = `00-${'ab'.repeat(16)}-00f067aa0ba902b7-00`;
  await bench.rest.request('POST', '/runs', { input: 'unsampled' }, { traceparent });
  bench.model.onTurn('sampled later', 'Yes.');
  const { body } = await bench.rest.request<{ runId: string }>('POST', '/runs', { input: 'sampled later' });
  await receiver.traceWith(isRun(body.runId));
  expect(receiver.spans.filter(({ traceId }) => traceId === 'ab'.repeat(16))).toEqual([]);
  expect(bench.model.requests('unsampled')[0]?.headers['traceparent']).toMatch(/^00-(ab){16}-[0-9a-f]{16}-00$/);
});

it('has contents without secrets when the operator asks for them', async () => {
  const env = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_OTLP_ENDPOINT: `${receiver.url}/` };
  const gateway = await startGateway({
    env: { ...env, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true', OTEL_SERVICE_NAME: 'other' },
    files: { 'notes.txt': `the key is ${MODEL_KEY}` },
  });
  try {
    bench.model.onTurn('read the notes', { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }, 'I have read them.');
    const answer = await fetch(`${gateway.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: `read the notes, not ${MODEL_KEY}` }),
    });
    const { runId } = (await answer.json()) as { runId: string };
    // A gateway that stops sends what is left.
    await gateway.terminate();
    const spans = await receiver.traceWith(isRun(runId));
    const { attributes } = named(spans, 'execute_tool read_file');
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"path":"notes.txt"}');
    expect(attributes['gen_ai.tool.call.result']).toContain('the key is [redacted]');
    expect(JSON.stringify(spans)).toContain('I have read them.');
    expect(JSON.stringify(spans)).toContain('not [redacted]');
    expect(JSON.stringify(spans)).not.toContain(MODEL_KEY);
    expect(receiver.requests.at(-1)?.resource).toMatchObject({ 'service.name': 'other' });
  } finally {
    await gateway.stop();
  }
});

it('answers as quickly when the receiver is dead, and says so once', async () => {
  const dead = await startOtlpReceiver();
  await dead.stop();
  const env = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: MODEL_KEY, NETA_OTLP_ENDPOINT: dead.url };
  const gateway = await startGateway({ env });
  try {
    bench.model.onTurn('anybody there', 'Yes.');
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${gateway.url}/api/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'anybody there' }),
      });
      expect(await answer.json()).toMatchObject({ status: 'completed' });
    }
    await gateway.terminate();
    expect(gateway.output().match(/the receiver of traces does not take spans/g)).toHaveLength(1);
  } finally {
    await gateway.stop();
  }
});
