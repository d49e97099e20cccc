/** Logins of pages: a key is exchanged for a cookie. Only hashes are stored, so that a login works on every gateway and after a restart. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { LoginRecord } from '../../port/store/api_keys';
import type { Store, StoreTransaction } from '../../port/store/store';
import { contentHash } from '../../utils/content_hash';
import { type AuditRecorder, byActor } from '../audit/audit_log';
import { SECRET_PREFIX } from './api_key_service';
import type { AuthService } from './auth_service';
import type { Identity, KeyRing } from './key_ring';

/** Milliseconds. */
export const LOGIN_LIFE_MS = 12 * 3_600_000;
export const DEVICE_LIFE_MS = 365 * 24 * 3_600_000;
/** Logins of one key at once; the oldest end. */
const MAX_LOGINS = 100;

/** Most characters of what a client says it is. */
const MAX_USER_AGENT = 200;

/** The client that logs in. */
export interface LoginClient {
  /** IP address. */
  address: string;
  /** What the client says it is. */
  userAgent?: string | undefined;
}

/** A login that has just begun. `token`: the value of the cookie. */
export interface StartedLogin {
  token: string;
  identity: Identity;
  /** The value of the device cookie, for a person who has a password. */
  device?: string | undefined;
}

/** Returns the id by which people name a login: the beginning of a hash, of which nobody can make the cookie. */
export const loginId = ({ tokenHash }: Pick<LoginRecord, 'tokenHash'>): string => `log_${tokenHash.slice(0, 24)}`;

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

  /** Starts a login with a key. Rejects as AuthService.identifySecret does, and with `store_unavailable`. */
  async logIn(secret: string, client: LoginClient): Promise<StartedLogin> {
    const { keyHash, principal } = await this.deps.auth.identifySecret(secret, client.address);
    if (keyHash === undefined) throw new AppError('unauthenticated');
    return this.start({ keyHash, principal, way: 'key' }, client);
  }

  /** Starts a login of a caller who has proven who it is. `way`: how, for the audit log. `also`: more writes in the transaction. */
  async start(
    { keyHash, principal, way }: { keyHash: string; principal: Pick<Principal, 'tenantId' | 'keyName'>; way: string },
    { address, userAgent }: LoginClient,
    also?: (tx: StoreTransaction, login: LoginRecord) => Promise<void>,
  ): Promise<StartedLogin> {
    const { store, clock, createSecret, keys, auditLog } = this.deps;
    const token = SECRET_PREFIX + createSecret();
    const createdAt = clock.now();
    const login: LoginRecord = {
      tokenHash: contentHash(token),
      keyHash,
      createdAt,
      expiresAt: createdAt + LOGIN_LIFE_MS,
      address,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT),
    };
    await store.transaction({ tenant: principal.tenantId }, async tx => {
      await tx.apiKeys.deleteExpiredLogins(createdAt);
      await tx.apiKeys.deleteLoginsOf(keyHash, MAX_LOGINS - 1);
      await tx.apiKeys.insertLogin(login);
      await auditLog.record({ ...byActor(principal), action: 'login.create', target: principal.keyName, details: { address, way } }, tx);
      await also?.(tx, login);
    });
    await keys.applyChange();
    const identity = await keys.identify({ token });
    if (!identity) throw new AppError('unauthenticated');
    return { token, identity };
  }

  /** Returns the logins of the caller that are in use, newest first. */
  listLogins({ keyHash }: Identity): readonly LoginRecord[] {
    return keyHash === undefined ? [] : this.deps.keys.loginsOf(keyHash);
  }

  /** Ends one login of the caller. Rejects `not_found`. */
  async endLogin({ keyHash, principal }: Identity, id: string): Promise<void> {
    const { store, keys, auditLog } = this.deps;
    const login = keyHash === undefined ? undefined : keys.loginsOf(keyHash).find(each => loginId(each) === id);
    if (!login) throw new AppError('not_found', { message: 'There is no such login.', messageZh: '没有这个登录。' });
    await store.transaction('none', async tx => {
      await tx.apiKeys.deleteLogin(login.tokenHash);
      await auditLog.record({ ...byActor(principal), action: 'login.end', target: principal.keyName, details: { id } }, tx);
    });
    await keys.applyChange();
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
