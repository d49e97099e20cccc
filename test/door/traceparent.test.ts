/** The trace of a caller: stored with the run, kept over kill -9, and sent on to models, MCP servers, child runs and webhooks. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { startTracedMcpServer, type TracedMcpServer } from '../support/traced_mcp_server';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, tracestate: 'vendor=abc' };
const SENT_ON = { traceparent: expect.stringMatching(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`), tracestate: 'vendor=abc' };
const NONE = { traceparent: undefined, tracestate: undefined };

let bench: AgentBench;
let config: McpConfig;
let server: TracedMcpServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTracedMcpServer(), startWebhookReceiver()]);
  config = await createMcpConfig({ traced: { url: server.url, effect: 'read' } });
  await writeFile(join(config.directory, 'agents/lead.yaml'), 'name: lead\nmembers: [default]\n');
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory, NETA_WEBHOOK_ALLOW: new URL(receiver.url).host } });
  await waitForServers(bench.rest, rows => rows['traced']?.state === 'connected');
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), receiver?.stop()]);
});

/** The traces of the model calls for a message, in order. */
const modelTraces = (text: string) =>
  bench.model.requests(text).map(({ headers: { traceparent, tracestate } }) => ({ traceparent, tracestate }));
const spansOf = (traces: { traceparent: unknown }[]) => new Set(traces.map(({ traceparent }) => traceparent));

it('sends the trace of a REST request on to the model and to MCP servers, each time with a span of its own', async () => {
  bench.model.onTurn('where over rest', { toolCalls: [{ name: 'traced__where' }] }, 'There.');
  const { body } = await bench.rest.request<{ status: string }>('POST', '/runs', { input: 'where over rest' }, CALLER);
  expect(body.status).toBe('completed');
  const traces = modelTraces('where over rest');
  expect(traces).toEqual([SENT_ON, SENT_ON]);
  const call = server.calls.at(-1);
  expect(call?.message).toEqual(SENT_ON);
  expect(call?.headers).toEqual(call?.message);
  expect(spansOf([...traces, ...(call ? [call.message] : [])]).size).toBe(3);
});

it.each([{}, { traceparent: 'invalid', tracestate: 'vendor=abc' }])('sends no trace when the caller names %j', async headers => {
  const text = `nowhere ${JSON.stringify(headers)}`;
  bench.model.onTurn(text, { toolCalls: [{ name: 'traced__where' }] }, 'There.');
  await bench.rest.request('POST', '/runs', { input: text }, headers as Record<string, string>);
  expect(modelTraces(text)).toEqual([NONE, NONE]);
  expect(server.calls.at(-1)).toEqual({ message: NONE, headers: NONE });
});

it('takes the trace of a chat message', async () => {
  bench.model.onTurn('chat with a trace', 'Yes.');
  bench.model.onTurn('chat with a bad trace', 'Yes.');
  const client = await bench.connect();
  for (const [text, trace] of [
    ['chat with a trace', CALLER],
    ['chat with a bad trace', { traceparent: 'x'.repeat(5_000) }],
  ] as const) {
    await client.endOf((await client.chat(text, trace)).runId);
  }
  expect(modelTraces('chat with a trace')).toEqual([SENT_ON]);
  expect(modelTraces('chat with a bad trace')).toEqual([NONE]);
});

it.each([
  ['/v1/chat/completions', { model: 'default', messages: [{ role: 'user', content: 'over /v1/chat/completions' }] }],
  ['/v1/responses', { model: 'default', input: 'over /v1/responses' }],
  ['/agui/default', { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'over /agui/default' }] }],
])('takes the trace of a request to %s', async (path, body) => {
  bench.model.onTurn(`over ${path}`, 'Yes.');
  const answer = await fetch(bench.gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...CALLER },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  expect(modelTraces(`over ${path}`)).toEqual([SENT_ON]);
});

it('gives child runs the trace of their parent', async () => {
  const task = 'find the well';
  bench.model.onTurn('ask the crew', { toolCalls: [{ name: 'delegate_task', arguments: { task } }] }, 'Done.');
  bench.model.onTurn(task, 'Behind the house.');
  await bench.rest.request('POST', '/runs', { input: 'ask the crew', agent: 'lead' }, CALLER);
  expect(modelTraces(task)).toEqual([SENT_ON]);
});

it('sends the trace of a direct call on', async () => {
  await bench.rest.request('POST', '/tools/call', { toolName: 'traced__where', parameters: {} }, CALLER);
  expect(server.calls.at(-1)?.message).toEqual(SENT_ON);
});

it('keeps the trace of a run over kill -9, and names it in the webhook', async () => {
  const { body: webhook } = await bench.rest.request<{ id: string }>('POST', '/webhooks', { url: receiver.url });
  bench.model.onTurn('a long answer', { text: 'one two three four', chunkSize: 4, pauseAfter: 1 });
  const client = await bench.connect();
  const { runId } = await client.chat('a long answer', CALLER);
  await client.waitForText(runId, 'one ');
  await bench.gateway.restart();
  const again = await bench.connect();
  const { sessionId } = (await bench.rest.request<{ sessionId: string }>('GET', `/runs/${runId}`)).body;
  await again.send({ type: 'subscribe', sessionId, after: { runId, seq: 0 } });
  await again.waitForText(runId, 'one ');
  bench.model.resume();
  await again.endOf(runId);
  const traces = modelTraces('a long answer');
  expect(traces).toEqual([SENT_ON, SENT_ON]);
  expect(spansOf(traces).size).toBe(2);
  const { headers } = await receiver.next();
  expect({ traceparent: headers['traceparent'], tracestate: headers['tracestate'] }).toEqual(SENT_ON);
  await bench.rest.request('DELETE', `/webhooks/${webhook.id}`);
});
