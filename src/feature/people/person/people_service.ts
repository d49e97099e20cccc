/** The people of a tenant: listed, changed, removed. */
import { AppError, invalidField } from '../../../errors';
import type { Clock } from '../../../port/clock';
import { DEFAULT_TENANT, isOperator, type Principal } from '../../../port/principal';
import type { Role } from '../../../port/roles';
import type { Locale } from '../../../port/store/sessions';
import type { Store, StoreTransaction } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { LogoutHook } from '../../../service/auth/login_service';
import type { RoleSettings } from '../roles/role_settings';
import type { PersonRecord } from '../store/people_records';
import { endExcessKeys } from './end_keys';
import { type PersonWithWays, withWaysIn } from './ways_in';

/** Absent fields stay. */
export interface PersonChange {
  name?: string | undefined;
  role?: Role | undefined;
  disabled?: boolean | undefined;
  email?: string | undefined;
  locale?: Locale | undefined;
}

export interface PeopleDeps {
  store: Store;
  clock: Clock;
  keys: Pick<KeyRing, 'applyChange' | 'listKeys'>;
  auditLog: AuditRecorder;
  roles: Pick<RoleSettings, 'scopesOf'>;
  logoutHooks: readonly LogoutHook[];
}

export class PeopleService {
  constructor(private readonly deps: PeopleDeps) {}

  /** Oldest first. */
  listNames(tenantId: string): Promise<readonly Pick<PersonRecord, 'id' | 'handle' | 'name'>[]> {
    return this.deps.store.read.people.list(tenantId);
  }

  /** Oldest first, with their ways in. */
  async listPeople(tenantId: string): Promise<PersonWithWays[]> {
    const { store } = this.deps;
    return withWaysIn(store, tenantId, await store.read.people.list(tenantId));
  }

  /**
   * A disabled person is logged out everywhere at once, and the person's keys end; another role counts at once, and keys that may do more end. Rejects
   * `not_found`, `forbidden` for a role that the caller may not give or take, and `invalid_request` when nobody would be left who can manage people.
   */
  async updatePerson(caller: Principal, id: string, { name, email, locale, role, disabled }: PersonChange): Promise<PersonRecord> {
    const { store, clock, keys, auditLog } = this.deps;
    const changed = await store.transaction({ tenant: caller.tenantId }, async tx => {
      const before = await findIn(tx, caller.tenantId, id);
      assertMayGive(caller, before.role);
      if (role !== undefined) assertMayGive(caller, role);
      const person: PersonRecord = {
        ...before,
        name: name ?? before.name,
        email: email ?? before.email,
        locale: locale ?? before.locale,
        role: role ?? before.role,
        state: disabled === undefined ? before.state : disabled ? 'disabled' : 'active',
        updatedAt: clock.now(),
      };
      await this.assertManaged(tx, before, person);
      await tx.people.update(person);
      if (person.state !== 'active') await tx.apiKeys.deleteLoginsOf(person.subject, 0);
      await endExcessKeys(tx, person, byActor(caller), this.deps);
      const { tenantId, handle: target, state } = person;
      const details = { role: person.role, state };
      await auditLog.record({ ...byActor(caller), tenantId, action: 'person.update', target, details }, tx);
      return person;
    });
    await keys.applyChange();
    return changed;
  }

  /** Removes the account: its logins end, and name, e-mail and password are deleted. What the person made stays. Rejects as `updatePerson` does. */
  async removePerson(caller: Principal, id: string): Promise<void> {
    const { store, clock, keys, auditLog, logoutHooks } = this.deps;
    const { subject } = await store.transaction({ tenant: caller.tenantId }, async tx => {
      const before = await findIn(tx, caller.tenantId, id);
      assertMayGive(caller, before.role);
      const person: PersonRecord = {
        ...before,
        name: '',
        email: `removed:${id}`,
        passwordHash: '',
        state: 'removed',
        updatedAt: clock.now(),
      };
      await this.assertManaged(tx, before, person);
      await tx.people.update(person);
      await tx.personIdentities.deleteOfPerson(before.tenantId, id);
      await tx.personFactors.deleteOfPerson(before.tenantId, id);
      await tx.scim.forget(before.tenantId, id);
      await tx.signIns.deleteOfPerson(before.tenantId, id);
      await tx.apiKeys.deleteLoginsOf(before.subject, 0);
      await endExcessKeys(tx, person, byActor(caller), this.deps);
      const { tenantId, handle: target } = before;
      await auditLog.record({ ...byActor(caller), tenantId, action: 'person.remove', target }, tx);
      return before;
    });
    for (const endMore of logoutHooks) await endMore(caller.tenantId, subject);
    await keys.applyChange();
  }

  /** Throws when the last person who manages people would go, unless a key with `admin` can still do it. */
  private async assertManaged(tx: StoreTransaction, before: PersonRecord, after: PersonRecord): Promise<void> {
    if (!manages(before) || manages(after)) return;
    const { tenantId, id, handle } = before;
    const others = (await tx.people.list(tenantId)).filter(person => person.id !== id);
    const hasKey = this.deps.keys.listKeys().some(key => key.tenantId === tenantId && key.owner !== handle && key.scopes.includes('admin'));
    if (others.some(manages) || hasKey) return;
    throw invalidField(
      '/role',
      'nobody would be left who manages people: make another person an admin first.',
      '将没有人能管理人员：请先让另一个人成为 admin。',
    );
  }
}

async function findIn(tx: StoreTransaction, tenantId: string, id: string): Promise<PersonRecord> {
  const person = await tx.people.get(tenantId, id);
  if (!person || person.state === 'removed') throw noPerson();
  return person;
}

/** Throws `forbidden` unless the caller may give people this role, or change who has it: an operator is made by operators, in the tenant `default` alone. */
export function assertMayGive(caller: Principal, role: Role): void {
  if (role !== 'operator' || isOperator(caller)) return;
  throw new AppError('forbidden', {
    param: '/role',
    message: `/role: only operators make and change operators, and only in the tenant ${DEFAULT_TENANT}.`,
    messageZh: `/role：只有运维人员能设立和更改运维人员，且只能在 ${DEFAULT_TENANT} 租户中。`,
  });
}

const manages = ({ role, state }: PersonRecord): boolean => state === 'active' && (role === 'operator' || role === 'admin');

export const noPerson = (): AppError => new AppError('not_found', { message: 'There is no such person.', messageZh: '没有这个人。' });
