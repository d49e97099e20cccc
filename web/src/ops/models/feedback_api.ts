/** Ratings of answers, for operators. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { Answer } from '../../api/schema_types';

export type FeedbackRow = Answer<'OpsFeedback'>;
export type FeedbackCount = Answer<'OpsFeedbackCount'>;

/** Filters of the address that the gateway knows by the same name. */
export const FEEDBACK_FILTERS = ['rating', 'agent', 'model'] as const;

/** `since`: ISO 8601. `tenant`: '' for all tenants that the key sees. */
export interface FeedbackRange {
  since: string;
  tenant: string;
}

const toQuery = (fields: Readonly<Record<string, string | undefined>>): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** Counts ratings by tenant, agent and model. */
export const countFeedback = async (range: FeedbackRange): Promise<readonly FeedbackCount[]> =>
  (await callRest<Page<FeedbackCount>>('GET', `/ops/feedback/counts?${toQuery({ ...range })}`)).data;

/** Lists the latest first. `query`: the filters of the address. */
export function listFeedback(range: FeedbackRange, query: Readonly<Record<string, string>>, cursor?: string): Promise<Page<FeedbackRow>> {
  const filters = Object.fromEntries(FEEDBACK_FILTERS.map(name => [name, query[name]]));
  return callRest('GET', `/ops/feedback?${toQuery({ ...range, ...filters, limit: '50', cursor })}`);
}
