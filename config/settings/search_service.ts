/** Tells whether the settings name a search service. */
import type { Settings } from '../settings';

export const hasSearchService = ({ web }: Pick<Settings, 'web'>): boolean =>
  Boolean(web.searxngUrl || web.braveApiKey || web.tavilyApiKey) || web.duckDuckGo;
