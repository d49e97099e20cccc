import { contentHash } from '../../utils/content_hash';
import type { NewAuditRecord } from './audit';

/** Stands for the hash of the row before the first one. */
export const FIRST_AUDIT_HASH = '0'.repeat(64);

/**
 * Returns the hash of a row: SHA-256 in hex of the JSON text `[prevHash, id, tenant, at, actor, action, target, details]`, without spaces, with
 * `at` as an ISO time and `details` as GET /audit shows it. A program can compute it from the answer of GET /audit alone.
 */
export function auditHash(prevHash: string, { id, tenantId, at, actor, action, target, details }: NewAuditRecord): string {
  return contentHash(JSON.stringify([prevHash, id, tenantId, new Date(at).toISOString(), actor, action, target, details]));
}
