/** One-time links: an invitation makes an account, a password link gives a person a new password. Only hashes of their tokens are stored. */
import { AppError, invalidField } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { Principal } from '../../../port/principal';
import type { Role } from '../../../port/roles';
import type { Locale } from '../../../port/store/sessions';
import type { Store, StoreTransaction } from '../../../port/store/store';
import { type AuditRecorder, byActor } from '../../../service/audit/audit_log';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient, StartedLogin } from '../../../service/auth/login_service';
import { contentHash } from '../../../utils/content_hash';
import type { TotpService } from '../factor/totp_service';
import type { LoginChanges } from '../login/login_changes';
import type { LoginSettings } from '../login/login_settings';
import type { SignInLog } from '../login/sign_in_log';
import { emailIsTaken, emailKey, emailOf, insertPerson, isEmail } from '../person/new_person';
import { assertMayGive } from '../person/people_service';
import type { InvitationRecord, PersonRecord } from '../store/people_records';
import { hashPassword } from './password_hash';
import { checkPassword } from './password_rules';

const INVITATION_MS = 7 * 24 * 3_600_000;
const PASSWORD_LINK_MS = 24 * 3_600_000;

export interface InvitationInput {
  role: Role;
  email?: string | undefined;
}

export interface AcceptedInvitation {
  name?: string | undefined;
  email?: string | undefined;
  password: string;
  /** A person with an authenticator app sends it with a new password. */
  code?: string | undefined;
  locale: Locale;
}

export interface InvitationDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  createSecret: () => string;
  keys: Pick<KeyRing, 'applyChange' | 'isLocked'>;
  signIns: Pick<SignInLog, 'start'>;
  auditLog: AuditRecorder;
  changes: LoginChanges;
  loginSettings: Pick<LoginSettings, 'assertPasswords'>;
  totp: Pick<TotpService, 'check' | 'assertNoNewApp'>;
}

export interface MadeLink {
  invitation: InvitationRecord;
  token: string;
}

export class InvitationService {
  constructor(private readonly deps: InvitationDeps) {}

  /**
   * Rejects `forbidden` for a role that the caller may not give, `invalid_request` for an address that has an account, and for another role than
   * operator while the gateway has neither people nor keys: their first one must be able to manage the others.
   */
  async invite(caller: Principal, { role, email }: InvitationInput): Promise<MadeLink> {
    assertMayGive(caller, role);
    if (!this.deps.keys.isLocked && role !== 'operator') throw firstIsOperator();
    const address = email === undefined ? undefined : normalizeEmail(email);
    if (address !== undefined && (await this.deps.store.read.people.findByEmail(address))) throw emailIsTaken();
    return this.makeLink(caller, { role, email: address }, INVITATION_MS);
  }

  /** Makes a link with which a person sets a new password. Rejects `not_found`, and `forbidden` for a person whom the caller may not change. */
  async makePasswordLink(caller: Principal, personId: string): Promise<MadeLink> {
    this.deps.loginSettings.assertPasswords();
    const person = await this.deps.store.read.people.get(caller.tenantId, personId);
    if (person?.state !== 'active') throw new AppError('not_found', { message: 'There is no such person.', messageZh: '没有这个人。' });
    assertMayGive(caller, person.role);
    const email = emailOf(person);
    // Groups of a provider let this person in, and a password would outlive them.
    if (email === undefined || person.madeBy === 'login') throw noPassword();
    return this.makeLink(caller, { role: person.role, email, personId }, PASSWORD_LINK_MS);
  }

  /** Rejects `not_found` for a link that was used or has ended. */
  async readInvitation(token: string): Promise<InvitationRecord> {
    const found = await this.deps.store.read.people.findInvitation(contentHash(token));
    if (!found || found.expiresAt <= this.deps.clock.now()) throw noInvitation();
    return found;
  }

  /** Makes the account, or sets the new password, and logs the person in. Rejects `not_found` and `invalid_request`. */
  async accept(token: string, accepted: AcceptedInvitation, client: LoginClient): Promise<StartedLogin> {
    this.deps.loginSettings.assertPasswords();
    const invitation = await this.readInvitation(token);
    const email = invitation.email ?? (accepted.email === undefined ? undefined : normalizeEmail(accepted.email));
    if (email === undefined) throw invalidField('/email', 'is needed for this invitation.', '此邀请需要填写。');
    checkPassword(accepted.password, [email, accepted.name ?? '']);
    const checkedApp = await this.checkSecondFactor(invitation, accepted.code, client);
    const passwordHash = await hashPassword(accepted.password);
    const person = await this.deps.changes.transaction(invitation.tenantId, async (tx, record) => {
      if (!(await tx.people.deleteInvitation(invitation.tenantId, invitation.id))) throw noInvitation();
      if (invitation.personId === undefined) return this.makePerson(tx, invitation, { ...accepted, email, passwordHash });
      const changed = await this.setPassword(tx, invitation, invitation.personId, passwordHash);
      await this.deps.totp.assertNoNewApp(tx, changed, checkedApp);
      await record({ kind: 'password_changed', person: changed, origin: client });
      return changed;
    });
    await this.deps.keys.applyChange();
    return this.deps.signIns.start({ person, way: 'invitation' }, client, async tx => {
      await this.deps.totp.assertNoNewApp(tx, person, checkedApp);
      await tx.people.markLogin(person.tenantId, person.id, this.deps.clock.now());
    });
  }

  /** A link for a new password is no second factor. Resolves and rejects as `TotpService.check` does. */
  private async checkSecondFactor(
    { tenantId, personId }: InvitationRecord,
    code: string | undefined,
    client: LoginClient,
  ): Promise<string | undefined> {
    const person = personId === undefined ? undefined : await this.deps.store.read.people.get(tenantId, personId);
    return person && this.deps.totp.check(person, code, client);
  }

  private async makeLink(
    caller: Principal,
    given: Pick<InvitationRecord, 'role' | 'email' | 'personId'>,
    lifeMs: number,
  ): Promise<MadeLink> {
    const { store, clock, ids, createSecret, auditLog } = this.deps;
    const { tenantId, keyName } = caller;
    const token = createSecret();
    const now = clock.now();
    const invitation = {
      ...given,
      tenantId,
      id: ids.next('inv'),
      tokenHash: contentHash(token),
      keyName,
      createdAt: now,
      expiresAt: now + lifeMs,
    };
    await store.transaction({ tenant: tenantId }, async tx => {
      await tx.people.deleteExpiredInvitations(now);
      await tx.people.insertInvitation(invitation);
      const details = { role: given.role, person: given.personId };
      await auditLog.record({ ...byActor(caller), action: 'person.invite', target: invitation.id, details }, tx);
    });
    return { invitation, token };
  }

  private makePerson(
    tx: StoreTransaction,
    { tenantId, role, id: invitation, email: invited }: InvitationRecord,
    { name, email, passwordHash, locale }: AcceptedInvitation & { email: string; passwordHash: string },
  ): Promise<PersonRecord> {
    if (name === undefined) throw invalidField('/name', 'is needed for this invitation.', '此邀请需要填写。');
    const madeBy = invited === undefined ? 'open_invitation' : 'invitation';
    return insertPerson(tx, { tenantId, role, name, email, passwordHash, locale, madeBy }, { invitation }, this.deps);
  }

  /**
   * Ends all logins of the person and the other links, because somebody else may have the old password or a link. A link counts for the role that the person had when it was made:
   * whoever made it may not change people of every role.
   */
  private async setPassword(
    tx: StoreTransaction,
    { tenantId, role }: InvitationRecord,
    id: string,
    passwordHash: string,
  ): Promise<PersonRecord> {
    const before = await tx.people.get(tenantId, id);
    if (before?.state !== 'active' || before.role !== role) throw noInvitation();
    const person = { ...before, passwordHash, updatedAt: this.deps.clock.now() };
    await tx.people.update(person);
    await tx.people.deletePasswordLinks(tenantId, id);
    await tx.apiKeys.deleteLoginsOf(person.subject, 0);
    return person;
  }
}

/** As `emailKey`. Throws `invalid_request` for what is no address. */
function normalizeEmail(email: string): string {
  const address = emailKey(email);
  if (isEmail(address)) return address;
  throw invalidField('/email', 'must be an e-mail address such as anna@example.com.', '必须是电子邮件地址，例如 anna@example.com。');
}

const noPassword = (): AppError =>
  new AppError('forbidden', {
    message: 'This person logs in at a provider and has no password.',
    messageZh: '此人通过登录服务器登录，没有密码。',
  });

export const noInvitation = (): AppError =>
  new AppError('not_found', {
    message: 'This link was used before, or its time is over. Ask an admin for a new one.',
    messageZh: '此链接已被使用或已过期。请向管理员索取新的链接。',
  });

const firstIsOperator = (): AppError =>
  invalidField('/role', 'the first person must be an operator, who can invite the others.', '第一个人必须是 operator，由其邀请其他人。');
