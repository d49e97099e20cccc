/** The searches of the REST API. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import { listPrompts } from '../../api/prompt_api';
import type { MessageHit, Page, SessionSummary } from '../../api/rest_types';
import type { SearchFilter, SearchSource } from './search_requests';

const MAX_SESSIONS = 6;
const MAX_PROMPTS = 5;
const MAX_MESSAGES = 20;

export const searchClient: SearchSource = {
  /** Finds chats by title. */
  searchSessions: (query, filter): Promise<Page<SessionSummary>> =>
    callRest('GET', `/sessions?${toQuery({ q: query, limit: String(MAX_SESSIONS), ...toFields(filter) })}`),
  /** Finds prompts by words of name and text. */
  searchPrompts: query => listPrompts({ q: query, limit: MAX_PROMPTS }),
  /** Finds messages of all chats, best first. */
  searchMessages: (query, filter, cursor): Promise<Page<MessageHit>> =>
    callRest('GET', `/search?${toQuery({ q: query, limit: String(MAX_MESSAGES), ...toFields(filter), cursor })}`),
};

/** The days are those of the person's time zone. */
function toFields({ from, to, ...rest }: SearchFilter): Record<string, string | undefined> {
  return { ...rest, since: from && beginOf(from, 0), until: to && beginOf(to, 1) };
}

/** The beginning of the day, or of a later one, as a time in UTC. */
function beginOf(day: string, later: number): string | undefined {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

const toQuery = (fields: Record<string, string | undefined>): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));
