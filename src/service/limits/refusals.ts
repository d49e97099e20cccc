/** Tells of refused requests, and keeps the last ones of each tenant that a limit or a pause refused, in memory only. */

import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { LogEvent } from '../../port/logger';
import type { Observer } from '../../port/observer';

export interface Refusal {
  at: string;
  tenantId: string;
  keyName: string;
  code: string;
  message: string;
  messageZh?: string;
  /** The scope of the limit that was reached, where the error names it. */
  scope?: string;
  limit?: string;
}

interface Refused {
  code: string;
  message: string;
  messageZh?: string;
  details?: Record<string, unknown>;
}

/** Number of refusals that are kept of each tenant, and that a list of all tenants has. */
const MAX_REFUSALS = 100;
/** A caller that is refused again and again gets one line of the log in this time. */
const ONE_LINE_MS = 300_000;
const MAX_LOGGED = 10_000;
const NOTED: ReadonlySet<string> = new Set(['rate_limited', 'quota_exceeded', 'not_accepting']);

export class Refusals {
  /** The newest first. A tenant pushes out none of another. */
  private readonly byTenant = new Map<string, Refusal[]>();

  /** Caller and limit -> time of the last line of the log. */
  private readonly loggedAt = new LRUCache<string, number>({ max: MAX_LOGGED });

  constructor(private readonly deps: { clock: Clock; observer: Observer; log: LogEvent }) {}

  /** Tells the observer that a door refuses a request. Keeps the refusal when a limit was the reason and the caller is known. */
  note(
    door: 'socketio' | 'http',
    { code, message, messageZh, details = {} }: Refused,
    caller?: { tenantId: string; keyName: string },
  ): void {
    const { clock, observer } = this.deps;
    const { scope, limit } = details;
    const place = { scope: typeof scope === 'string' ? scope : undefined, limit: typeof limit === 'string' ? limit : undefined };
    observer.note({ type: 'request_refused', door, code, ...place });
    if (!caller || !NOTED.has(code)) return;
    const { tenantId, keyName } = caller;
    this.logOnce({ tenant: tenantId, key: keyName, code, limit: place.limit });
    const row = {
      at: new Date(clock.now()).toISOString(),
      tenantId,
      keyName,
      code,
      message,
      messageZh,
      ...place,
    };
    this.byTenant.set(tenantId, [row, ...this.list(tenantId)].slice(0, MAX_REFUSALS));
  }

  private logOnce(context: { tenant: string; key: string; code: string; limit?: string }): void {
    const now = this.deps.clock.now();
    const id = [context.tenant, context.key, context.code, context.limit].join('\n');
    if (now - (this.loggedAt.get(id) ?? Number.NEGATIVE_INFINITY) < ONE_LINE_MS) return;
    this.loggedAt.set(id, now);
    this.deps.log('warn', 'requests of a key are refused', context);
  }

  /**
   * Lists refusals, the newest first; of all tenants when no tenant is given. Each tenant has a list of its own, so none evicts another's refusals.
   */
  list(tenantId: string | undefined): Refusal[] {
    if (tenantId !== undefined) return this.byTenant.get(tenantId) ?? [];
    const rows = [...this.byTenant.values()].flat();
    return rows.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).slice(0, MAX_REFUSALS);
  }
}
