/** Brings people to the gateway as callers: a login of a person counts as long as the account is active, with the role that it has now. */
import { type CallingPerson, DEFAULT_TENANT, type Principal, type Scope } from '../../../port/principal';
import type { Store, StoreReader } from '../../../port/store/store';
import type { CallerSource, LoginCaller } from '../../../service/auth/caller_source';
import type { RoleSettings } from '../roles/role_settings';
import type { PersonRecord } from '../store/people_records';
import type { LoginSettings } from './login_settings';
import { peopleWithoutSecondFactor } from './second_factor';

interface Rights {
  allowed: readonly Scope[];
  groups: readonly string[];
  hasPassword: boolean;
  /** The person must add an authenticator app, and has no scopes until then. */
  needsApp: boolean;
}

/** Returns the caller that a person is, who has these rights. */
function callerOf(
  { tenantId, id, handle, name, role, subject }: PersonRecord,
  { allowed, groups, hasPassword, needsApp }: Rights,
): LoginCaller {
  // A role that the tenant must not have gives nothing: the row may come from a restored backup.
  const isAllowed = (role !== 'operator' || tenantId === DEFAULT_TENANT) && !needsApp;
  const scopes = new Set(isAllowed ? allowed : []);
  const needs = needsApp ? 'authenticator' : undefined;
  const person: CallingPerson = { id, name, role, hasPassword, groups, needs };
  const principal: Principal = { tenantId, keyName: handle, keyId: id, scopes, person };
  return { subject, principal };
}

/** Returns what a login of the person is stored with, and who it is for. */
export const loginOf = ({ tenantId, handle, subject }: PersonRecord) => ({ keyHash: subject, principal: { tenantId, keyName: handle } });

export interface PersonCallersDeps {
  store: Pick<Store, 'read'>;
  roles: RoleSettings;
  loginSettings: Pick<LoginSettings, 'allowsPasswords' | 'needsSecondFactor'>;
}

/** The active people of all tenants. */
export const createPersonCallers = ({ store, roles, loginSettings }: PersonCallersDeps): CallerSource => ({
  async readCallers() {
    const active = (await store.read.people.listAll()).filter(({ state }) => state === 'active');
    if (active.length === 0) return [];
    const groupsOf = await readGroups(store.read);
    const withoutApp = await peopleWithoutSecondFactor(store, loginSettings, active);
    return active.map(person => {
      const { tenantId, id, role, passwordHash } = person;
      const hasPassword = passwordHash !== '' && loginSettings.allowsPasswords;
      const needsApp = withoutApp.has(id);
      return callerOf(person, { allowed: roles.scopesOf(tenantId, role), groups: groupsOf(tenantId, id), hasPassword, needsApp });
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
