/** Brings people to the gateway as callers: a login of a person counts as long as the account is active, with the role that it has now. */
import { DEFAULT_TENANT, type Principal, type Scope } from '../../port/principal';
import type { Store, StoreReader } from '../../port/store/store';
import type { CallerSource, LoginCaller } from '../../service/auth/caller_source';
import type { LoginSettings } from './login_settings';
import type { RoleSettings } from './role_settings';
import type { PersonRecord } from './store/people_records';

/** Returns the caller that a person is. */
function callerOf(
  { tenantId, id, handle, name, role, subject }: PersonRecord,
  { allowed, groups, hasPassword }: { allowed: readonly Scope[]; groups: readonly string[]; hasPassword: boolean },
): LoginCaller {
  // A role that the tenant must not have gives nothing: the row may come from a restored backup.
  const isAllowed = role !== 'operator' || tenantId === DEFAULT_TENANT;
  const scopes = new Set(isAllowed ? allowed : []);
  const principal: Principal = { tenantId, keyName: handle, keyId: id, scopes, person: { id, name, role, hasPassword, groups } };
  return { subject, principal };
}

/** Returns what a login of the person is stored with, and who it is for. */
export const loginOf = ({ tenantId, handle, subject }: PersonRecord) => ({ keyHash: subject, principal: { tenantId, keyName: handle } });

export interface PersonCallersDeps {
  store: Pick<Store, 'read'>;
  roles: RoleSettings;
  loginSettings: Pick<LoginSettings, 'allowsPasswords'>;
}

/** The active people of all tenants. */
export const createPersonCallers = ({ store, roles, loginSettings }: PersonCallersDeps): CallerSource => ({
  async readCallers() {
    const active = (await store.read.people.listAll()).filter(({ state }) => state === 'active');
    if (active.length === 0) return [];
    const groupsOf = await readGroups(store.read);
    return active.map(person => {
      const { tenantId, id, role, passwordHash } = person;
      const hasPassword = passwordHash !== '' && loginSettings.allowsPasswords;
      return callerOf(person, { allowed: roles.scopesOf(tenantId, role), groups: groupsOf(tenantId, id), hasPassword });
    });
  },
});

/** Resolves with the groups of each person: those of the directory of the tenant, and those that the last login at a provider named. */
async function readGroups(read: Pick<StoreReader, 'scim' | 'personIdentities'>): Promise<(tenantId: string, personId: string) => string[]> {
  const groups = new Map<string, Set<string>>();
  const add = (tenantId: string, personId: string, names: readonly string[]) => {
    const key = `${tenantId}/${personId}`;
    groups.set(key, new Set([...(groups.get(key) ?? []), ...names]));
  };
  for (const { tenantId, personId, name } of await read.scim.listAllMembers()) add(tenantId, personId, [name]);
  for (const { tenantId, personId, groupNames } of await read.personIdentities.listAllGroups()) add(tenantId, personId, groupNames);
  return (tenantId, personId) => [...(groups.get(`${tenantId}/${personId}`) ?? [])].sort();
}
