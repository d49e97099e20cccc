/** Sends the requests of the search dialog after a pause in typing. An answer counts only when it belongs to the newest query. */
import type { Prompt } from '../../api/prompt_api';
import type { MessageHit, Page, SessionSummary } from '../../api/rest_types';
import { createStore, type Store } from '../../platform/store';

export interface SearchState {
  /** The query that `sessions` and `hits` answer; '' before the first answer. */
  answered: string;
  phase: 'idle' | 'loading' | 'ready' | 'failed';
  sessions: readonly SessionSummary[];
  prompts: readonly Prompt[];
  hits: readonly MessageHit[];
  /** There are more hits. */
  nextCursor?: string;
}

/** What the person asks of the chats; absent: any. `from` and `to`: days as YYYY-MM-DD, both included. */
export interface SearchFilter {
  agent?: string;
  project?: string;
  archived?: string;
  from?: string;
  to?: string;
}

export interface SearchSource {
  searchSessions(query: string, filter: SearchFilter): Promise<Page<SessionSummary>>;
  searchPrompts(query: string): Promise<Page<Prompt>>;
  searchMessages(query: string, filter: SearchFilter, cursor?: string): Promise<Page<MessageHit>>;
}

export interface SearchRequests {
  readonly state: Store<SearchState>;
  /** Searches for the text after a short pause; an empty text clears the results. */
  type(text: string): void;
  /** Searches for the newest query among other chats. */
  narrow(filter: SearchFilter): void;
  /** Sends the newest query again. */
  retry(): void;
  /** Adds the next page of hits. */
  loadMore(): void;
  stop(): void;
}

/** Pause in typing before a request, in milliseconds. */
export const TYPING_PAUSE_MS = 150;

const NOTHING: SearchState = { answered: '', phase: 'idle', sessions: [], prompts: [], hits: [], nextCursor: undefined };

export function createSearchRequests(source: SearchSource): SearchRequests {
  const state = createStore<SearchState>(NOTHING);
  let query = '';
  let filter: SearchFilter = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  /** Starts a request. The returned function tells whether a newer request has started since; then the answer must be ignored. */
  const begin = (): (() => boolean) => {
    clearTimeout(timer);
    newest += 1;
    const own = newest;
    return () => own !== newest;
  };

  async function send(isOutdated: () => boolean): Promise<void> {
    const asked = query;
    try {
      const reads = [source.searchSessions(asked, filter), source.searchPrompts(asked), source.searchMessages(asked, filter)] as const;
      const [sessions, prompts, hits] = await Promise.all(reads);
      if (isOutdated()) return;
      const { nextCursor } = hits;
      state.set({ answered: asked, phase: 'ready', sessions: sessions.data, prompts: prompts.data, hits: hits.data, nextCursor });
    } catch {
      if (!isOutdated()) state.set({ phase: 'failed' });
    }
  }

  async function sendNext(cursor: string, isOutdated: () => boolean): Promise<void> {
    try {
      const page = await source.searchMessages(query, filter, cursor);
      if (isOutdated()) return;
      state.set({ phase: 'ready', hits: [...state.get().hits, ...page.data], nextCursor: page.nextCursor });
    } catch {
      if (!isOutdated()) state.set({ phase: 'failed' });
    }
  }

  const retry = (): void => {
    state.set({ phase: 'loading' });
    void send(begin());
  };

  return {
    state,
    type: text => {
      const next = text.trim().replace(/\s+/g, ' ');
      if (next === query) return;
      query = next;
      const isOutdated = begin();
      if (query === '') return state.set(NOTHING);
      state.set({ phase: 'loading' });
      timer = setTimeout(() => void send(isOutdated), TYPING_PAUSE_MS);
    },
    narrow: next => {
      filter = next;
      if (query !== '') retry();
    },
    retry,
    loadMore: () => {
      const { nextCursor, phase } = state.get();
      if (nextCursor === undefined || phase !== 'ready') return;
      state.set({ phase: 'loading' });
      void sendNext(nextCursor, begin());
    },
    stop: () => void begin(),
  };
}
