/** The last requests that a limit or a pause refused. Memory only. */
import type { Clock } from '../../port/clock';

export interface Refusal {
  at: string;
  tenantId: string;
  keyName: string;
  code: string;
  message: string;
  messageZh?: string;
  /** The limit that was reached, where the error names it. */
  scope?: string;
  limit?: string;
}

interface Refused {
  code: string;
  message: string;
  messageZh?: string;
  details?: Record<string, unknown>;
}

const MAX_REFUSALS = 100;
const NOTED: ReadonlySet<string> = new Set(['rate_limited', 'quota_exceeded', 'not_accepting']);

export class Refusals {
  private rows: Refusal[] = [];

  constructor(private readonly clock: Clock) {}

  /** Keeps refusals of limits, and ignores other errors. */
  note(caller: { tenantId: string; keyName: string } | undefined, { code, message, messageZh, details }: Refused): void {
    if (!caller || !NOTED.has(code)) return;
    const { tenantId, keyName } = caller;
    const { scope, limit } = details ?? {};
    const place = { ...(typeof scope === 'string' && { scope }), ...(typeof limit === 'string' && { limit }) };
    this.rows = [
      {
        at: new Date(this.clock.now()).toISOString(),
        tenantId,
        keyName,
        code,
        message,
        ...(messageZh !== undefined && { messageZh }),
        ...place,
      },
      ...this.rows,
    ].slice(0, MAX_REFUSALS);
  }

  /** The newest first; of all tenants without one. */
  list(tenantId: string | undefined): Refusal[] {
    return tenantId === undefined ? this.rows : this.rows.filter(row => row.tenantId === tenantId);
  }
}
