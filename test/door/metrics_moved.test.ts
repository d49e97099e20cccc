/** Every counter and histogram of /metrics that one gateway can move does so when what it counts happens. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { METRICS, type MetricName } from '../../src/feature/telemetry/metric_table';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { APPROVER, chatUntilApproval, RULES } from '../support/approval_bench';
import { delegate } from '../support/crew_bench';
import { createMcpConfig, type McpConfig, waitForServers } from '../support/mcp_servers';
import { type MetricsText, readMetrics } from '../support/metrics';
import { startTracedMcpServer, type TracedMcpServer } from '../support/traced_mcp_server';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

/** Counters that need another set-up, with the test that has one; most of these tests do not read the numbers. */
const ELSEWHERE: Partial<Record<MetricName, string>> = {
  neta_auth_failures_total: 'metrics.test.ts: the gateway needs keys',
  neta_rate_limited_total: 'limits.test.ts: the gateway needs keys with limits',
  neta_model_fallbacks_total: 'models.test.ts: the gateway needs several models',
  neta_model_cost_usd_total: 'usage.test.ts: the model of this gateway has no price',
  neta_run_cost_usd: 'usage.test.ts: the model of this gateway has no price',
  neta_model_usage_missing_total: 'usage.test.ts: this model server reports tokens',
  neta_context_compactions_total: 'traces.test.ts: the gateway needs a small context',
  neta_escalations_total: 'crew.test.ts: the gateway needs a member with the tool escalate',
  neta_push_deliveries_total: 'push.test.ts: a push service receives there',
  neta_config_reloads_total: 'models_reload.test.ts: files are changed there',
  neta_mcp_reconnects_total: 'mcp_crash.test.ts: servers crash there',
  neta_tool_retries_total: 'tool_limits.test.ts: the gateway needs a tool that fails for a moment',
  neta_metrics_series_dropped_total: 'metric_series.test.ts: the gateway would need 2,000 label sets',
};

let bench: AgentBench;
let config: McpConfig;
let server: TracedMcpServer;
let receiver: WebhookReceiver;
let before: MetricsText;
let metrics: MetricsText;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTracedMcpServer(`key ${MODEL_KEY}`), startWebhookReceiver()]);
  config = await createMcpConfig({ traced: { url: server.url, effect: 'read' } }, ['traced', 'web', 'data']);
  await writeFile(join(config.directory, 'agents/lead.yaml'), 'name: lead\nmembers: [default]\n');
  await writeFile(join(config.directory, 'approvals.yaml'), RULES);
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_WEBHOOK_ALLOW: new URL(receiver.url).host },
    files: { 'notes.txt': 'one\n', 'long.txt': 'A line of text.\n'.repeat(20_000) },
  });
  await waitForServers(bench.rest, rows => rows['traced']?.state === 'connected');
  before = await readMetrics(bench.gateway.url);
  scriptModel();
  await driveRest();
  await driveSocket();
  await receiver.next();
  await until(async () => {
    metrics = await readMetrics(bench.gateway.url);
    return moved('neta_webhook_deliveries_total') && moved('neta_ws_disconnects_total') && moved('neta_jobs_total');
  });
}, 120_000);

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), receiver?.stop()]);
});

function scriptModel(): void {
  const { model } = bench;
  const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
  const turn = (text: string, ...toolCalls: ReturnType<typeof call>[]) => model.onTurn(text, { toolCalls }, 'Done.');
  model.onTurn('plain', 'Hello.');
  model.onTurn('refused', { error: { status: 400, message: 'no' } });
  model.onTurn('busy', { error: { status: 429, message: 'later' }, times: 1 });
  model.onTurn('busy', 'Now.');
  model.onTurn('raw', `<tool_call>\n${JSON.stringify({ name: 'list_dir', arguments: { path: '.' } })}\n</tool_call>`, 'Done.');
  model.onTurn('endless', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  model.onTurn('tally', { toolCalls: [call('bash', { command: 'echo tally' })] }, 'Told.');
  turn('twice', call('read_file', { path: 'notes.txt' }), call('read_file', { path: 'notes.txt' }));
  turn('sum', call('calculator', { expression: '6*7' }), call('calculator', { expression: '6*7' }));
  turn('long', call('bash', { command: 'cat long.txt' }));
  turn('change', call('patch', { path: 'notes.txt', old_string: 'one', new_string: 'two' }));
  turn('outside', call('read_file', { path: '/etc/passwd' }));
  turn('inside the network', call('fetch_page', { url: 'http://169.254.169.254/latest' }));
  turn('where', call('traced__where'));
  turn('which', call('clarify', { question: 'Which?' }));
  model.onTurn('lead', delegate('plain task'), 'Done.');
}

async function driveRest(): Promise<void> {
  const { rest } = bench;
  await rest.request('POST', '/webhooks', { url: receiver.url });
  for (const input of ['plain', 'refused', 'busy', 'raw', 'twice', 'sum', 'long', 'change', 'outside', 'inside the network', 'where'])
    await rest.run({ input });
  const { body: led } = await rest.run({ input: 'lead', agent: 'lead' });
  await rest.request('PUT', `/runs/${led.runId}/feedback`, { rating: 'up' });
  await rest.run({ input: 'twice', limits: { maxTokens: 1 } });
  await rest.request('POST', '/runs', { input: 'plain again' }, { 'idempotency-key': 'key-1' });
  const { body: job } = await rest.request<{ id: string }>('POST', '/jobs', {
    name: 'Job',
    schedule: { everyMs: 3_600_000 },
    input: 'plain',
  });
  await rest.request('POST', `/jobs/${job.id}/run`);
}

async function driveSocket(): Promise<void> {
  const client = await bench.connect(APPROVER);
  const asked = await client.chat('which');
  const { data } = await client.waitFor('clarify_request', event => event.runId === asked.runId);
  await client.send({ type: 'clarify_response', sessionId: asked.sessionId, requestId: data.requestId, answer: 'this' });
  await client.endOf(asked.runId);
  const { sessionId, runId, requestId } = await chatUntilApproval(client, 'tally denied');
  await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny' });
  await client.endOf(runId);
  const endless = await client.chat('endless');
  await client.waitForText(endless.runId, 'on');
  await client.send({ type: 'cancel', runId: endless.runId });
  await client.endOf(endless.runId);
  const reader = await bench.connect();
  await reader.send({ type: 'subscribe', sessionId, after: { runId, seq: 1 } });
  reader.close();
}

const valueIn = (text: MetricsText, name: MetricName) => text.sum(METRICS[name].type === 'histogram' ? `${name}_count` : name);
const moved = (name: MetricName) => valueIn(metrics, name) > valueIn(before, name);

it('moves every counter and histogram', () => {
  const names = (Object.keys(METRICS) as MetricName[]).filter(name => METRICS[name].type !== 'gauge');
  expect(names.filter(name => !moved(name) && !ELSEWHERE[name])).toEqual([]);
  // A counter that moves here needs no other test.
  expect(names.filter(name => moved(name) && ELSEWHERE[name])).toEqual([]);
});

it('says how each thing ended', () => {
  const count = (name: string, labels: Record<string, string>) => metrics.sum(name, labels);
  expect(count('neta_runs_total', { outcome: 'failed' })).toBe(1);
  expect(count('neta_subagents_total', { outcome: 'completed' })).toBe(1);
  expect(count('neta_tool_duplicates_total', { tool: 'read_file', scope: 'batch' })).toBeGreaterThan(0);
  // The results of files are never kept: the workspace may change at any time.
  expect(['hit', 'miss'].map(result => count('neta_tool_cache_total', { tool: 'calculator', result }))).toEqual([1, 1]);
  expect(count('neta_tool_cache_total', { tool: 'read_file' })).toBe(0);
  expect(count('neta_patch_matches_total', { strategy: 'exact', outcome: 'applied' })).toBe(1);
  expect(count('neta_sandbox_denied_total', { reason: 'outside' })).toBe(1);
  expect(count('neta_ssrf_blocked_total', { reason: 'forbidden_address' })).toBe(1);
  expect(count('neta_model_rate_limited_total', {})).toBeGreaterThan(0);
  expect(count('mcp_client_operation_duration_seconds_count', { mcp_method_name: 'tools/call', error_type: '' })).toBe(1);
  expect(count('neta_approvals_total', { tool: 'bash', decision: 'denied' })).toBe(1);
});
