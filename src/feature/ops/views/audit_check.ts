/** The check of the audit log, as operators get it. */
import type { AuditLog } from '../../../service/audit/audit_log';
import type { AuditCheck } from '../../../service/audit/check_audit_chain';
import type { OpsAuditCheck } from '../schemas/config_schemas';

export class AuditVerifier {
  private verifying: Promise<AuditCheck> | undefined;

  constructor(private readonly auditLog: AuditLog) {}

  /** Checks the audit chain. Callers who ask during a check share its result. */
  async verify(): Promise<OpsAuditCheck> {
    this.verifying ??= this.auditLog.verify().finally(() => {
      this.verifying = undefined;
    });
    const check = await this.verifying;
    const { ok, rows, head } = check;
    const unsealed = check.unsealed || undefined;
    if (check.ok) return { ok, rows, unsealed, head };
    const { fault, id, at } = check;
    return { ok, rows, unsealed, head, fault, id, at: at === undefined ? undefined : new Date(at).toISOString() };
  }
}
