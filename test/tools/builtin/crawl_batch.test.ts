import { crawlBatchTool } from '../../../src/tools/builtin/crawl_batch';
import { validateArguments } from '../../../src/tools/validation';
import { openWebBench, type WebBench } from '../../support/web_bench';

describe('crawl_batch (nanoclaw.crawler)', () => {
  let web: WebBench;
  beforeAll(async () => {
    web = await openWebBench();
  });
  afterAll(() => web.close());

  it('gives pages in the order asked for, each with its own failure', async () => {
    const urls = ['/article', '/missing', '/pdf', '/to-metadata', '/plain'].map(path => web.site.url(path));
    const result = await web.call(crawlBatchTool, { urls });
    expect(result.ok).toBe(true);
    const marks = ['[1/5] ', 'Lighthouse log', '[2/5] Failed', '[3/5] ', 'tariff 1887', '[4/5] Failed', '[5/5] ', 'just\ntext'];
    const places = marks.map(mark => result.content.indexOf(mark));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    const pages = result.details?.['pages'] as { ok: boolean }[];
    expect(pages.map(page => page.ok)).toEqual([true, false, true, false, true]);
  });

  it('gives each page its share when all are long', async () => {
    const result = await web.call(crawlBatchTool, { urls: [web.site.url('/huge'), web.site.url('/article')] });
    expect(result.content.length).toBeLessThan(80_000);
    expect(result.content).toMatch(/more characters: open this page alone/);
  });

  it('fails when no page could be opened', async () => {
    expect(await web.call(crawlBatchTool, { urls: ['nothing', web.site.url('/missing')] })).toMatchObject({ ok: false });
  });

  it('ends when the call is cancelled', async () => {
    const cancel = new AbortController();
    const crawled = web.call(crawlBatchTool, { urls: [web.site.url('/silent'), web.site.url('/dripping')] }, { signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await expect(crawled).rejects.toThrow('cancelled');
  });

  it.each([{ urls: [] }, { urls: Array(11).fill('http://example.com/') }, { urls: 'http://example.com/' }])('refuses %j', args => {
    expect(validateArguments(crawlBatchTool, args).ok).toBe(false);
  });
});
