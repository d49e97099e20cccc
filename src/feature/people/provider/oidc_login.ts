/**
 * Logs people in at OpenID Connect providers. What a login that has begun needs stands sealed in a cookie of the browser, so any gateway with the same
 * key ends it, and nobody can end it in the browser of somebody else.
 */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import { OidcError, type OidcPort, type OidcSecrets } from '../../../port/oidc';
import type { Sealer } from '../../../port/sealer';
import type { Locale } from '../../../port/store/sessions';
import type { AuditLog } from '../../../service/audit/audit_log';
import { AddressCounts } from '../../../service/auth/address_counts';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { LoginClient, StartedLogin } from '../../../service/auth/login_service';
import type { LoginChanges } from '../login/login_changes';
import type { LoginProvider } from '../login/login_file';
import type { LoginSettings } from '../login/login_settings';
import type { SignInLog } from '../login/sign_in_log';
import { noGroup, type OidcPeople } from './oidc_people';
import type { LinkingPerson, ProviderLinks } from './provider_links';

export const LOGIN_STEP_MS = 10 * 60_000;
/** Logins that one address begins in a minute; an office may share an address. */
const MAX_STARTS = 120;
const PURPOSE = 'oidc_login';

export interface LoginStart {
  redirectUrl: string;
  /** A path that `toReturnPath` has checked. */
  returnPath: string;
  invitation?: string | undefined;
  /** Set when a person who is logged in links the account at the provider. */
  link?: LinkingPerson | undefined;
  address: string;
}

export interface LoginEnd {
  /** The query that the browser brought, with its question mark. */
  search: string;
  /** The sealed cookie. */
  step: string | undefined;
  client: LoginClient;
  locale: Locale;
}

/** A login that has begun, as the cookie keeps it. */
interface Begun {
  provider: string;
  secrets: OidcSecrets;
  redirectUrl: string;
  returnPath: string;
  invitation?: string | undefined;
  link?: LinkingPerson | undefined;
  expiresAt: number;
}

export interface OidcLoginDeps {
  clock: Clock;
  oidc: OidcPort;
  sealer: Sealer;
  signIns: Pick<SignInLog, 'start'>;
  auditLog: Pick<AuditLog, 'recordFailedLogin'>;
  changes: LoginChanges;
  loginSettings: LoginSettings;
  accounts: OidcPeople;
  links: Pick<ProviderLinks, 'link'>;
  keys: Pick<KeyRing, 'applyChange'>;
  onError: LogError;
}

export class OidcLogin {
  private readonly starts: AddressCounts;

  constructor(private readonly deps: OidcLoginDeps) {
    this.starts = new AddressCounts(deps);
  }

  /** Resolves with the page of the provider and the value of the cookie. Rejects `not_found`, `rate_limited` and `provider_unreachable`. */
  async begin(id: string, { address, ...start }: LoginStart): Promise<{ url: string; step: string }> {
    const { oidc, sealer, clock, loginSettings } = this.deps;
    const provider = loginSettings.provider(id);
    const { count, retryAfterMs } = this.starts.windowOf(address, 'start');
    if (count >= MAX_STARTS) throw new AppError('rate_limited', { retryAfterMs });
    this.starts.add(address, 'start');
    const { url, secrets } = await this.ask(provider, () => oidc.beginLogin(provider, start.redirectUrl));
    const begun: Begun = { provider: id, secrets, ...start, expiresAt: clock.now() + LOGIN_STEP_MS };
    return { url, step: sealer.seal(JSON.stringify(begun), PURPOSE) };
  }

  /** Without `login` the person has linked an account. Rejects `unauthenticated`, `forbidden` for a person who is not let in, `not_found` and `provider_unreachable`. */
  async finish(id: string, { search, step, client, locale }: LoginEnd): Promise<{ login?: StartedLogin; returnPath: string }> {
    const { oidc, loginSettings, links, accounts, keys, signIns, clock, auditLog, changes } = this.deps;
    const provider = loginSettings.provider(id);
    const begun = this.open(step);
    if (begun?.provider !== id) throw noLogin();
    const { redirectUrl, secrets, invitation, link, returnPath } = begun;
    const { tenantId, issuer } = provider;
    try {
      const known = await this.ask(provider, () => oidc.finishLogin(provider, { callbackUrl: redirectUrl + search, secrets }));
      if (link) {
        await links.link(link, provider, known, client);
        return { returnPath };
      }
      const person = await changes.transaction(tenantId, (tx, record) =>
        accounts.findOrMake(tx, { provider, person: known, locale, invitation, client, record }),
      );
      if (!person) {
        await keys.applyChange();
        throw noGroup();
      }
      const login = await signIns.start({ person, way: `provider:${id}` }, client, async (tx, begunLogin) => {
        const { subject, sessionId } = known;
        const { tokenHash, expiresAt } = begunLogin;
        await tx.people.markLogin(tenantId, person.id, clock.now());
        await tx.personIdentities.insertSession({ tokenHash, tenantId, provider: id, issuer, subject, sessionId, expiresAt });
      });
      return { login, returnPath };
    } catch (thrown) {
      auditLog.recordFailedLogin(client.address);
      throw thrown;
    }
  }

  private open(step: string | undefined): Begun | undefined {
    const text = step === undefined ? undefined : this.deps.sealer.open(step, PURPOSE);
    const begun = text === undefined ? undefined : (JSON.parse(text) as Begun);
    return begun && begun.expiresAt > this.deps.clock.now() ? begun : undefined;
  }

  /** The words of a provider are for the log of the operator; the person gets a sentence of the gateway. */
  private async ask<T>({ name }: LoginProvider, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof OidcError)) throw thrown;
      this.deps.onError('a login at a provider failed', thrown.message);
      if (thrown.kind === 'unreachable') throw new AppError('provider_unreachable', { cause: thrown });
      throw new AppError('unauthenticated', {
        message: `The login at ${name} did not succeed. Begin it again.`,
        messageZh: `在 ${name} 的登录没有成功。请重新开始。`,
        cause: thrown,
      });
    }
  }
}

const noLogin = (): AppError =>
  new AppError('unauthenticated', {
    message: 'This login was not begun in this browser, or it began more than 10 minutes ago. Begin it again.',
    messageZh: '此登录不是在这个浏览器中开始的，或者开始于 10 分钟之前。请重新开始。',
  });
