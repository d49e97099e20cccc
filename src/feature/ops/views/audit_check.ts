/** The check of the audit log, as operators get it. */
import type { AuditLog } from '../../../service/audit/audit_log';
import type { AuditCheck, AuditFault } from '../../../service/audit/check_audit_chain';

/** `head`: the newest hash. `fault`, `id`, `at`: the first broken row. */
export interface AuditVerification {
  ok: boolean;
  rows: number;
  head?: string;
  fault?: AuditFault;
  id?: string;
  at?: string;
}

export class AuditVerifier {
  private verifying: Promise<AuditCheck> | undefined;

  constructor(private readonly auditLog: AuditLog) {}

  /** Checks the audit chain. Callers who ask during a check share its result. */
  async verify(): Promise<AuditVerification> {
    this.verifying ??= this.auditLog.verify().finally(() => {
      this.verifying = undefined;
    });
    const check = await this.verifying;
    const { ok, rows, head } = check;
    if (check.ok) return { ok, rows, head };
    const { fault, id, at } = check;
    return { ok, rows, head, fault, id, at: at === undefined ? undefined : new Date(at).toISOString() };
  }
}
