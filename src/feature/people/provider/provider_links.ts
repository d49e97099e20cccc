/**
 * Accounts at login providers that a person links with the own account, or takes away from it. A link begins in a login of the person and counts as long as
 * this login does; the sealed cookie of the step keeps it in the browser that began it.
 */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { OidcPerson } from '../../../port/oidc';
import type { Store, StoreTransaction } from '../../../port/store/store';
import { type Identity, isLoginOfPerson, type KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient } from '../../../service/auth/login_service';
import { assertSecondFactor } from '../../../wire/assert_scope';
import type { LoginChanges } from '../login/login_changes';
import type { LoginProvider } from '../login/login_file';
import type { LoginSettings } from '../login/login_settings';
import type { IdentityRecord } from '../store/identity_records';
import type { PersonRecord } from '../store/people_records';

/** Who links, as the cookie of the step keeps it. */
export interface LinkingPerson {
  tenantId: string;
  personId: string;
  /** That of the login in which the link began. */
  tokenHash: string;
}

/** A provider of the tenant, and since when the person is linked there. Milliseconds since 1970. */
export interface OwnProvider {
  id: string;
  name: string;
  linkedAt?: number | undefined;
}

export interface ProviderLinksDeps {
  store: Store;
  clock: Clock;
  keys: Pick<KeyRing, 'applyChange' | 'findPerson' | 'loginsOf'>;
  changes: LoginChanges;
  loginSettings: Pick<LoginSettings, 'provider' | 'providers' | 'allowsPasswords'>;
}

export class ProviderLinks {
  constructor(private readonly deps: ProviderLinksDeps) {}

  /** In the order of login.yaml; none for a key. */
  async listOf(identity: Identity): Promise<OwnProvider[]> {
    const { tenantId, person } = identity.principal;
    if (!person || !isLoginOfPerson(identity)) return [];
    const linked = await this.deps.store.read.personIdentities.listOfPerson(tenantId, person.id);
    return this.deps.loginSettings.providers
      .filter(provider => provider.tenantId === tenantId)
      .map(({ id, name, issuer }) => ({ id, name, linkedAt: linked.find(identity => identity.issuer === issuer)?.createdAt }));
  }

  /** Resolves with what the step keeps. Rejects `forbidden` for keys, and for people whom groups of a provider let in; `not_found` for a provider of another tenant. */
  async begin(identity: Identity, providerId: string): Promise<LinkingPerson> {
    const { principal, tokenHash } = identity;
    const { tenantId, person } = principal;
    const account = person && (await this.deps.store.read.people.get(tenantId, person.id));
    if (tokenHash === undefined || !isLoginOfPerson(identity) || !isOwn(account)) throw notYours();
    if (this.deps.loginSettings.provider(providerId).tenantId !== tenantId) throw noProvider();
    return { tenantId, personId: account.id, tokenHash };
  }

  /**
   * Links the person at the provider with the account. Rejects `unauthenticated` when the login has ended, and `forbidden` for what belongs to somebody
   * else, and for a person who must add an authenticator app by now.
   */
  async link(
    { tenantId, personId, tokenHash }: LinkingPerson,
    provider: LoginProvider,
    { subject }: OidcPerson,
    origin: LoginClient,
  ): Promise<void> {
    const { clock, keys, changes } = this.deps;
    const { id, issuer, name } = provider;
    await changes.transaction(tenantId, async (tx, record) => {
      const account = await tx.people.get(tenantId, personId);
      if (!isOwn(account)) throw notYours();
      if (provider.tenantId !== tenantId || !keys.loginsOf(account.subject).some(login => login.tokenHash === tokenHash))
        throw loginEnded();
      assertSecondFactor({ person: keys.findPerson(tenantId, account.handle) });
      const known = await tx.personIdentities.find(tenantId, issuer, subject);
      if (known?.personId === personId) return;
      if (known) throw takenByOther();
      const own = await tx.personIdentities.listOfPerson(tenantId, personId);
      if (own.some(identity => identity.issuer === issuer)) throw linkedAlready(provider.name);
      await tx.personIdentities.insert({ tenantId, issuer, subject, personId, createdAt: clock.now() });
      await record({ kind: 'provider_linked', person: account, origin, name, details: { provider: id } });
    });
  }

  /** Takes the account at a provider away, and ends the other logins that began there. Rejects `not_found`, and `forbidden` for the last way in. */
  async unlink(identity: Identity, providerId: string, origin: LoginClient): Promise<void> {
    const { principal, tokenHash } = identity;
    const { keys, loginSettings, changes } = this.deps;
    const { tenantId, person } = principal;
    const { issuer, name } = loginSettings.provider(providerId);
    await changes.transaction(tenantId, async (tx, record) => {
      const account = person && (await tx.people.get(tenantId, person.id));
      if (tokenHash === undefined || !isLoginOfPerson(identity) || !isOwn(account)) throw notYours();
      const own = await tx.personIdentities.listOfPerson(tenantId, account.id);
      const linked = own.find(identity => identity.issuer === issuer);
      if (!linked) throw noProvider();
      if (!(await this.hasOtherWay(tx, account, own.length))) throw lastWay();
      await tx.personIdentities.delete(tenantId, issuer, linked.subject);
      await this.endLogins(tx, linked, tokenHash);
      await record({ kind: 'provider_unlinked', person: account, origin, name, details: { provider: providerId } });
    });
    await keys.applyChange();
  }

  private async hasOtherWay(tx: StoreTransaction, { tenantId, id, passwordHash }: PersonRecord, identities: number): Promise<boolean> {
    if (identities > 1) return true;
    if (!this.deps.loginSettings.allowsPasswords) return false;
    const factors = await tx.personFactors.listOfPerson(tenantId, id);
    return passwordHash !== '' || factors.some(({ kind }) => kind === 'passkey');
  }

  /** The login in which the person acts goes on. */
  private async endLogins(tx: StoreTransaction, { tenantId, issuer, subject }: IdentityRecord, current: string): Promise<void> {
    for (const { id, issuer: other } of this.deps.loginSettings.providers) {
      if (other !== issuer) continue;
      const sessions = await tx.personIdentities.listSessions({ tenantId, provider: id, issuer, subject });
      for (const { tokenHash } of sessions) if (tokenHash !== current) await tx.apiKeys.deleteLogin(tokenHash);
    }
  }
}

/** Groups of a provider let some people in, and another way in would outlive the groups. */
const isOwn = (account: PersonRecord | undefined): account is PersonRecord => account?.state === 'active' && account.madeBy !== 'login';

const notYours = (): AppError =>
  new AppError('forbidden', {
    message: 'Only a person who is logged in, and whom no group of a provider lets in, may do this.',
    messageZh: '只有已登录、且不是由登录服务器的组准入的人可以这样做。',
  });

const loginEnded = (): AppError =>
  new AppError('unauthenticated', {
    message: 'Your login has ended, so nothing was linked. Log in and begin again.',
    messageZh: '你的登录已结束，没有关联任何账户。请登录后重新开始。',
  });

const takenByOther = (): AppError =>
  new AppError('forbidden', {
    message: 'This account at the provider belongs to another person here.',
    messageZh: '登录服务器上的这个账户已属于此处的另一个人。',
  });

const linkedAlready = (name: string): AppError =>
  new AppError('forbidden', {
    message: `Another account at ${name} is linked already. Remove it first.`,
    messageZh: `已关联 ${name} 上的另一个账户。请先移除它。`,
  });

const lastWay = (): AppError =>
  new AppError('forbidden', {
    message: 'This is your last way in. Ask an admin for a link for a password first.',
    messageZh: '这是你唯一的登录方式。请先向管理员索取设置密码的链接。',
  });

const noProvider = (): AppError =>
  new AppError('not_found', { message: 'There is no such login provider.', messageZh: '没有这个登录服务器。' });
