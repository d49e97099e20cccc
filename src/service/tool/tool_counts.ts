/** Counts the calls of each tool since the start of this process, in runs and direct. Memory only: a call costs no statement. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { RunEvent } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import { Histogram } from '../../utils/histogram';

export interface ToolCallCount {
  calls: number;
  /** Calls that failed, were refused or were cancelled. */
  errors: number;
}

/** The counts of a tool, with figures for operators. */
export interface ToolCallFigures extends ToolCallCount {
  p50Ms?: number;
  p95Ms?: number;
  /** Answered from the cache. */
  cached: number;
  /** Answered from an earlier call of the same answer. */
  duplicates: number;
  /** Characters of all results, as they are shown. */
  resultUnits: number;
  lastError?: { status: string; at: string };
}

/** The end of one call. */
export interface CountedCall {
  ok: boolean;
  durationMs: number;
  status?: string | undefined;
  cached?: boolean | undefined;
  duplicate?: boolean | undefined;
  resultUnits: number;
  details?: Readonly<Record<string, unknown>> | undefined;
}

interface Row extends Omit<ToolCallFigures, 'p50Ms' | 'p95Ms'> {
  durations: Histogram;
}

/** Models also call tools that do not exist. */
const MAX_COUNTED = 10_000;
/** Counts of all tenants together; no tenant has this name. */
const ALL = '*';
const P50 = 0.5;
const P95 = 0.95;

export class ToolCounts {
  private readonly rows = new LRUCache<string, Row>({ max: MAX_COUNTED });
  /** `<tenant>\n<level of the patch engine>` -> number of patches. */
  private readonly levels = new LRUCache<string, number>({ max: MAX_COUNTED });
  /** Milliseconds since 1970. */
  readonly since: number;

  constructor(private readonly deps: { clock: Clock }) {
    this.since = deps.clock.now();
  }

  /** Counts the calls that end with these events of a run. */
  recordEvents({ tenantId }: Pick<RunRecord, 'tenantId'>, events: readonly { event: RunEvent }[]): void {
    // Called for each delta: an iterator would be garbage of every token.
    for (let i = 0; i < events.length; i += 1) {
      const event = events[i]?.event;
      if (event?.type === 'tool_call_end')
        this.recordCall(tenantId, event.data.name, { ...event.data, resultUnits: event.data.result.length });
    }
  }

  /** Counts a call that has ended, for its tenant and for all tenants together. */
  recordCall(tenantId: string, tool: string, call: CountedCall): void {
    for (const tenant of [tenantId, ALL]) {
      this.addTo(keyOf(tenant, tool), call);
      const strategy = call.ok ? call.details?.['strategy'] : undefined;
      if (typeof strategy !== 'string') continue;
      const level = keyOf(tenant, strategy);
      this.levels.set(level, (this.levels.get(level) ?? 0) + 1);
    }
  }

  /** Returns how many calls of the tool the tenant has made, and how many of these failed, since this process began. */
  callsOf(tenantId: string, tool: string): ToolCallCount {
    const { calls, errors } = this.rows.get(keyOf(tenantId, tool)) ?? { calls: 0, errors: 0 };
    return { calls, errors };
  }

  /** Returns the figures of a tool; without a tenant, those of all tenants. */
  figuresOf(tenantId: string | undefined, tool: string): ToolCallFigures {
    const row = this.rows.get(keyOf(tenantId ?? ALL, tool));
    if (!row) return { calls: 0, errors: 0, cached: 0, duplicates: 0, resultUnits: 0 };
    const { durations, ...counts } = row;
    const p50Ms = durations.percentile(P50);
    const p95Ms = durations.percentile(P95);
    return { ...counts, p50Ms, p95Ms };
  }

  /** Applied patches by the level that found the place. */
  patchLevels(tenantId: string | undefined): Record<string, number> {
    const prefix = keyOf(tenantId ?? ALL, '');
    return Object.fromEntries(
      [...this.levels].flatMap(([key, count]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), count]] : [])),
    );
  }

  private addTo(key: string, { ok, durationMs, status, cached, duplicate, resultUnits }: CountedCall): void {
    const row = this.rows.get(key) ?? newRow();
    this.rows.set(key, row);
    row.calls += 1;
    row.durations.record(durationMs);
    row.resultUnits += resultUnits;
    if (cached) row.cached += 1;
    if (duplicate) row.duplicates += 1;
    if (ok) return;
    row.errors += 1;
    row.lastError = { status: status ?? 'error', at: new Date(this.deps.clock.now()).toISOString() };
  }
}

const keyOf = (tenantId: string, tool: string): string => `${tenantId}\n${tool}`;

const newRow = (): Row => ({ calls: 0, errors: 0, cached: 0, duplicates: 0, resultUnits: 0, durations: new Histogram() });
