/** The search in earlier conversations for tools. */
import type { Store } from '../../port/store/store';
import type { SearchService } from './search_service';
import type { SessionSearchAccess, SessionSearchRequest, SessionSearchResult } from './tools/session_search_access';

/** The most sessions that are listed by their title. */
const MAX_TITLES = 3;

export class SessionSearch implements SessionSearchAccess {
  constructor(private readonly deps: { store: Store; search: SearchService }) {}

  async searchSessions(tenantId: string, request: SessionSearchRequest): Promise<SessionSearchResult | undefined> {
    const { store, search } = this.deps;
    const { limit, ...filter } = request;
    if (filter.sessionId !== undefined && !(await store.read.sessions.get(tenantId, filter.sessionId))) return undefined;
    const { data } = await search.searchMessages(tenantId, filter, { limit });
    const messages = data.map(({ sessionId, parentSessionId, title, role, createdAt, snippet }) => {
      const isTask = parentSessionId !== undefined && role === 'user';
      return { sessionId, title, role, isTask: isTask || undefined, at: createdAt, snippet };
    });
    return { messages, sessions: filter.sessionId === undefined ? await this.findByTitle(tenantId, request) : [] };
  }

  private async findByTitle(tenantId: string, { query, since = 0, exceptSessionId }: SessionSearchRequest) {
    const { data } = await this.deps.store.lists.sessions.list(tenantId, { limit: MAX_TITLES + 1 }, { title: query });
    return data
      .filter(session => session.id !== exceptSessionId && session.updatedAt >= since)
      .slice(0, MAX_TITLES)
      .map(({ id, title, updatedAt }) => ({ sessionId: id, title, updatedAt }));
  }
}
