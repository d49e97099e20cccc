/** The numbers of /metrics after runs over every door: exactly what happened, in the format that Prometheus reads. */
import { spawnSync } from 'node:child_process';
import { APPROVER, type ApprovalBench, chatUntilApproval, startApprovalBench } from '../support/approval_bench';
import { ADMIN, bearer, type KeyBench, startKeyBench } from '../support/key_bench';
import { type MetricsText, readMetrics } from '../support/metrics';
import { until } from '../support/until';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('the metrics after runs', () => {
  let bench: ApprovalBench;
  let before: MetricsText;
  let metrics: MetricsText;

  beforeAll(async () => {
    bench = await startApprovalBench();
    const { model, gateway } = bench;
    before = await readMetrics(gateway.url);
    model.onTurn('say hello', 'Hello.');
    model.onTurn('which colour', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] }, 'Painted.');
    model.onTurn('fail once', { toolCalls: [{ name: 'read_file', arguments: { path: 'missing.txt' } }] }, 'There is no file.');
    model.onTurn('odd call', { toolCalls: [{ name: 'sk-secret-tool', arguments: {} }] }, 'No such tool.');
    model.onTurn('long poem', { text: 'Roses are red and so on', chunkSize: 4, pauseAfter: 3 });
    await driveRuns();
    // The numbers of the store are kept for two seconds.
    metrics = await until(
      () => readMetrics(gateway.url),
      read => read.sum('neta_human_pending') > 0,
    );
  });
  afterAll(() => bench?.stop());

  async function driveRuns(): Promise<void> {
    const { rest } = bench;
    await rest.run({ input: 'say hello' });
    await rest.run({ input: 'fail once', limits: { maxTokens: 1 } });
    await rest.run({ input: 'fail once' });
    await rest.run({ input: 'odd call' });
    await rest.request('POST', '//v1/chat/completions', { model: 'default', messages: [{ role: 'user', content: 'say hello' }] });
    await rest.run({ input: 'which colour, over rest' });
    const client = await bench.connect(APPROVER);
    await client.endOf((await client.chat('say hello')).runId);
    const asked = await client.chat('which colour');
    const { data } = await client.waitFor('clarify_request', event => event.runId === asked.runId);
    const answer = { type: 'clarify_response', sessionId: asked.sessionId, requestId: data.requestId, answer: 'red' } as const;
    await client.send(answer);
    await client.endOf(asked.runId);
    await client.send(answer);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'tally denied');
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny' });
    await client.endOf(runId);
    const poem = await client.chat('a long poem');
    await client.waitForText(poem.runId, 'Roses are re');
    await client.send({ type: 'cancel', runId: poem.runId });
    await client.endOf(poem.runId);
  }

  it('have every known label set at 0 before the first run (neta.ops.metrics)', () => {
    const expectZero = (name: string, labels: Record<string, string>) =>
      expect(before.samples).toContainEqual({ name, labels: expect.objectContaining(labels), value: 0 });
    for (const door of ['socketio', 'rest', 'openai', 'job']) {
      expectZero('neta_clarify_total', { door, outcome: 'late' });
      for (const state of ['queued', 'model', 'tool', 'human', 'child']) expectZero('neta_runs_active', { door, state });
    }
    for (const type of ['input', 'cache_read', 'output', 'reasoning']) expectZero('neta_model_tokens_total', { type, agent: 'default' });
  });

  it('count each run once, by door and outcome (neta.ops.metrics)', () => {
    const ended = (labels: Record<string, string>) => metrics.sum('neta_runs_total', labels) - before.sum('neta_runs_total', labels);
    expect(ended({ door: 'rest', outcome: 'completed' })).toBe(4);
    expect(ended({ door: 'rest', outcome: 'incomplete', reason: 'budget' })).toBe(1);
    expect(ended({ door: 'openai', outcome: 'completed' })).toBe(1);
    expect(ended({ door: 'socketio', outcome: 'completed' })).toBe(3);
    expect(ended({ door: 'socketio', outcome: 'cancelled' })).toBe(1);
    expect(ended({})).toBe(10);
    expect(metrics.sum('gen_ai_invoke_agent_duration_seconds_count')).toBe(10);
    expect(metrics.sum('neta_run_cancel_seconds_count', { phase: 'model' })).toBe(1);
    expect(metrics.sum('neta_runs_active')).toBe(0);
    expect(metrics.sum('neta_budget_blocks_total', { scope: 'run' })).toBe(1);
  });

  it('count what people were asked, and how it ended', () => {
    expect(metrics.sum('neta_clarify_total', { door: 'socketio', outcome: 'answered' })).toBe(1);
    expect(metrics.sum('neta_clarify_total', { door: 'socketio', outcome: 'late' })).toBe(1);
    expect(metrics.sum('neta_clarify_total', { door: 'rest', outcome: 'degraded' })).toBe(1);
    expect(metrics.sum('neta_approvals_total', { tool: 'bash', decision: 'denied' })).toBe(1);
    // The question over REST is still open.
    expect(metrics.sum('neta_human_pending', { kind: 'clarify' })).toBe(1);
    expect(metrics.sum('neta_human_oldest_seconds', { kind: 'clarify' })).toBeGreaterThan(0);
    expect(metrics.sum('neta_human_pending', { kind: 'approval' })).toBe(0);
  });

  it('count tools by their outcome, and never by a name that a model invented', () => {
    expect(metrics.sum('neta_tool_calls_total', { tool: 'read_file', outcome: 'error' })).toBe(2);
    expect(metrics.sum('neta_tool_calls_total', { tool: 'bash', outcome: 'denied' })).toBe(1);
    expect(metrics.sum('neta_tool_calls_total', { tool: 'clarify', outcome: 'ok' })).toBe(2);
    expect(metrics.sum('neta_tool_calls_total', { tool: 'other', toolset: 'other', outcome: 'invalid_args' })).toBe(1);
    expect(metrics.sum('neta_tool_running')).toBe(0);
    expect(metrics.text).not.toContain('sk-secret-tool');
  });

  it('count the calls of the model, with their tokens and first chunks', () => {
    const received = bench.model.requests(/./).length;
    expect(metrics.sum('gen_ai_client_operation_duration_seconds_count')).toBe(received);
    expect(metrics.sum('gen_ai_client_operation_duration_seconds_count', { error_type: 'aborted' })).toBe(1);
    expect(metrics.sum('gen_ai_client_operation_time_to_first_chunk_seconds_count')).toBe(received);
    expect(metrics.sum('neta_model_calls_unpriced_total') + metrics.sum('neta_model_usage_missing_total')).toBeLessThanOrEqual(received);
    expect(metrics.sum('neta_model_tokens_total', { type: 'output' })).toBeGreaterThan(0);
    expect(metrics.sum('neta_run_iterations_sum')).toBe(received);
  });

  it('count sockets, messages and requests', () => {
    expect(metrics.sum('neta_ws_connections', { transport: 'websocket' })).toBe(1);
    expect(metrics.sum('neta_ws_connects_total', { result: 'ok' })).toBe(1);
    expect(metrics.sum('neta_ws_events_total', { direction: 'in', event: 'chat' })).toBe(4);
    expect(metrics.sum('neta_ws_events_total', { direction: 'out', event: 'run_end' })).toBe(4);
    const runs = { http_request_method: 'POST', http_route: '/api/v1/runs', http_response_status_code: '200' };
    expect(metrics.sum('http_server_request_duration_seconds_count', runs)).toBe(5);
    expect(metrics.sum('neta_events_appended_total')).toBeGreaterThan(40);
    expect(metrics.sum('neta_ready')).toBe(2);
    expect(metrics.sum('neta_migrations_pending')).toBe(0);
    expect(metrics.sum('neta_metrics_series_dropped_total')).toBe(0);
  });

  it('have closed sets at 0 before anything happened', () => {
    expect(before.samples.filter(({ name, value }) => name === 'neta_runs_total' && value === 0).length).toBeGreaterThan(40);
    expect(before.samples).toContainEqual({ name: 'neta_clarify_total', labels: { door: 'rest', outcome: 'timeout' }, value: 0 });
  });

  it('hold no id, no text of a person and no key', () => {
    expect(metrics.text).not.toMatch(/\b(?:ses|run|msg|call|exe)_[0-9a-z]{10}/);
    expect(metrics.text).not.toMatch(/hello|colour|poem|missing\.txt|5ecret/);
  });

  const itWithPromtool = hasPromtool ? it : it.skip;
  itWithPromtool(`pass the check of promtool${hasPromtool ? '' : ' (skipped here: promtool is not installed)'}`, () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: metrics.text, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('/metrics with keys', () => {
  const TOKEN = 'metrics-token-0123456789';
  let keys: KeyBench;
  beforeAll(async () => {
    keys = await startKeyBench({ NETA_METRICS_TOKEN: TOKEN });
  });
  afterAll(() => keys?.bench.stop());

  const statusWith = async (headers: Record<string, string>) => {
    const response = await fetch(`${keys.url}/metrics`, { headers });
    return [response.status, response.headers.get('www-authenticate')];
  };

  it('takes the token, and a key with the scope ops:read', async () => {
    const { secret } = await keys.makeKey({ name: 'watcher', scopes: ['ops:read'] });
    expect(await statusWith(bearer(TOKEN))).toEqual([200, null]);
    expect(await statusWith(bearer(secret))).toEqual([200, null]);
    expect(await statusWith(bearer(ADMIN))).toEqual([200, null]);
  });

  it('refuses other callers, and counts them', async () => {
    const { secret } = await keys.makeKey({ name: 'talker', scopes: ['chat'] });
    expect(await statusWith({})).toEqual([401, 'Bearer']);
    expect(await statusWith(bearer(`${TOKEN}x`))).toEqual([401, 'Bearer']);
    expect((await statusWith(bearer(secret)))[0]).toBe(403);
    const metrics = await readMetrics(keys.url, bearer(TOKEN));
    expect(metrics.sum('neta_auth_failures_total', { door: 'http', reason: 'unauthenticated' })).toBe(2);
    expect(metrics.sum('neta_auth_failures_total', { door: 'http', reason: 'forbidden' })).toBe(1);
  });

  it('refuses a key of another tenant, because the numbers cover all tenants', async () => {
    const { secret } = await keys.makeKey({ name: 'rival', tenant: 'rival', scopes: ['ops:read'] });
    const response = await fetch(`${keys.url}/metrics`, { headers: bearer(secret) });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'forbidden', message: expect.stringContaining('all tenants') } });
  });

  it('opens no other route to the token', async () => {
    const response = await fetch(`${keys.url}/api/v1/runs`, { headers: bearer(TOKEN) });
    expect(response.status).toBe(401);
  });
});
