/** Encodes API keys and callers: ISO times, no hashes. */

import { isOperator, type Principal } from '../port/principal';
import type { LoginRecord } from '../port/store/api_keys';
import type { KnownKey } from '../service/auth/known_key';
import { loginId } from '../service/auth/login_service';
import { toIsoTime } from '../utils/iso_time';

export function toWireKey({ id, name, tenantId, scopes, owner, createdAt, expiresAt, lastUsedAt }: KnownKey) {
  return {
    id,
    name,
    tenant: tenantId,
    scopes,
    owner,
    source: createdAt === undefined ? 'settings' : 'stored',
    createdAt: createdAt === undefined ? undefined : toIsoTime(createdAt),
    expiresAt: expiresAt === undefined ? undefined : toIsoTime(expiresAt),
    lastUsedAt: lastUsedAt === undefined ? undefined : toIsoTime(lastUsedAt),
  };
}

/** `loginRequired`: callers without a key are refused. */
export function toWireCaller(principal: Principal, loginRequired: boolean) {
  const { keyName, tenantId, scopes, expiresAt, person, guestOf } = principal;
  // The key of a person is the person, with an id of its own.
  const keyId = principal.keyId === person?.id ? undefined : principal.keyId;
  const ends = expiresAt !== undefined && { expiresAt: toIsoTime(expiresAt) };
  return {
    keyName,
    keyId,
    tenant: tenantId,
    scopes: [...scopes],
    operator: isOperator(principal),
    loginRequired,
    ...ends,
    person,
    guestOf,
  };
}

/** `currentHash`: the hash of the caller's own login. */
export function toWireLogin(login: LoginRecord, currentHash: string | undefined) {
  const { tokenHash, createdAt, expiresAt, address, userAgent } = login;
  return {
    id: loginId(login),
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTime(expiresAt),
    address,
    userAgent,
    current: tokenHash === currentHash,
  };
}
