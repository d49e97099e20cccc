/** Finds out who a caller is, on every door: by its API key, by its login, or as a program of this machine while there is no key. */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { Logger } from '../../port/logger';
import { contentHash } from '../../utils/content_hash';
import { isLoopbackAddress } from '../../utils/loopback_address';
import type { AuditLog } from '../audit/audit_log';
import type { FailureLimit } from './failure_limit';
import type { Identity, KeyRing } from './key_ring';
import type { KeyUsage } from './key_usage';
import type { LiveCallers } from './live_callers';

/** The credentials of a request, which say who sent the request. */
export interface ShownCredentials {
  /** The bearer token, or `auth.token` of a socket. It counts before the cookie. */
  secret?: string | undefined;
  /** The value of the login cookie. */
  token?: string | undefined;
  /** IP address of the client. */
  address: string;
}

export interface AuthDeps {
  keys: KeyRing;
  failures: FailureLimit;
  usage: KeyUsage;
  live: LiveCallers;
  auditLog: Pick<AuditLog, 'recordFailedLogin'>;
  logger: Pick<Logger, 'info'>;
}

/** The most remembered keys that were sent while the gateway had none; each is looked up in the store once. */
const MAX_IGNORED = 1_000;

export class AuthService {
  private readonly ignored = new LRUCache<string, true>({ max: MAX_IGNORED });
  private hasToldOfIgnored = false;

  constructor(private readonly deps: AuthDeps) {}

  /**
   * Rejects with `unauthenticated` for a key that is wrong, and without one while there are keys; with `rate_limited` after too many wrong keys
   * or cookies of one address. A cookie that has ended counts as none, and so does an unknown key while a caller needs none: many clients cannot be
   * set up without a key.
   */
  async authenticate({ secret, token, address }: ShownCredentials): Promise<Identity> {
    const identity = (await this.identifyShown({ secret, token, address })) ?? this.localCaller(address);
    if (!identity) throw new AppError('unauthenticated');
    const { keyId, person } = identity.principal;
    if (keyId !== undefined && keyId !== person?.id) this.deps.usage.markUsed(keyId);
    return identity;
  }

  /** As `authenticate` for a key that must be shown. */
  async identifySecret(secret: string, address: string): Promise<Identity> {
    const { keys, failures } = this.deps;
    const credential = contentHash(secret);
    failures.assertAllowed(address, credential);
    const identity = await keys.identify({ secret });
    if (!identity) {
      failures.recordFailure(address);
      this.deps.auditLog.recordFailedLogin(address);
      throw new AppError('unauthenticated', {
        message: 'There is no such key, or it has expired.',
        messageZh: '没有这个密钥，或者它已过期。',
      });
    }
    failures.recordSuccess(address, credential);
    return identity;
  }

  get isLocked(): boolean {
    return this.deps.keys.isLocked;
  }

  /** Calls `end` when the caller may no longer be served, until the returned function forgets the connection. */
  followConnection(identity: Identity, end: () => void): () => void {
    return this.deps.live.follow(identity, end);
  }

  private async identifyShown({ secret, token, address }: ShownCredentials): Promise<Identity | undefined> {
    if (secret === undefined) return this.identifyToken(token, address);
    if (this.localCaller(address) && (await this.isIgnored(secret))) return undefined;
    return this.identifySecret(secret, address);
  }

  /** The caller without a key. Undefined for another machine: a proxy may bring callers from anywhere to a loopback address. */
  private localCaller(address: string): Identity | undefined {
    return isLoopbackAddress(address) ? this.deps.keys.local : undefined;
  }

  /** Returns true when the gateway still has no key. Looks each secret up once: another gateway may have made the key just now. */
  private async isIgnored(secret: string): Promise<boolean> {
    const { keys, logger } = this.deps;
    const credential = contentHash(secret);
    if (this.ignored.has(credential)) return true;
    if ((await keys.identify({ secret })) || keys.isLocked) return false;
    this.ignored.set(credential, true);
    if (!this.hasToldOfIgnored) logger.info('a client sent a key', 'This gateway has no key, so it ignores the keys that clients send.');
    this.hasToldOfIgnored = true;
    return true;
  }

  /** An unknown cookie costs a reading of the store, so unknown cookies are limited as wrong keys are. */
  private async identifyToken(token: string | undefined, address: string): Promise<Identity | undefined> {
    const { keys, failures } = this.deps;
    if (token === undefined || !keys.isLocked) return undefined;
    const known = keys.findLoggedIn(token);
    if (known) return known;
    failures.assertAllowed(address, contentHash(token), 'cookie');
    const found = await keys.identify({ token });
    if (!found) failures.recordFailure(address, 'cookie');
    return found;
  }
}
