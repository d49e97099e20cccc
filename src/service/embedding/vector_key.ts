import { contentHash } from '../../utils/content_hash';

/**
 * Returns the key of a vector. Tenants share none: the time of a search would tell what another tenant has written, and who deletes a text would
 * delete the vector of the others. `tenantId` absent: a text of the operator.
 */
export const vectorKey = (text: string, tenantId?: string): string => contentHash(tenantId === undefined ? text : `${tenantId}\n${text}`);
