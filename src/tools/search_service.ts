/** Tools that need a search service, in a gateway that has none. */
import { inBoth } from '../utils/bilingual';
import type { ToolRegistry } from './registry';

/** Says as a clause how the operator sets up a search service. */
export const NO_SEARCH_SERVICE = inBoth(
  'no search service is set up; set NETA_SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or NETA_SEARCH_DUCKDUCKGO=1',
  '没有配置搜索服务；请设置 NETA_SEARXNG_URL、BRAVE_API_KEY、TAVILY_API_KEY 或 NETA_SEARCH_DUCKDUCKGO=1',
);

export function disableSearchTools(tools: ToolRegistry): void {
  for (const { name, needs } of tools.list()) if (needs === 'search_service') tools.disable(name, NO_SEARCH_SERVICE);
}
