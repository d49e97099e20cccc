/** Ends the API keys that a person has made, when they may do more than the person. */
import { DEFAULT_TENANT, grants, type Scope } from '../../../port/principal';
import type { ApiKeyRecord } from '../../../port/store/api_keys';
import type { StoreTransaction } from '../../../port/store/store';
import type { AuditRecorder } from '../../../service/audit/audit_log';
import type { RoleSettings } from '../roles/role_settings';
import type { PersonRecord } from '../store/people_records';

type By = Pick<Parameters<AuditRecorder['record']>[0], 'actor' | 'key'>;

export interface EndKeysDeps {
  auditLog: AuditRecorder;
  roles: Pick<RoleSettings, 'scopesOf'>;
}

/** Without an active account all keys of the person end; otherwise those with a scope that the role has not. */
export async function endExcessKeys(tx: StoreTransaction, person: PersonRecord, by: By, { auditLog, roles }: EndKeysDeps): Promise<void> {
  const { tenantId, handle } = person;
  const allowed = new Set(roles.scopesOf(tenantId, person.role));
  const owned = (await tx.apiKeys.list()).filter(key => key.tenantId === tenantId && key.owner === handle);
  for (const key of owned.filter(each => person.state !== 'active' || exceeds(each, person, allowed))) {
    await tx.apiKeys.delete(key.id);
    await auditLog.record({ ...by, tenantId, action: 'key.revoke', target: key.id, details: { name: key.name, owner: handle } }, tx);
  }
}

/** A key with `admin` of the tenant default makes an operator. */
function exceeds({ scopes, tenantId }: ApiKeyRecord, { role }: PersonRecord, allowed: ReadonlySet<Scope>): boolean {
  const makesOperator = tenantId === DEFAULT_TENANT && scopes.includes('admin') && role !== 'operator';
  return makesOperator || scopes.some(scope => !grants(allowed, scope));
}
