/** Searches the messages and titles of a tenant. */
import type { Clock } from '../../port/clock';
import type { Page, PageRequest } from '../../port/store/page';
import type { Store } from '../../port/store/store';
import type { FoundMessage, MessageSearcher, SearchInput } from '../../service/session/message_searcher';
import { noSession } from '../../service/session/session_service';
import { createYielder } from '../../utils/yield_to_event_loop';
import type { SearchIndexer } from './search_indexer';
import { snippetOf } from './snippet';

/** Milliseconds that a search spends on messages that are not indexed yet. */
const CATCH_UP_MS = 100;

export interface SearchServiceDeps {
  store: Store;
  clock: Clock;
  indexer: SearchIndexer;
}

export class SearchService implements MessageSearcher {
  constructor(private readonly deps: SearchServiceDeps) {}

  async searchMessages(tenantId: string, search: SearchInput, page: PageRequest): Promise<Page<FoundMessage>> {
    const { store, clock, indexer } = this.deps;
    if (search.sessionId !== undefined && !(await store.read.sessions.get(tenantId, search.sessionId))) throw noSession();
    await indexer.catchUp(tenantId, CATCH_UP_MS);
    const { data, ...rest } = await store.lists.search.find(tenantId, { ...search, now: clock.now() }, page);
    const found: FoundMessage[] = [];
    const yieldWhenDue = createYielder();
    for (const { text, ...hit } of data) {
      await yieldWhenDue();
      found.push({ ...hit, snippet: snippetOf(text, search.query) });
    }
    return { data: found, ...rest };
  }
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface SearchServices {
  searchService: SearchService;
}
