/** Brings people to the gateway as callers: a login of a person counts as long as the account is active, with the role that it has now. */
import { DEFAULT_TENANT, type Principal } from '../../port/principal';
import { ROLE_SCOPES } from '../../port/roles';
import type { Store } from '../../port/store/store';
import type { CallerSource, LoginCaller } from '../../service/auth/key_ring';
import type { PersonRecord } from './store/people_records';

/** Returns the caller that a person is. */
export function callerOf({ tenantId, id, handle, name, role, subject }: PersonRecord): LoginCaller {
  // A role that the tenant must not have gives nothing: the row may come from a restored backup.
  const isAllowed = role !== 'operator' || tenantId === DEFAULT_TENANT;
  const scopes = new Set(isAllowed ? ROLE_SCOPES[role] : []);
  const principal: Principal = { tenantId, keyName: handle, keyId: id, scopes, person: { id, name, role } };
  return { subject, principal };
}

/** The active people of all tenants. */
export const createPersonCallers = ({ store }: { store: Pick<Store, 'read'> }): CallerSource => ({
  readCallers: async () => (await store.read.people.listAll()).filter(({ state }) => state === 'active').map(callerOf),
});
