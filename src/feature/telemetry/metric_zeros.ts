/** Creates the label sets of closed sets at 0, so that rates and alerts work from the first event on. */
import { TOOL_OUTCOMES } from '../../port/observer';
import { DOORS, INCOMPLETE_REASONS } from '../../port/run_event';
import { WEBHOOK_EVENTS } from '../../port/webhook_sender';
import { DISCONNECT_REASONS } from './fact_metrics';
import type { MetricWriter } from './label_values';
import { MAX_SETS } from './metric_series';
import type { MetricsSources } from './metrics_sources';
import { RUN_PHASES } from './run_states';

export interface ClosedNames extends Pick<MetricsSources, 'storeKind' | 'embedding'> {
  agents: readonly string[];
  models: readonly { provider: string; model: string }[];
  tools: readonly { tool: string; toolset: string }[];
}

const ENDS = [
  ['completed', ''],
  ['failed', ''],
  ['cancelled', ''],
  ...INCOMPLETE_REASONS.map(reason => ['incomplete', reason] as const),
] as const;
const STRATEGIES = [
  'exact',
  'line_trimmed',
  'whitespace_normalized',
  'indent_flexible',
  'escape_normalized',
  'trimmed_boundary',
  'unicode_normalized',
  'block_anchor',
  'context_aware',
];
const COMPACTIONS = ['tokens', 'messages', 'failed'] as const;
const DECISIONS = ['allowed', 'edited', 'session', 'denied', 'timeout', 'cancelled'] as const;
const RATINGS = ['up', 'down'] as const;
const TOKEN_TYPES = ['input', 'cache_read', 'output', 'reasoning'] as const;
/** The most label sets that get a zero in advance; the rest stays free for sets that really occur. */
const MOST = MAX_SETS / 2;

export function createZeros(series: MetricWriter, { agents, models, tools, embedding, storeKind }: ClosedNames): void {
  createDoorZeros(series);
  for (const result of ['ok', 'failed']) series.create('neta_store_operation_duration_seconds', [storeKind, 'transaction', result]);
  if (embedding) {
    const labels = [embedding.provider, embedding.model] as const;
    series.create('gen_ai_client_operation_duration_seconds', ['embeddings', ...labels, '']);
    series.create('gen_ai_client_token_usage', ['embeddings', ...labels, 'input']);
  }
  const fitting = agents.slice(0, Math.floor(MOST / (DOORS.length * ENDS.length)));
  for (const agent of fitting)
    for (const door of DOORS) for (const [outcome, reason] of ENDS) series.create('neta_runs_total', [door, agent, outcome, reason]);
  for (const { provider, model } of models.slice(0, MOST)) {
    series.create('neta_model_calls_unpriced_total', [provider, model]);
    series.create('neta_model_usage_missing_total', [provider, model]);
    series.create('neta_model_rate_limited_total', [provider, model]);
    series.create('gen_ai_client_operation_duration_seconds', ['chat', provider, model, '']);
    for (const action of ['recovered', 'rejected']) series.create('neta_model_raw_tool_calls_total', [model, action]);
    for (const result of ['valid', 'repaired', 'invalid']) series.create('neta_tool_args_total', [model, result]);
  }
  createModelAndAgentZeros(series, models, agents);
  for (const agent of agents.slice(0, MOST / COMPACTIONS.length))
    for (const reason of COMPACTIONS) series.create('neta_context_compactions_total', [agent, reason]);
  for (const { tool, toolset } of tools.slice(0, Math.floor(MOST / TOOL_OUTCOMES.length))) createToolZeros(series, tool, toolset);
}

function createToolZeros(series: MetricWriter, tool: string, toolset: string): void {
  for (const outcome of TOOL_OUTCOMES) series.create('neta_tool_calls_total', [tool, toolset, outcome]);
  for (const scope of ['batch', 'history']) series.create('neta_tool_duplicates_total', [tool, scope]);
  for (const decision of DECISIONS) series.create('neta_approvals_total', [tool, decision]);
  series.create('neta_tool_retries_total', [tool]);
  series.create('neta_tool_result_truncated_total', [tool]);
}

function createModelAndAgentZeros(series: MetricWriter, models: ClosedNames['models'], agents: readonly string[]): void {
  const sets = models.flatMap(({ provider, model }) => agents.map(agent => [provider, model, agent] as const));
  for (const [provider, model, agent] of sets.slice(0, Math.floor(MOST / TOKEN_TYPES.length)))
    for (const type of TOKEN_TYPES) series.create('neta_model_tokens_total', [provider, model, type, agent]);
  for (const [, model, agent] of sets.slice(0, MOST / RATINGS.length))
    for (const rating of RATINGS) series.create('neta_feedback_total', [rating, agent, model]);
}

function createDoorZeros(series: MetricWriter): void {
  for (const door of DOORS) {
    for (const outcome of ['answered', 'timeout', 'cancelled', 'degraded', 'late']) series.create('neta_clarify_total', [door, outcome]);
    series.create('neta_clarify_wait_seconds', [door]);
    series.create('neta_run_queue_wait_seconds', [door]);
    series.create('neta_run_first_event_seconds', [door]);
  }
  for (const result of ['ok', 'rejected']) series.create('neta_ws_connects_total', [result]);
  for (const reason of DISCONNECT_REASONS) series.create('neta_ws_disconnects_total', [reason]);
  for (const result of ['replayed', 'resync', 'expired']) series.create('neta_ws_resume_total', [result]);
  for (const result of ['new', 'replayed', 'conflict']) series.create('neta_idempotency_total', [result]);
  for (const scope of ['key', 'tenant']) {
    for (const policy of ['requests', 'concurrency', 'tokens', 'spend']) series.create('neta_rate_limited_total', [scope, policy]);
    series.create('neta_budget_blocks_total', [scope]);
  }
  series.create('neta_budget_blocks_total', ['run']);
  for (const door of ['socketio', 'http'])
    for (const reason of ['unauthenticated', 'forbidden']) series.create('neta_auth_failures_total', [door, reason]);
  for (const phase of RUN_PHASES) series.create('neta_run_cancel_seconds', [phase]);
  for (const [outcome] of ENDS) {
    series.create('neta_subagents_total', [outcome]);
    series.create('neta_jobs_total', [outcome]);
  }
  for (const strategy of STRATEGIES) series.create('neta_patch_matches_total', [strategy, 'applied']);
  for (const outcome of ['ambiguous', 'not_found', 'conflict']) series.create('neta_patch_matches_total', ['none', outcome]);
  for (const code of ['outside', 'protected']) series.create('neta_sandbox_denied_total', [code]);
  series.create('neta_ssrf_blocked_total', ['forbidden_address']);
  for (const event of WEBHOOK_EVENTS)
    for (const result of ['ok', 'retry', 'failed']) series.create('neta_webhook_deliveries_total', [event, result]);
  for (const kind of ['question', 'approval', 'end', 'login'])
    for (const result of ['ok', 'retry', 'failed', 'gone']) series.create('neta_push_deliveries_total', [kind, result]);
  series.create('neta_escalations_total', []);
  series.create('neta_events_appended_total', []);
}
