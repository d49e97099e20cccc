/** Builds the services of search, which refer to each other. */
import { SearchIndexer, type SearchIndexerDeps } from './search_indexer';
import { SearchService } from './search_service';
import { SessionSearch } from './session_search';

export function createSearchServices(deps: SearchIndexerDeps) {
  const searchIndexer = new SearchIndexer(deps);
  const searchService = new SearchService({ ...deps, indexer: searchIndexer });
  const sessionSearch = new SessionSearch({ ...deps, search: searchService });
  return { searchIndexer, searchService, sessionSearch };
}
