/** Lists of runs for operators. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import { listQuery } from '../shared/list_query';
import type { RunsPage } from '../shared/ops_types';

/** Filters of the address that the gateway knows by the same name. */
export const RUN_FILTERS = ['status', 'agent', 'door', 'key', 'reason', 'since', 'until', 'q', 'tenant', 'sort'] as const;

/** Lengths of a span that ends now, in hours. */
export const SPANS = ['1', '6', '24', '168'] as const;

/** Replaces the length of a span by its beginning. A beginning that the address names itself counts first. */
export function withSince(query: Readonly<Record<string, string>>, now = Date.now()): Readonly<Record<string, string>> {
  const hours = SPANS.find(each => each === query['hours']);
  if (hours === undefined || query['since']) return query;
  return { ...query, since: new Date(now - Number(hours) * 3_600_000).toISOString() };
}

/** Reads ended runs, newest first; with `sort` the largest first, on one page. */
export function listEndedRuns(query: Readonly<Record<string, string>>, cursor?: string): Promise<RunsPage> {
  const fixed = { limit: '50', texts: 'true' };
  return callRest('GET', `/ops/runs?${listQuery({ filters: RUN_FILTERS, query, cursor, fixed })}`);
}
