/** Whether a search service is set up. */
import type { Settings } from '../settings';

export const hasSearchService = ({ web }: Pick<Settings, 'web'>): boolean =>
  Boolean(web.searxngUrl || web.braveApiKey || web.tavilyApiKey) || web.duckDuckGo;
