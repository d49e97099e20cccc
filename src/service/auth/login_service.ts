/** Logins of pages: a key is exchanged for a cookie. Only hashes are stored, so that a login works on every gateway and after a restart. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Store } from '../../port/store/store';
import { contentHash } from '../../utils/content_hash';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { SECRET_PREFIX } from './api_key_service';
import type { AuthService } from './auth_service';
import type { Identity, KeyRing } from './key_ring';

/** Milliseconds. */
export const LOGIN_LIFE_MS = 12 * 3_600_000;
/** Logins of one key at once; the oldest end. */
const MAX_LOGINS = 100;

/** Ends what the key with this hash has in the tenant beside its logins. Called when all logins of the key shall end. */
export type LogoutHook = (tenantId: string, keyHash: string) => Promise<void>;

export interface LoginDeps {
  store: Store;
  clock: Clock;
  createSecret: () => string;
  keys: KeyRing;
  auth: AuthService;
  auditLog: AuditRecorder;
  logoutHooks: readonly LogoutHook[];
}

export class LoginService {
  constructor(private readonly deps: LoginDeps) {}

  /** Resolves with the value of the cookie. Rejects as AuthService.identifySecret does, and with `store_unavailable`. */
  async logIn(secret: string, address: string): Promise<{ token: string; identity: Identity }> {
    const { store, clock, createSecret, keys, auth } = this.deps;
    const { keyHash, principal } = await auth.identifySecret(secret, address);
    if (keyHash === undefined) throw new AppError('unauthenticated');
    const token = SECRET_PREFIX + createSecret();
    const createdAt = clock.now();
    const login = { tokenHash: contentHash(token), keyHash, createdAt, expiresAt: createdAt + LOGIN_LIFE_MS };
    await store.transaction({ tenant: principal.tenantId }, async tx => {
      await tx.apiKeys.deleteExpiredLogins(createdAt);
      await tx.apiKeys.deleteLoginsOf(keyHash, MAX_LOGINS - 1);
      await tx.apiKeys.insertLogin(login);
      await this.deps.auditLog.record(
        { ...byActor(principal), action: 'login.create', target: principal.keyName, details: { address } },
        tx,
      );
    });
    await keys.applyChange();
    const identity = await keys.identify({ token });
    if (!identity) throw new AppError('unauthenticated');
    return { token, identity };
  }

  /** Ends the login of the caller; `everywhere`: all logins with its key, and its devices with notifications. Their connections end. */
  async logOut({ keyHash, tokenHash, principal }: Identity, everywhere: boolean): Promise<void> {
    const { store, keys, auditLog, logoutHooks } = this.deps;
    const isEverywhere = everywhere && keyHash !== undefined;
    if (!isEverywhere && tokenHash === undefined) return;
    // First, so that a failure leaves the login with which the person tries again.
    if (isEverywhere) for (const endMore of logoutHooks) await endMore(principal.tenantId, keyHash);
    await store.transaction('none', async tx => {
      if (isEverywhere) await tx.apiKeys.deleteLoginsOf(keyHash, 0);
      else if (tokenHash !== undefined) await tx.apiKeys.deleteLogin(tokenHash);
      const details = isEverywhere ? { everywhere } : {};
      await auditLog.record({ ...byActor(principal), action: 'login.end', target: principal.keyName, details }, tx);
    });
    await keys.applyChange();
  }
}
