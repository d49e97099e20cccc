/** Records in the audit log that an operator read texts of people of another tenant. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../port/clock';
import { LOCAL_KEY_NAME, type Principal } from '../../../port/principal';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';

export interface TextOwner {
  tenantId: string;
  kind: 'run' | 'session';
  id: string;
}

/** A page reads a long text in many requests, and again while the run goes on: one row an hour for each key and thing. */
const ONE_ROW_MS = 3_600_000;
const MAX_KNOWN = 10_000;

export class TextReads {
  /** Key and thing -> time of its row. */
  private readonly recordedAt = new LRUCache<string, number>({ max: MAX_KNOWN });

  constructor(private readonly deps: { auditLog: AuditRecorder; clock: Clock }) {}

  /** Call it before the texts are sent: without a row nothing may be read. The row belongs to the tenant whose texts are read. */
  async record(reader: Principal, { tenantId, kind, id }: TextOwner): Promise<void> {
    if (reader.tenantId === tenantId) return;
    const { auditLog, clock } = this.deps;
    const key = [reader.tenantId, reader.keyName ?? LOCAL_KEY_NAME, kind, id].join('\n');
    const now = clock.now();
    if (now - (this.recordedAt.get(key) ?? Number.NEGATIVE_INFINITY) < ONE_ROW_MS) return;
    const by = byActor({ tenantId, keyName: reader.keyName });
    await auditLog.record({ ...by, action: 'text.read', target: id, details: { kind, actorTenant: reader.tenantId } });
    this.recordedAt.set(key, now);
  }
}
