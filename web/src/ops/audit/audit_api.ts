/** The audit log. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';
import { listQuery } from '../shared/list_query';

export type AuditEntry = Answer<'AuditRow'>;

export const AUDIT_FILTERS = ['q', 'actor', 'action', 'target', 'tenant', 'from', 'to'] as const;

/** Lists the newest first. */
export function listAudit(query: Readonly<Record<string, string>>, cursor?: string): Promise<Page<AuditEntry>> {
  return callRest('GET', `/audit?${listQuery({ filters: AUDIT_FILTERS, query, cursor, fixed: { limit: '100' } })}`);
}
