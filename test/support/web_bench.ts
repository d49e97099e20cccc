/** Web tools over a real site. Threads run compiled code, so tests that use it need the build. */
import { join } from 'node:path';
import { createWebAccess } from '../../src/adapter/web/web_access';
import type { WebAccess } from '../../src/port/web';
import type { AgentTool, ToolContext, ToolResult } from '../../src/tools/common';
import { type Site, startSite } from './site';
import { openToolBench, type ToolBench } from './tool_context';

export const PAGE_WORKER = { entry: join(__dirname, '../../dist/src/adapter/web/page_worker_entry.js') };

export interface WebBench {
  bench: ToolBench;
  site: Site;
  web: WebAccess;
  call(tool: AgentTool, args: unknown, more?: Partial<ToolContext>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** The search service of the site finds nine hits. */
export async function openWebBench(): Promise<WebBench> {
  const hits = Array.from({ length: 9 }, (_, i) => ({ title: `Hit ${i}`, url: `https://example.com/${i}`, content: `Snippet ${i}` }));
  const site = await startSite({
    '/search': response => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results: hits })),
  });
  const web = createWebAccess({ fetchAllow: [site.host], searxngUrl: site.url('/'), duckDuckGo: false }, { worker: PAGE_WORKER });
  const bench = await openToolBench();
  return {
    bench,
    site,
    web,
    call: (tool, args, more = {}) => bench.call(tool, args, { web, ...more }),
    async close() {
      await web.close();
      await bench.close();
      await site.stop();
    },
  };
}
