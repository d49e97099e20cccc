/** API keys as the gateway knows them: those of the setting NETA_API_KEYS and those of the store. */
import type { Principal, Scope } from '../../port/principal';
import type { ApiKeyRecord } from '../../port/store/api_keys';
import { contentHash } from '../../utils/content_hash';

/** A key of NETA_API_KEYS. It lives as long as the setting. */
export interface ConfiguredKey {
  name: string;
  secret: string;
  tenantId: string;
  scopes: readonly Scope[];
}

/** A key as callers of the services see it, without its secret. */
export interface KnownKey extends Omit<ApiKeyRecord, 'createdAt'> {
  /** Absent for a key of NETA_API_KEYS. */
  createdAt?: number;
}

/** A key with values that are computed once from it. */
export interface KeyEntry {
  key: KnownKey;
  hash: Buffer;
  principal: Principal;
}

/** Begins the id of a key of NETA_API_KEYS. */
export const CONFIGURED_ID = 'env-';

/** Computes what each look at the key needs. */
export function toEntry(key: KnownKey): KeyEntry {
  const { tenantId, name: keyName, id: keyId, scopes, secretHash, expiresAt, owner } = key;
  const principal = { tenantId, keyName, keyId, owner, scopes: new Set(scopes), expiresAt };
  return { key, hash: Buffer.from(secretHash, 'hex'), principal };
}

/** Returns a key of the setting as one of the store looks. */
export function toKnownKey({ name, secret, tenantId, scopes }: ConfiguredKey): KnownKey {
  return { id: `${CONFIGURED_ID}${name}`, name, tenantId, scopes, secretHash: contentHash(secret) };
}
