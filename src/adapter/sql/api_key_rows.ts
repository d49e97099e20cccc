/** Rows of API keys and logins, and the records that they hold. */
import type { Scope } from '../../port/principal';
import type { ApiKeyRecord } from '../../port/store/api_keys';
import { fromJson } from './column_values';

/** An API key; `secret_hash` is the SHA-256 of its secret, in hexadecimal digits. */
export interface ApiKeyRow {
  tenant_id: string;
  id: string;
  name: string;
  secret_hash: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** Tenant and Idempotency-Key of the request that made the key, and the hash of its body. */
  request_key: string | null;
  request_fingerprint: string | null;
}

/** A login of a browser. `key_hash` names the API key, also one of NETA_API_KEYS. */
export interface LoginRow {
  token_hash: string;
  key_hash: string;
  created_at: number;
  expires_at: number;
}

export function toApiKeyRow(key: ApiKeyRecord): ApiKeyRow {
  return {
    tenant_id: key.tenantId,
    id: key.id,
    name: key.name,
    secret_hash: key.secretHash,
    scopes: JSON.stringify(key.scopes),
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
    request_key: key.request?.key ?? null,
    request_fingerprint: key.request?.fingerprint ?? null,
  };
}

export function toApiKeyRecord(row: ApiKeyRow): ApiKeyRecord {
  const { request_key: key, request_fingerprint: fingerprint } = row;
  return {
    tenantId: row.tenant_id,
    id: row.id,
    name: row.name,
    secretHash: row.secret_hash,
    scopes: fromJson<Scope[]>(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    request: key !== null && fingerprint !== null ? { key, fingerprint } : undefined,
  };
}
