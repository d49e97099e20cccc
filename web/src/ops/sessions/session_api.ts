/** Sessions for operators. Every failure rejects with a RequestError. */
import { callRest, requestRest } from '../../api/call_rest';
import type { HistoryMessage, Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';
import { listQuery } from '../shared/list_query';

export type OpsSession = Answer<'OpsSessions'>['data'][number];

/** Filters of the address that the gateway knows by the same name. */
export const SESSION_FILTERS = ['q', 'tenant', 'agent', 'status', 'origin'] as const;

/** Lists the most recently used first; with `q` the best match first. */
export function listSessions(query: Readonly<Record<string, string>>, cursor?: string): Promise<Page<OpsSession>> {
  return callRest('GET', `/ops/sessions?${listQuery({ filters: SESSION_FILTERS, query, cursor, fixed: { limit: '50' } })}`);
}

const pathOf = (id: string): string => `/ops/sessions/${encodeURIComponent(id)}`;

/** Reads the messages of a session of any tenant that the operator sees, oldest first. */
export const listMessages = (id: string, cursor?: string): Promise<Page<HistoryMessage>> =>
  callRest('GET', `${pathOf(id)}/messages?${new URLSearchParams(cursor ? { limit: '100', cursor } : { limit: '100' })}`);

/** Deletes a session with its messages, runs, events and files of results. */
export const deleteSession = (id: string): Promise<void> => callRest('DELETE', pathOf(id));

/** Reads a session with everything that belongs to it, one thing a line. */
export async function exportSession(id: string): Promise<string> {
  return (await requestRest('GET', `${pathOf(id)}/export`, { headers: { accept: 'application/x-ndjson' } })).text();
}
