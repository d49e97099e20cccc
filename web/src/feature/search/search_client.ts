/** The searches of the REST API. Every failure rejects with a RequestError. */
import { callRest } from '../../api/call_rest';
import { listPrompts } from '../../api/prompt_api';
import type { MessageHit, Page, SessionSummary } from '../../api/rest_types';

const MAX_SESSIONS = 6;
const MAX_PROMPTS = 5;
const MAX_MESSAGES = 20;

export const searchClient = {
  /** Finds chats by title. */
  searchSessions: (query: string): Promise<Page<SessionSummary>> =>
    callRest('GET', `/sessions?${new URLSearchParams({ q: query, limit: String(MAX_SESSIONS) })}`),
  /** Finds prompts by words of name and text. */
  searchPrompts: (query: string) => listPrompts({ q: query, limit: MAX_PROMPTS }),
  /** Finds messages of all chats, best first. */
  searchMessages: (query: string, cursor?: string): Promise<Page<MessageHit>> =>
    callRest('GET', `/search?${new URLSearchParams({ q: query, limit: String(MAX_MESSAGES), ...(cursor && { cursor }) })}`),
};
