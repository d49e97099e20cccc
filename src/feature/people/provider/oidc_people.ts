/**
 * Decides which account a person at a login provider is. Issuer and subject name the person; an e-mail address links an account once, and only an
 * address that the provider has verified and that the account did not get from its own person.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../errors';
import type { OidcPerson } from '../../../port/oidc';
import { ROLES, type Role } from '../../../port/roles';
import type { Locale } from '../../../port/store/sessions';
import type { StoreTransaction } from '../../../port/store/store';
import { byActor } from '../../../service/audit/audit_log';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient } from '../../../service/auth/login_service';
import { contentHash } from '../../../utils/content_hash';
import type { RecordLoginChange } from '../login/login_changes';
import type { LoginProvider } from '../login/login_file';
import { noInvitation } from '../password/invitation_service';
import { endExcessKeys } from '../person/end_keys';
import { emailKey, insertPerson, isEmail, type NewPersonDeps } from '../person/new_person';
import type { RoleSettings } from '../roles/role_settings';
import type { PersonRecord } from '../store/people_records';

const MAX_GROUPS = 1_000;
/** UTF-16 units of the name of a group. */
const MAX_GROUP_UNITS = 200;
const MAX_NAME = 100;

export interface KnownPerson {
  provider: LoginProvider;
  person: OidcPerson;
  locale: Locale;
  /** The token of the invitation that the person accepts by this login. */
  invitation?: string | undefined;
  /** The browser of the login. */
  client: LoginClient;
  /** Records in the transaction of the login. */
  record: RecordLoginChange;
}

export interface OidcPeopleDeps extends NewPersonDeps {
  keys: Pick<KeyRing, 'isLocked'>;
  roles: Pick<RoleSettings, 'scopesOf'>;
}

export class OidcPeople {
  constructor(private readonly deps: OidcPeopleDeps) {}

  /**
   * Finds, links or makes the account. Resolves undefined when no group lets the person in any more: then the logins and keys of the person have ended.
   * Rejects `forbidden` with what to do, and `not_found` for an invitation that has ended.
   */
  async findOrMake(tx: StoreTransaction, known: KnownPerson): Promise<PersonRecord | undefined> {
    const { provider, person, invitation } = known;
    const { tenantId, issuer } = provider;
    const groupNames = groupsIn(provider, person.claims);
    const role = roleOf(provider, groupNames);
    const identity = await tx.personIdentities.find(tenantId, issuer, person.subject);
    const account = identity && (await tx.people.get(tenantId, identity.personId));
    if (identity && !isDeepStrictEqual(identity.groupNames ?? [], groupNames)) await tx.personIdentities.setGroups(identity, groupNames);
    if (account?.state === 'active' && account.madeBy === 'login' && role === undefined) {
      await tx.apiKeys.deleteLoginsOf(account.subject, 0);
      await endExcessKeys(tx, { ...account, state: 'disabled' }, byActor({ tenantId, keyName: account.handle }), this.deps);
      return undefined;
    }
    if (identity) return this.follow(tx, account, role);
    const found = invitation === undefined ? await this.link(tx, known, role) : await this.accept(tx, known, { invitation, role });
    await tx.personIdentities.insert({
      tenantId,
      issuer,
      subject: person.subject,
      personId: found.id,
      createdAt: this.deps.clock.now(),
      groupNames: groupNames.length > 0 ? groupNames : undefined,
    });
    return found;
  }

  /** The role follows the groups. */
  private async follow(tx: StoreTransaction, before: PersonRecord | undefined, role: Role | undefined): Promise<PersonRecord> {
    if (before?.state !== 'active') throw noAccount('The account is disabled. Ask an admin.', '账户已停用。请联系管理员。');
    if (role === undefined && before.madeBy === 'login') throw noGroup();
    const next = before.madeBy === 'login' ? role : roleBeside(before.role, role);
    if (next === undefined || next === before.role) return before;
    const person = { ...before, role: next, updatedAt: this.deps.clock.now() };
    await tx.people.update(person);
    const { tenantId, handle } = person;
    await endExcessKeys(tx, person, byActor({ tenantId, keyName: handle }), this.deps);
    const details = { role: next, state: person.state, by: 'groups' };
    await this.deps.auditLog.record({ ...byActor({ tenantId, keyName: handle }), action: 'person.update', target: handle, details }, tx);
    return person;
  }

  /** Links the account with the verified address, or makes one for a person whom a group lets in. */
  private async link(tx: StoreTransaction, known: KnownPerson, role: Role | undefined): Promise<PersonRecord> {
    const { provider, person, client: origin, record } = known;
    const email = verifiedEmail(provider, person.claims);
    const account = email === undefined ? undefined : await tx.people.findByEmail(email);
    if (!account) {
      if (role === undefined) throw noGroup();
      if (!this.deps.keys.isLocked && role !== 'operator') throw firstIsOperator();
      return this.make(tx, known, { role, email, madeBy: 'login', details: { provider: provider.id } });
    }
    const others = await tx.personIdentities.listOfPerson(account.tenantId, account.id);
    // The address of somebody who has left may be given to somebody else, who has another subject.
    const isTaken = others.some(({ issuer }) => issuer === provider.issuer);
    // A stranger may have made the account with the address of this person and an own password, and waits for the role of this login.
    const isUnproven = account.madeBy === 'open_invitation';
    if (account.tenantId !== provider.tenantId || account.role === 'operator' || isTaken || isUnproven) throw notLinked();
    const linked = await this.follow(tx, account, role);
    await record({ kind: 'provider_linked', person: account, origin, name: provider.name, details: { provider: provider.id } });
    return linked;
  }

  private async accept(
    tx: StoreTransaction,
    known: KnownPerson,
    { invitation: token, role: ofGroups }: { invitation: string; role: Role | undefined },
  ): Promise<PersonRecord> {
    const { provider, person } = known;
    const invitation = await tx.people.findInvitation(contentHash(token));
    const isOpen = invitation && invitation.expiresAt > this.deps.clock.now() && invitation.personId === undefined;
    if (!isOpen || invitation.tenantId !== provider.tenantId) throw noInvitation();
    const verified = verifiedEmail(provider, person.claims);
    if (invitation.email !== undefined && invitation.email !== verified) throw otherAddress(invitation.email);
    if (!(await tx.people.deleteInvitation(invitation.tenantId, invitation.id))) throw noInvitation();
    const role = roleBeside(invitation.role, ofGroups);
    const details = { provider: provider.id, invitation: invitation.id };
    return this.make(tx, known, { role, email: verified, madeBy: 'invitation', details });
  }

  private make(
    tx: StoreTransaction,
    { provider: { tenantId }, person: { claims }, locale }: KnownPerson,
    { details, ...given }: Pick<PersonRecord, 'role' | 'madeBy'> & { email: string | undefined; details: Record<string, string> },
  ): Promise<PersonRecord> {
    const name = nameOf(claims, given.email);
    return insertPerson(tx, { ...given, tenantId, name, locale, passwordHash: '' }, details, this.deps);
  }
}

/** Returns the groups that the provider says the person is in. */
function groupsIn({ groupsClaim }: LoginProvider, claims: OidcPerson['claims']): string[] {
  const claim = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined;
  const names = (Array.isArray(claim) ? claim : [claim]).slice(0, MAX_GROUPS).filter(name => typeof name === 'string');
  return names.filter(name => name !== '' && name.length <= MAX_GROUP_UNITS);
}

/** Returns the highest role of the groups; undefined when no group has one. */
function roleOf({ groups }: LoginProvider, names: readonly string[]): Role | undefined {
  const roles = new Set(names.map(name => groups.get(name)));
  return ROLES.find(role => roles.has(role));
}

/** Returns the role of a person whom no group has let in: groups neither make nor end an operator there. */
const roleBeside = (given: Role, ofGroups: Role | undefined): Role =>
  ofGroups === undefined || given === 'operator' || ofGroups === 'operator' ? given : ofGroups;

/** An address that is not verified may be that of somebody else. */
function verifiedEmail({ trustEmail }: LoginProvider, { email, email_verified: isVerified }: OidcPerson['claims']): string | undefined {
  if (typeof email !== 'string' || !(isVerified === true || (trustEmail && isVerified !== false))) return undefined;
  const address = emailKey(email);
  return isEmail(address) ? address : undefined;
}

function nameOf({ name, preferred_username: userName }: OidcPerson['claims'], email: string | undefined): string {
  const texts = [name, userName, email?.split('@')[0]].map(text => (typeof text === 'string' ? plainName(text) : ''));
  return texts.find(text => text !== '') ?? 'Person';
}

const plainName = (text: string): string =>
  [
    ...text
      .toWellFormed()
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, MAX_NAME)
    .join('');

const noAccount = (message: string, messageZh: string): AppError => new AppError('forbidden', { message, messageZh });

export const noGroup = (): AppError =>
  noAccount(
    'None of your groups at the provider has a role here. Ask an admin for an invitation, or for a group.',
    '你在登录服务器中的组在此没有角色。请向管理员索取邀请，或请其把你加入某个组。',
  );

const notLinked = (): AppError =>
  noAccount(
    'An account with this address exists, and this login may not use it. Log in as before, or ask an admin.',
    '已有使用此地址的账户，但不能通过此方式登录。请用原来的方式登录，或联系管理员。',
  );

const otherAddress = (email: string): AppError =>
  noAccount(
    `The invitation is for ${email}. Log in at the provider as the person with this verified address.`,
    `此邀请发给 ${email}。请以拥有该已验证地址的身份在登录服务器登录。`,
  );

const firstIsOperator = (): AppError =>
  noAccount(
    'The first person must be an operator: make an invitation on the machine of the gateway.',
    '第一个人必须是 operator：请在网关所在的机器上创建邀请。',
  );
