import { contentHash } from '../../utils/content_hash';

/**
 * Returns the key of a vector. Tenants share no vectors: the time of a search would tell what another tenant has written, and deleting a text would
 * delete another tenant's vector. `tenantId` absent: a text of the operator.
 */
export const vectorKey = (text: string, tenantId?: string): string => contentHash(tenantId === undefined ? text : `${tenantId}\n${text}`);
