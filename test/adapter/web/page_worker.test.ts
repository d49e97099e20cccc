/** Threads run compiled code, so these tests use the build. */
import { join } from 'node:path';
import { createPageFetcher } from '../../../src/adapter/web/page_fetcher';
import { createPageWorker, type PageWorker } from '../../../src/adapter/web/page_worker';
import type { ExtractType, FetchedPage } from '../../../src/port/web';
import { measureEventLoop } from '../../support/event_loop';
import { type Site, startSite } from '../../support/site';

const ENTRY = join(__dirname, '../../../dist/src/adapter/web/page_worker_entry.js');
const NEVER = join(__dirname, '../../support/endless_thread.cjs');
const MIB = 1024 * 1024;

describe('page worker', () => {
  let site: Site;
  let worker: PageWorker;
  const noAbort = () => new AbortController().signal;
  const read = async (path: string, type: ExtractType = 'text') =>
    worker.extract(await createPageFetcher({ allow: [site.host] }).fetch(site.url(path), noAbort()), type, noAbort());
  const pageOf = (text: string): FetchedPage => ({
    url: 'https://example.com/',
    finalUrl: 'https://example.com/',
    status: 200,
    contentType: 'text/html',
    bytes: Buffer.from(text),
    clipped: false,
  });

  beforeAll(async () => {
    site = await startSite();
    worker = createPageWorker({ entry: ENTRY });
  });
  afterAll(async () => {
    await worker.close();
    await site.stop();
  });

  it('converts the readable part of a page to Markdown', async () => {
    const page = await read('/article');
    expect(page).toMatchObject({ type: 'text', title: 'Lighthouse log' });
    const text = page.type === 'text' ? page.text : '';
    expect(text).toContain('The lighthouse keeper writes down wind');
    expect(text).toContain('## Ships');
    expect(text).toContain(`[the list](${site.url('/list?day=1')})`);
    expect(text).toContain('| Ship | Hour |\n| --- | --- |\n| Albatros \\| II | 6 |');
    for (const unseen of ['About us', 'run me', 'send the keys', 'javascript']) expect(text).not.toContain(unseen);
  });

  const rows = Array.from({ length: 30 }, (_, index) => `<tr><td><a href="/row/${index}">Row ${index}</a></td><td>${index}</td></tr>`);
  const table = `<table><tr><th>Name</th><th>Count</th></tr>${rows.join('')}</table>`;
  const around = {
    before:
      '<header>SITEHEADER<nav><a href="/one">NAVONE</a></nav></header><div role="banner">BANNERROLE</div>' +
      '<div role="navigation"><ul><li><a href="/two">NAVTWO</a></li></ul></div><script>SCRIPTTEXT</script><aside>SIDETEXT</aside>',
    after:
      '<div role="complementary">RELATED</div><div id="cookie-banner"><p>COOKIES ARE USED</p></div>' +
      '<div class="cc-window cookieConsent">CONSENTTEXT</div><div role="dialog" aria-modal="true">DIALOGTEXT</div>' +
      '<div role="contentinfo">INFOROLE</div><footer>FOOTERTEXT</footer>',
  };
  const index = `<h1>Index</h1><ul>${Array.from({ length: 12 }, (_, page) => `<li><a href="/page/${page}">Page ${page}</a></li>`).join('')}</ul>`;
  const FURNITURE = /SITEHEADER|NAVONE|NAVTWO|BANNERROLE|SCRIPTTEXT|SIDETEXT|RELATED|COOKIES|CONSENTTEXT|DIALOGTEXT|INFOROLE|FOOTERTEXT/;

  it.each([
    ['a table', `<h1>Stock</h1>${table}`, /\| Row 29 \|/],
    ['a table in main', `<main><header><h1>Stock</h1></header>${table}<aside>A note.</aside></main>`, /Row 29/],
    ['an index of links', index, /Index[\s\S]*Page 11/],
    ['a short text', '<div class="cookies">Two recipes for cookies.</div>', /^Two recipes for cookies\.$/],
  ])('leaves out what surrounds the content of a page that is %s', async (_what, content, kept) => {
    const html = `<html><head><title>T</title></head><body>${around.before}${content}${around.after}</body></html>`;
    const text = await worker.extract(pageOf(html), 'text', noAbort());
    expect(text).toMatchObject({ type: 'text', text: expect.stringMatching(kept) });
    expect(JSON.stringify(text)).not.toMatch(FURNITURE);
    const structured = await worker.extract(pageOf(html), 'structured', noAbort());
    expect(JSON.stringify(structured)).not.toMatch(FURNITURE);
    if (structured.type === 'structured') expect(structured.structure.links.length).toBeLessThanOrEqual(20);
  });

  it('keeps the navigation of a page that has nothing else', async () => {
    const html = '<html><body><nav><a href="/a">Part A</a></nav><footer><a href="/b">Part B</a></footer></body></html>';
    expect(await worker.extract(pageOf(html), 'text', noAbort())).toMatchObject({ text: expect.stringMatching(/Part A[\s\S]*Part B/) });
  });

  it('keeps the first 20 links of the content in the structure, without those to the page itself', async () => {
    const anchors = Array.from({ length: 25 }, (_, part) => `<a href="#part${part}">Part</a>`).join('');
    const html = `<html><body>${around.before}${anchors}${table}</body></html>`;
    const page = await worker.extract(pageOf(html), 'structured', noAbort());
    const links = page.type === 'structured' ? page.structure.links : [];
    expect(links.map(({ url }) => url)).toEqual(Array.from({ length: 20 }, (_, row) => `https://example.com/row/${row}`));
  });

  it('lists links with their text and full address, each once', async () => {
    expect(await read('/article', 'links')).toEqual({
      type: 'links',
      title: 'Lighthouse log',
      links: [
        { text: 'Home', url: site.url('/home') },
        { text: 'About us', url: site.url('/about#top') },
        { text: 'the list', url: site.url('/list?day=1') },
      ],
    });
  });

  it('extracts structured data', async () => {
    expect(await read('/article', 'structured')).toMatchObject({
      title: 'Lighthouse log',
      structure: {
        description: 'What a keeper writes down',
        language: 'en',
        canonicalUrl: site.url('/log'),
        headings: [
          { level: 1, text: 'Lighthouse log' },
          { level: 2, text: 'Ships' },
        ],
        tables: [
          [
            ['Ship', 'Hour'],
            ['Albatros | II', '6'],
          ],
        ],
        jsonLd: [{ '@type': 'Article', headline: 'Lighthouse log' }],
      },
    });
  });

  it.each(['/gb18030', '/gb18030-unsaid', '/gb18030-as-utf8', '/gb18030-meta', '/utf8-as-latin1'])(
    'decodes Chinese whatever encoding the page declares: %s',
    async path => {
      expect(await read(path)).toMatchObject({ text: expect.stringContaining('守塔人每天晚上写日志。') });
    },
  );

  it('reads PDF, plain text and JSON', async () => {
    expect(await read('/pdf')).toMatchObject({ text: expect.stringContaining('Lighthouse tariff 1887') });
    expect(await read('/pdf', 'structured')).toMatchObject({ structure: { pages: 1 } });
    expect(await read('/plain')).toMatchObject({ text: 'just\ntext' });
    expect(await read('/json')).toMatchObject({ text: '{"a":1}' });
  });

  it('refuses content that is not text, and damaged content', async () => {
    await expect(read('/image')).rejects.toMatchObject({ code: 'unsupported_content' });
    await expect(read('/bad-pdf')).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('returns the beginning of a page that is too long, marked as cut', async () => {
    expect(await read('/huge')).toMatchObject({ cut: true, text: expect.stringContaining('A line of a very long page.') });
  });

  it.each([
    ['nested elements', '<div>'],
    ['half-open tags', '<a'],
    ['half-open comments', '<!--'],
    ['sibling elements', '<p>a <b>b</b>'],
    ['half-open scripts', '<script>'],
  ])('reads 2 MiB of %s in bounded time without holding the event loop', async (_name, piece) => {
    const hostile = pageOf(`<p>Word${piece.repeat(Math.ceil((2 * MIB) / piece.length))}`);
    const { result: page, busyMs } = await measureEventLoop(() => worker.extract(hostile, 'text', noAbort()));
    expect(page).toMatchObject({ text: expect.stringContaining('Word') });
    expect(busyMs).toBeLessThan(250);
  });

  it('gives up a page that takes too long even for its plain text', async () => {
    const stuck = createPageWorker({ entry: NEVER, budgetMs: 60, plainBudgetMs: 60 });
    await expect(stuck.extract(pageOf('x'), 'text', noAbort())).rejects.toMatchObject({ code: 'unreadable' });
    await stuck.close();
  });

  it('ends at once when it is cancelled, and rejects waiting pages when it is closed', async () => {
    const stuck = createPageWorker({ entry: NEVER });
    const cancel = new AbortController();
    const cancelled = stuck.extract(pageOf('x'), 'text', cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const waiting = Promise.allSettled([1, 2, 3, 4].map(() => stuck.extract(pageOf('x'), 'text', noAbort())));
    await stuck.close();
    expect((await waiting).map(result => result.status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });
});
