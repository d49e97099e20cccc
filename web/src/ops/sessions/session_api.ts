/** The routes of sessions that operators use. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import type { HistoryMessage, MessageHit, Page, SessionSummary } from '../../api/rest_types';

const PAGE_SIZE = '50';
const EXPORT_PAGE_SIZE = '500';

export function listSessions({ q, origin }: { q: string; origin: string }, cursor?: string): Promise<Page<SessionSummary>> {
  return callRest('GET', `/sessions?${parametersOf({ limit: PAGE_SIZE, q, origin, cursor })}`);
}

/** Finds messages of all sessions, best first. */
export function searchMessages(q: string, cursor?: string): Promise<Page<MessageHit>> {
  return callRest('GET', `/search?${parametersOf({ limit: PAGE_SIZE, q, cursor })}`);
}

/** Deletes a session with its messages, runs, events and files of results. */
export function deleteSession(id: string): Promise<void> {
  return callRest('DELETE', `/sessions/${encodeURIComponent(id)}`);
}

/** Reads a session with all its messages, oldest first. */
export async function exportSession(id: string): Promise<{ session: SessionSummary; messages: HistoryMessage[] }> {
  const path = `/sessions/${encodeURIComponent(id)}`;
  const session = await callRest<SessionSummary>('GET', path);
  const messages: HistoryMessage[] = [];
  let cursor: string | undefined;
  do {
    const page = await callRest<Page<HistoryMessage>>('GET', `${path}/messages?${parametersOf({ limit: EXPORT_PAGE_SIZE, cursor })}`);
    messages.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return { session, messages };
}

/** Empty values are left out. */
function parametersOf(values: Record<string, string | undefined>): URLSearchParams {
  return new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
