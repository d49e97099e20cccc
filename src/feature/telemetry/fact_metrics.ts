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

  constructor(private readonly deps: FactMetricsDeps) {}

  noteFact(fact: Fact): void {
    const { series } = this.deps;
    switch (fact.type) {
      case 'http_request':
        this.countRequest(fact);
        break;
      case 'request_refused':
        this.countRefusal(fact);
        break;
      case 'socket_admitted':
        series.add('neta_ws_connects_total', [fact.ok ? 'ok' : 'rejected']);
        break;
      case 'socket_closed':
        series.add('neta_ws_disconnects_total', [oneOf(DISCONNECT_REASONS, fact.reason)]);
        break;
      case 'socket_message':
        series.add('neta_ws_events_total', ['in', fact.message]);
        break;
      case 'socket_resumed':
        series.add('neta_ws_resume_total', [fact.result]);
        break;
      case 'idempotent_request':
        series.add('neta_idempotency_total', [fact.result]);
        break;
      default:
        this.noteInnerFact(fact);
    }
  }

  private noteInnerFact(
    fact: Exclude<Fact, { type: 'http_request' | 'request_refused' | 'idempotent_request' | `socket_${string}` }>,
  ): void {
    const { series } = this.deps;
    switch (fact.type) {
      case 'events_stored':
        series.add('neta_events_appended_total', [], fact.count);
        break;
      case 'transaction': {
        const labels = [this.deps.storeKind, 'transaction', fact.ok ? 'ok' : 'failed'] as const;
        series.observe('neta_store_operation_duration_seconds', labels, fact.durationMs / 1_000);
        break;
      }
      case 'webhook_delivery':
        this.countDelivery(fact);
        break;
      case 'config_reload':
        series.add('neta_config_reloads_total', [fact.file, fact.ok ? 'ok' : 'failed']);
        break;
      case 'mcp_connected':
        this.countConnection(fact);
        break;
      case 'budget_used':
        this.budgets.set(fact.id, { scope: fact.scope, ratio: fact.ratio, day: this.today });
        break;
      default:
        this.noteRunFact(fact);
    }
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

  private noteRunFact(
    fact: FactOf<'model_fallback' | 'question_as_text' | 'late_answer' | 'escalation' | 'run_cancel_requested' | 'raw_calls'>,
  ): void {
    const { series, names, states } = this.deps;
    switch (fact.type) {
      case 'model_fallback':
        series.add('neta_model_fallbacks_total', [names.model(fact.from), names.model(fact.to), fact.error ?? 'cooling_down']);
        break;
      case 'question_as_text':
        series.add('neta_clarify_total', [fact.run.door, 'degraded']);
        break;
      case 'late_answer':
        if (fact.kind === 'clarification') series.add('neta_clarify_total', [fact.door, 'late']);
        break;
      case 'escalation':
        series.add('neta_escalations_total', []);
        break;
      case 'run_cancel_requested':
        this.noteCancel(states.get(fact.runId));
        break;
      case 'raw_calls':
        this.countRawCalls(fact);
    }
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
