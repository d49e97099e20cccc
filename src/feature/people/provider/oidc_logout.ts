/** Ends logins when their provider says that the session there has ended (OpenID Connect Back-Channel Logout 1.0). */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import { OidcError, type OidcPort } from '../../../port/oidc';
import type { Store } from '../../../port/store/store';
import type { AuditRecorder } from '../../../service/audit/audit_log';
import { AddressCounts } from '../../../service/auth/address_counts';
import type { KeyRing } from '../../../service/auth/key_ring';
import { contentHash } from '../../../utils/content_hash';
import type { LoginSettings } from '../login/login_settings';

/** Wrong logout tokens of one address in a minute. */
const MAX_FAILURES = 20;

export interface OidcLogoutDeps {
  store: Store;
  clock: Clock;
  oidc: OidcPort;
  keys: Pick<KeyRing, 'applyChange'>;
  auditLog: AuditRecorder;
  loginSettings: LoginSettings;
  onError: LogError;
}

export class OidcLogout {
  private readonly failures: AddressCounts;

  constructor(private readonly deps: OidcLogoutDeps) {
    this.failures = new AddressCounts(deps);
  }

  /** Ends the logins that the token names; a token counts once. Rejects `not_found`, `invalid_request`, `rate_limited` and `provider_unreachable`. */
  async end(id: string, token: string, address: string): Promise<void> {
    const { store, keys, loginSettings, auditLog } = this.deps;
    const provider = loginSettings.provider(id);
    const { count, retryAfterMs } = this.failures.windowOf(address, 'logout');
    if (count >= MAX_FAILURES) throw new AppError('rate_limited', { retryAfterMs });
    const { id: tokenId, subject, sessionId, expiresAt } = await this.read(id, token, address);
    const { tenantId, issuer } = provider;
    await store.transaction({ tenant: tenantId }, async tx => {
      if (!(await tx.personIdentities.spend(contentHash(`${issuer}\n${tokenId}`), expiresAt))) throw badToken();
      const ended = await tx.personIdentities.listSessions({ tenantId, provider: id, issuer, subject, sessionId });
      for (const { tokenHash } of ended) {
        await tx.apiKeys.deleteLogin(tokenHash);
        await tx.personIdentities.deleteSession(tokenHash);
      }
      const details = { logins: ended.length };
      await auditLog.record({ tenantId, actor: `provider:${id}`, action: 'login.end', target: id, details }, tx);
    });
    await keys.applyChange();
  }

  private async read(id: string, token: string, address: string) {
    const { oidc, loginSettings, onError } = this.deps;
    try {
      return await oidc.readLogoutToken(loginSettings.provider(id), token);
    } catch (thrown) {
      if (!(thrown instanceof OidcError)) throw thrown;
      this.failures.add(address, 'logout');
      onError('a logout token was refused', thrown.message);
      throw thrown.kind === 'unreachable' ? new AppError('provider_unreachable', { cause: thrown }) : badToken(thrown);
    }
  }
}

const badToken = (cause?: unknown): AppError =>
  new AppError('invalid_request', {
    param: '/logout_token',
    message: '/logout_token: is not a fresh logout token of this provider for this gateway, or was used before.',
    messageZh: '/logout_token：不是该登录服务器为此网关签发的有效注销令牌，或已被使用过。',
    cause,
  });
