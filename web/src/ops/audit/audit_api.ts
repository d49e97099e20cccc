/** The audit log. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type AuditEntry = Answer<'AuditRow'>;

export const AUDIT_FILTERS = ['q', 'actor', 'action', 'target', 'tenant', 'from', 'to'] as const;

/** Lists the newest first. */
export function listAudit(query: Readonly<Record<string, string>>, cursor?: string): Promise<Page<AuditEntry>> {
  const given = AUDIT_FILTERS.flatMap(name => (query[name] ? [[name, query[name]] as [string, string]] : []));
  return callRest(
    'GET',
    `/audit?${new URLSearchParams([['limit', '100'], ...given, ...(cursor ? [['cursor', cursor] as [string, string]] : [])])}`,
  );
}
