/** Counts the calls of each tool since the start of this process, in runs and direct. Memory only: a call costs no statement. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';

export interface ToolCallCount {
  calls: number;
  /** Calls that failed, were refused or were cancelled. */
  errors: number;
}

/** Models also call tools that do not exist. */
const MAX_COUNTED = 10_000;

export class ToolCounts {
  private readonly counts = new LRUCache<string, ToolCallCount>({ max: MAX_COUNTED });
  /** Milliseconds since 1970. */
  readonly since: number;

  constructor({ clock }: { clock: Clock }) {
    this.since = clock.now();
  }

  recordCall(tenantId: string, tool: string, ok: boolean): void {
    const count = this.callsOf(tenantId, tool);
    this.counts.set(keyOf(tenantId, tool), { calls: count.calls + 1, errors: count.errors + (ok ? 0 : 1) });
  }

  callsOf(tenantId: string, tool: string): ToolCallCount {
    return this.counts.get(keyOf(tenantId, tool)) ?? { calls: 0, errors: 0 };
  }
}

const keyOf = (tenantId: string, tool: string): string => `${tenantId}\n${tool}`;
