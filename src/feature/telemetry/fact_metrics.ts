/** Counts single facts: what doors, limits, webhooks and files report. */
import type { Fact } from '../../port/observer';
import { type LabelNames, type MetricWriter, OTHER, oneOf } from './label_values';
import type { MetricsSources } from './metrics_sources';
import { phaseOf, type RunState, type RunStates } from './run_states';

export interface FactMetricsDeps {
  series: MetricWriter;
  names: LabelNames;
  states: RunStates;
  storeKind: MetricsSources['storeKind'];
  /** Milliseconds since 1970. */
  now: () => number;
}

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Reasons of Socket.IO. */
export const DISCONNECT_REASONS = [
  'transport close',
  'transport error',
  'ping timeout',
  'parse error',
  'client namespace disconnect',
  'server namespace disconnect',
  'server shutting down',
  'forced close',
  'forced server close',
] as const;
/** Fields of limits.yaml -> the label. */
const POLICIES: Record<string, string> = {
  requestsPerMinute: 'requests',
  runsPerMinute: 'requests',
  queuedRuns: 'concurrency',
  tokensPerDay: 'tokens',
  costPerDayUsd: 'spend',
};
const AUTH_REASONS = ['unauthenticated', 'forbidden'] as const;
const DAY_MS = 86_400_000;

export class FactMetrics {
  /** Servers that were connected before. */
  private readonly mcpServers = new Set<string>();
  /** Id of a budget -> its use, and the day. */
  private readonly budgets = new Map<string, { scope: 'key' | 'tenant'; ratio: number; day: number }>();

  private readonly counters: { readonly [T in Fact['type']]: (fact: FactOf<T>) => void };

  constructor(private readonly deps: FactMetricsDeps) {
    const { series, names, states, storeKind } = deps;
    this.counters = {
      http_request: fact => this.countRequest(fact),
      request_refused: fact => this.countRefusal(fact),
      socket_admitted: ({ ok }) => series.add('neta_ws_connects_total', [ok ? 'ok' : 'rejected']),
      socket_closed: ({ reason }) => series.add('neta_ws_disconnects_total', [oneOf(DISCONNECT_REASONS, reason)]),
      socket_message: ({ message }) => series.add('neta_ws_events_total', ['in', message]),
      socket_resumed: ({ result }) => series.add('neta_ws_resume_total', [result]),
      idempotent_request: ({ result }) => series.add('neta_idempotency_total', [result]),
      events_stored: ({ count }) => series.add('neta_events_appended_total', [], count),
      transaction: ({ ok, durationMs }) =>
        series.observe('neta_store_operation_duration_seconds', [storeKind, 'transaction', ok ? 'ok' : 'failed'], durationMs / 1_000),
      webhook_delivery: fact => this.countDelivery(fact),
      push_delivery: ({ kind, result }) => this.deps.series.add('neta_push_deliveries_total', [kind, result]),
      config_reload: ({ file, ok }) => series.add('neta_config_reloads_total', [file, ok ? 'ok' : 'failed']),
      mcp_connected: fact => this.countConnection(fact),
      budget_used: ({ id, scope, ratio }) => void this.budgets.set(id, { scope, ratio, day: this.today }),
      model_fallback: ({ from, to, error = 'cooling_down' }) =>
        series.add('neta_model_fallbacks_total', [names.model(from), names.model(to), error]),
      question_as_text: ({ run }) => series.add('neta_clarify_total', [run.door, 'degraded']),
      late_answer: ({ kind, door }) => kind === 'clarification' && series.add('neta_clarify_total', [door, 'late']),
      feedback_given: ({ rating, agent, model }) => series.add('neta_feedback_total', [rating, agent, names.model(model)]),
      escalation: () => series.add('neta_escalations_total', []),
      run_cancel_requested: ({ runId }) => this.noteCancel(states.get(runId)),
      raw_calls: fact => this.countRawCalls(fact),
    };
  }

  noteFact(fact: Fact): void {
    // A fact finds the counter of its own type.
    (this.counters[fact.type] as (fact: Fact) => void)(fact);
  }

  /** The most used budget of today, of keys and of tenants. */
  budgetUse(): Record<'key' | 'tenant', number> {
    const use = { key: 0, tenant: 0 };
    for (const [id, { scope, ratio, day }] of this.budgets) {
      if (day === this.today) use[scope] = Math.max(use[scope], ratio);
      else this.budgets.delete(id);
    }
    return use;
  }

  private noteCancel(state: RunState | undefined): void {
    if (state) state.cancel ??= { at: this.deps.now(), phase: phaseOf(state) };
  }

  private countRawCalls({ run, recovered, rejected }: FactOf<'raw_calls'>): void {
    const { series, names, states } = this.deps;
    const model = names.model((run && states.get(run.runId)?.model) ?? '');
    if (recovered > 0) series.add('neta_model_raw_tool_calls_total', [model, 'recovered'], recovered);
    if (rejected > 0) series.add('neta_model_raw_tool_calls_total', [model, 'rejected'], rejected);
  }

  private countRequest({ method, route = OTHER, status, durationMs }: FactOf<'http_request'>): void {
    const labels: [string, string, string, string] = [
      oneOf(HTTP_METHODS, method),
      route,
      String(status),
      status >= 500 ? String(status) : '',
    ];
    this.deps.series.observe('http_server_request_duration_seconds', labels, durationMs / 1_000);
  }

  private countRefusal({ door, code, scope, limit }: FactOf<'request_refused'>): void {
    const { series } = this.deps;
    const policy = limit === undefined ? undefined : POLICIES[limit];
    if (scope && policy) series.add('neta_rate_limited_total', [scope, policy]);
    if (scope && code === 'quota_exceeded') series.add('neta_budget_blocks_total', [scope]);
    if (code === 'idempotency_mismatch') series.add('neta_idempotency_total', ['conflict']);
    if ((AUTH_REASONS as readonly string[]).includes(code)) series.add('neta_auth_failures_total', [door, code]);
  }

  private countDelivery({ event, result, durationMs }: FactOf<'webhook_delivery'>): void {
    this.deps.series.add('neta_webhook_deliveries_total', [event, result]);
    this.deps.series.observe('neta_webhook_delivery_seconds', [event, result], durationMs / 1_000);
  }

  private countConnection({ server }: FactOf<'mcp_connected'>): void {
    if (this.mcpServers.has(server)) this.deps.series.add('neta_mcp_reconnects_total', [server]);
    this.mcpServers.add(server);
  }

  private get today(): number {
    return Math.floor(this.deps.now() / DAY_MS);
  }
}
