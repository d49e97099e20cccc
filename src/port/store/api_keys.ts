/** API keys and logins. Both are looked up before the tenant is known, so every method concerns all tenants. */
import type { Scope } from '../principal';

export interface ApiKeyRecord {
  /** The tenant of callers who show the key. */
  tenantId: string;
  id: string;
  name: string;
  /** SHA-256 of the secret, in hexadecimal digits. */
  secretHash: string;
  scopes: readonly Scope[];
  /** Handle of the person to whom the key belongs. Absent: the key belongs to a service, or to nobody who is known. */
  owner?: string;
  createdAt: number;
  expiresAt?: number;
  lastUsedAt?: number;
  /** The request that made the key, when the request had an Idempotency-Key. */
  request?: { key: string; fingerprint: string };
}

/** The login of a browser. A login stands for the API key or the person with `keyHash` as long as that caller is valid. */
export interface LoginRecord {
  /** SHA-256 of the cookie's value. */
  tokenHash: string;
  /** SHA-256 of the secret of the API key; for a person the subject of the account. */
  keyHash: string;
  createdAt: number;
  expiresAt: number;
  /** IP address of the client that logged in. */
  address?: string;
  /** What that client said it is. */
  userAgent?: string;
}

export interface ApiKeyReader {
  /** Oldest first. */
  list(): Promise<ApiKeyRecord[]>;
  /** The last use of keys that have no row, such as those of NETA_API_KEYS, by their id. */
  listConfiguredUses(): Promise<{ id: string; lastUsedAt: number }[]>;
  /** Logins that end after `now`. */
  listLogins(now: number): Promise<LoginRecord[]>;
}

export interface ApiKeyWriter {
  /** Rejects with `internal` when the id, the secret or the key of the request is taken. */
  insert(key: ApiKeyRecord): Promise<void>;
  /** Deletes a key. Resolves false when it does not exist. */
  delete(id: string): Promise<boolean>;
  /** Sets the time of the last use, and never moves it back. */
  markUsed(id: string, lastUsedAt: number): Promise<void>;
  /** As `markUsed`, for a key that has no row. */
  markConfiguredUsed(id: string, lastUsedAt: number): Promise<void>;
  insertLogin(login: LoginRecord): Promise<void>;
  deleteLogin(tokenHash: string): Promise<void>;
  /** Deletes all logins of a key but the `keep` newest. */
  deleteLoginsOf(keyHash: string, keep: number): Promise<void>;
  /** Deletes all logins of a key or a person but the one with `tokenHash`. */
  deleteOtherLogins(keyHash: string, tokenHash: string): Promise<void>;
  /** Deletes the logins that ended at or before `now`. */
  deleteExpiredLogins(now: number): Promise<void>;
}
