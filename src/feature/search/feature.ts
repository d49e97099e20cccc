/** Search in the messages of all sessions, for people and for agents. The tool of agents is tools/session_search.ts. */
import type { Feature } from '../../feature';
import { SearchController } from './routes';
import { SearchIndexer } from './search_indexer';
import { SearchService, type SearchServices } from './search_service';
import { SessionSearch } from './session_search';
import { sessionSearchTool } from './tools/session_search';

export const search: Feature = {
  name: 'search',
  routes: [SearchController],
  tools: [sessionSearchTool],
  install({ ports: { store, clock, logger }, capacity, sessionAccess }) {
    const indexer = new SearchIndexer({ store, clock, isBusy: () => capacity.isInUse, onError: logger.error });
    const searchService = new SearchService({ store, clock, indexer });
    return {
      services: { searchService } satisfies SearchServices,
      onRun: { ended: () => indexer.scheduleIndexing() },
      messageSearch: searchService,
      toolAccess: caller => ({ sessionSearch: new SessionSearch({ store, search: searchService, sessionAccess }, caller) }),
      serve: () => indexer.scheduleIndexing(),
      endWork: () => indexer.stop(),
    };
  },
};
