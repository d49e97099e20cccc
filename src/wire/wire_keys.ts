/** Encodes API keys and callers: ISO times, no hashes. */
import type { Principal } from '../port/principal';
import type { KnownKey } from '../service/auth/key_ring';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWireKey({ id, name, tenantId, scopes, createdAt, expiresAt, lastUsedAt }: KnownKey) {
  return {
    id,
    name,
    tenant: tenantId,
    scopes,
    source: createdAt === undefined ? 'settings' : 'stored',
    createdAt: createdAt === undefined ? undefined : iso(createdAt),
    expiresAt: expiresAt === undefined ? undefined : iso(expiresAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : iso(lastUsedAt),
  };
}

/** `loginRequired`: callers without a key are refused. */
export function toWireCaller({ keyName, tenantId, scopes, expiresAt }: Principal, loginRequired: boolean) {
  const ends = expiresAt !== undefined && { expiresAt: iso(expiresAt) };
  return { keyName, tenant: tenantId, scopes: [...scopes], loginRequired, ...ends };
}
