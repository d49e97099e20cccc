import { createWebAccess } from '../../../src/adapter/web/web_access';
import { webSearchTool } from '../../../src/tools/builtin/web_search';
import { validateArguments } from '../../../src/tools/validation';
import { openWebBench, PAGE_WORKER, type WebBench } from '../../support/web_bench';

describe('web_search (nanoclaw.crawler)', () => {
  let web: WebBench;
  beforeAll(async () => {
    web = await openWebBench();
  });
  afterAll(() => web.close());

  it('gives title, address and snippet of five results by default', async () => {
    const result = await web.call(webSearchTool, { query: 'lighthouse' });
    expect(result.ok).toBe(true);
    expect(result.content).toContain('1. Hit 0\n   https://example.com/0\n   Snippet 0');
    expect(result.details).toMatchObject({ provider: 'searxng', results: { length: 5 } });
    expect((await web.call(webSearchTool, { query: 'x', max_results: 2 })).details?.['results']).toHaveLength(2);
  });

  it('says how to configure a search service when there is none', async () => {
    const bare = createWebAccess({ fetchAllow: [], duckDuckGo: false }, { worker: PAGE_WORKER });
    const result = await web.call(webSearchTool, { query: 'x' }, { web: bare });
    expect(result).toMatchObject({ ok: false, content: expect.stringContaining('BRAVE_API_KEY') });
    await bare.close();
  });

  it.each([{}, { query: ' ' }, { query: 'x', max_results: 0 }, { query: 'x', max_results: 21 }, { query: 'x'.repeat(401) }])(
    'refuses %j',
    args => {
      expect(validateArguments(webSearchTool, args).ok).toBe(false);
    },
  );
});
