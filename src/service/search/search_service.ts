/** Searches the messages and titles of a tenant. */
import type { Clock } from '../../port/clock';
import type { Page, PageRequest } from '../../port/store/page';
import type { MessageHit, MessageSearch } from '../../port/store/search';
import type { Store } from '../../port/store/store';
import { createYielder } from '../../utils/yield_to_event_loop';
import { noSession } from '../session/session_service';
import type { SearchIndexer } from './search_indexer';
import { snippetOf } from './snippet';

/** Milliseconds that a search spends on messages that are not indexed yet. */
const CATCH_UP_MS = 100;

export type SearchInput = Omit<MessageSearch, 'now'>;

/** `snippet`: the text around the hit, on one line. */
export type FoundMessage = Omit<MessageHit, 'text'> & { snippet: string };

export interface SearchServiceDeps {
  store: Store;
  clock: Clock;
  indexer: SearchIndexer;
}

export class SearchService {
  constructor(private readonly deps: SearchServiceDeps) {}

  /** Searches messages. Rejects `not_found` when the session to search in does not exist. */
  async searchMessages(tenantId: string, search: SearchInput, page: PageRequest): Promise<Page<FoundMessage>> {
    const { store, clock, indexer } = this.deps;
    if (search.sessionId !== undefined && !(await store.read.sessions.get(tenantId, search.sessionId))) throw noSession();
    await indexer.catchUp(tenantId, CATCH_UP_MS);
    const { data, ...rest } = await store.read.search.find(tenantId, { ...search, now: clock.now() }, page);
    const found: FoundMessage[] = [];
    const yieldWhenDue = createYielder();
    for (const { text, ...hit } of data) {
      await yieldWhenDue();
      found.push({ ...hit, snippet: snippetOf(text, search.query) });
    }
    return { data: found, ...rest };
  }
}
