/** Encodes API keys and callers: ISO times, no hashes. */

import { isOperator, type Principal } from '../port/principal';
import type { KnownKey } from '../service/auth/key_ring';
import { toIsoTime } from '../utils/iso_time';

export function toWireKey({ id, name, tenantId, scopes, createdAt, expiresAt, lastUsedAt }: KnownKey) {
  return {
    id,
    name,
    tenant: tenantId,
    scopes,
    source: createdAt === undefined ? 'settings' : 'stored',
    createdAt: createdAt === undefined ? undefined : toIsoTime(createdAt),
    expiresAt: expiresAt === undefined ? undefined : toIsoTime(expiresAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toIsoTime(lastUsedAt),
  };
}

/** `loginRequired`: callers without a key are refused. */
export function toWireCaller(principal: Principal, loginRequired: boolean) {
  const { keyName, tenantId, scopes, expiresAt } = principal;
  const ends = expiresAt !== undefined && { expiresAt: toIsoTime(expiresAt) };
  return { keyName, tenant: tenantId, scopes: [...scopes], operator: isOperator(principal), loginRequired, ...ends };
}
