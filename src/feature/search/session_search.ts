/** The search in earlier conversations for tools. */
import type { Actor } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { SessionAccess } from '../../service/access/session_access';
import type { SearchService } from './search_service';
import type { SessionSearchAccess, SessionSearchRequest, SessionSearchResult } from './tools/session_search_access';

/** The most sessions that are listed by their title. */
const MAX_TITLES = 3;

export class SessionSearch implements SessionSearchAccess {
  /** `caller`: the run that searches, which finds what its person sees. */
  constructor(
    private readonly deps: { store: Store; search: SearchService; sessionAccess: SessionAccess },
    private readonly caller: Actor,
  ) {}

  async searchSessions(tenantId: string, request: SessionSearchRequest): Promise<SessionSearchResult | undefined> {
    const { store, search, sessionAccess } = this.deps;
    const { limit, ...filter } = request;
    if (filter.sessionId !== undefined && !(await this.isKnown(store, tenantId, filter.sessionId))) return undefined;
    const found = await search.searchMessages(tenantId, filter, { limit });
    const data = await sessionAccess.keepSeen(this.caller, found.data, ({ sessionId }) => sessionId);
    const messages = data.map(({ sessionId, parentSessionId, title, role, createdAt, snippet }) => {
      const isTask = parentSessionId !== undefined && role === 'user';
      return { sessionId, title, role, isTask: isTask || undefined, at: createdAt, snippet };
    });
    return { messages, sessions: filter.sessionId === undefined ? await this.findByTitle(tenantId, request) : [] };
  }

  private async isKnown(store: Store, tenantId: string, sessionId: string): Promise<boolean> {
    const session = await store.read.sessions.get(tenantId, sessionId);
    return session !== undefined && (await this.deps.sessionAccess.maySee(this.caller, sessionId));
  }

  private async findByTitle(tenantId: string, { query, since = 0, exceptSessionId }: SessionSearchRequest) {
    const viewer = this.deps.sessionAccess.viewerOf(this.caller);
    const { data } = await this.deps.store.lists.sessions.list(tenantId, { limit: MAX_TITLES + 1 }, { title: query, viewer });
    return data
      .filter(session => session.id !== exceptSessionId && session.updatedAt >= since)
      .slice(0, MAX_TITLES)
      .map(({ id, title, updatedAt }) => ({ sessionId: id, title, updatedAt }));
  }
}
