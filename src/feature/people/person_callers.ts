/** Brings people to the gateway as callers: a login of a person counts as long as the account is active, with the role that it has now. */
import { DEFAULT_TENANT, type Principal, type Scope } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { CallerSource, LoginCaller } from '../../service/auth/caller_source';
import type { RoleSettings } from './role_settings';
import type { PersonRecord } from './store/people_records';

/** Returns the caller that a person is, who has these scopes. */
function callerOf({ tenantId, id, handle, name, role, subject }: PersonRecord, allowed: readonly Scope[]): LoginCaller {
  // A role that the tenant must not have gives nothing: the row may come from a restored backup.
  const isAllowed = role !== 'operator' || tenantId === DEFAULT_TENANT;
  const scopes = new Set(isAllowed ? allowed : []);
  const principal: Principal = { tenantId, keyName: handle, keyId: id, scopes, person: { id, name, role } };
  return { subject, principal };
}

/** Returns what a login of the person is stored with, and who it is for. */
export const loginOf = ({ tenantId, handle, subject }: PersonRecord) => ({ keyHash: subject, principal: { tenantId, keyName: handle } });

/** The active people of all tenants. */
export const createPersonCallers = ({ store, roles }: { store: Pick<Store, 'read'>; roles: RoleSettings }): CallerSource => ({
  async readCallers() {
    const active = (await store.read.people.listAll()).filter(({ state }) => state === 'active');
    return active.map(person => callerOf(person, roles.scopesOf(person.tenantId, person.role)));
  },
});
