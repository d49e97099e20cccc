/** Records in the audit log that an operator read texts of people of another tenant. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import { LOCAL_KEY_NAME, type Principal } from '../../port/principal';
import { type AuditRecorder, byActor } from './audit_log';

/** `runs` and `sessions`: a list, which shows the beginnings of texts. `feedback`: a list of sentences. */
export type ReadTextKind = 'run' | 'session' | 'question' | TextList;
export type TextList = 'runs' | 'sessions' | 'feedback';

export interface TextOwner {
  tenantId: string;
  kind: ReadTextKind;
  /** The target of the row. */
  id: string;
}

/** A page reads a long text in many requests, and again while the run goes on: one row an hour for each key and thing. */
const ONE_ROW_MS = 3_600_000;
const MAX_KNOWN = 10_000;

export class TextReads {
  /** Tenant, key and thing -> its row of this hour. */
  private readonly rows = new LRUCache<string, { at: number; stored: Promise<void> }>({ max: MAX_KNOWN });

  constructor(private readonly deps: { auditLog: AuditRecorder; clock: Clock }) {}

  /**
   * Call it before the texts are sent: without a row nothing may be read. The row belongs to the tenant whose texts are read. Requests at the same
   * time share one row.
   */
  async record(reader: Principal, owner: TextOwner): Promise<void> {
    if (reader.tenantId !== owner.tenantId) await this.recordPrivate(reader, owner);
  }

  /** As `record`, also for texts of the reader's own tenant: they are private. */
  async recordPrivate(reader: Principal, owner: TextOwner): Promise<void> {
    const key = [reader.tenantId, reader.keyName ?? LOCAL_KEY_NAME, owner.tenantId, owner.kind, owner.id].join('\n');
    const now = this.deps.clock.now();
    const known = this.rows.get(key);
    if (known && now - known.at < ONE_ROW_MS) return known.stored;
    const row = { at: now, stored: this.append(reader, owner) };
    this.rows.set(key, row);
    try {
      await row.stored;
    } catch (thrown) {
      // The next request tries again.
      if (this.rows.get(key) === row) this.rows.delete(key);
      throw thrown;
    }
  }

  /** Records that a list showed texts of these tenants, with one row an hour for each key and tenant. */
  async recordList(reader: Principal, list: TextList, tenants: Iterable<string>): Promise<void> {
    // Together: their rows share commits.
    await Promise.all([...new Set(tenants)].map(tenantId => this.record(reader, { tenantId, kind: list, id: list })));
  }

  private async append(reader: Principal, { tenantId, kind, id }: TextOwner): Promise<void> {
    const by = byActor({ tenantId, keyName: reader.keyName });
    await this.deps.auditLog.record({ ...by, action: 'session.read', target: id, details: { kind, actorTenant: reader.tenantId } });
  }
}
