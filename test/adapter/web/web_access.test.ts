/** Runs each search service as a small server. Threads run compiled code, so these tests use the build. */
import { join } from 'node:path';
import { createWebAccess } from '../../../src/adapter/web/web_access';
import type { WebSettings } from '../../../src/adapter/web/web_settings';
import type { WebAccess } from '../../../src/port/web';
import { type Site, startSite } from '../../support/site';

const worker = { entry: join(__dirname, '../../../dist/src/adapter/web/page_worker_entry.js') };
const noAbort = () => new AbortController().signal;

const json = (value: unknown, status = 200) => {
  return (response: import('node:http').ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
};

const RESULT_PAGE = `<html><body><div class="result result--ad"><a class="result__a" href="https://ad.example/">Ad</a></div>
<div class="result"><h2><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fone.example%2Fa%3Fb%3D1&amp;rut=x">One &amp; only</a></h2>
<a class="result__snippet">The <b>first</b> result</a></div><div class="result"><a class="result__a" href="javascript:x">bad</a></div></body></html>`;

describe('web access', () => {
  let site: Site;
  const opened: WebAccess[] = [];
  const open = (settings: Partial<WebSettings>) => {
    const endpoints = { brave: site.url('/brave'), tavily: site.url('/tavily'), duckDuckGo: site.url('/duck') };
    const access = createWebAccess({ fetchAllow: [site.host], duckDuckGo: false, ...settings }, { worker, endpoints });
    opened.push(access);
    return access;
  };

  beforeAll(async () => {
    const hits = (name: string) => [
      { title: `${name} <b>one</b>`, url: 'https://one.example/', content: 'First &amp; best', description: 'First &amp; best' },
      { title: 'again', url: 'https://one.example/' },
      { title: 'local', url: 'file:///etc/passwd' },
      { title: 'two', url: 'https://two.example/', content: 'Second', description: 'Second' },
    ];
    site = await startSite({
      '/searx/search': json({ results: hits('searx') }),
      '/empty/search': json({ results: [] }),
      '/down/search': json({ error: 'no' }, 500),
      '/wrong/search': response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      '/brave': json({ web: { results: hits('brave') } }),
      '/tavily': json({ results: hits('tavily') }),
      '/duck': response => response.writeHead(200, { 'content-type': 'text/html' }).end(RESULT_PAGE),
    });
  });
  afterAll(async () => {
    for (const access of opened) await access.close();
    await site.stop();
  });

  it('searches a SearXNG that may be private, and returns each address once', async () => {
    const access = open({ searxngUrl: site.url('/searx/'), fetchAllow: [] });
    expect(await access.search('sea & wind', 5, noAbort())).toEqual({
      provider: 'searxng',
      hits: [
        { title: 'searx one', url: 'https://one.example/', snippet: 'First & best' },
        { title: 'two', url: 'https://two.example/', snippet: 'Second' },
      ],
    });
    expect(site.requests.at(-1)?.path).toBe('/searx/search?q=sea+%26+wind&format=json');
    await expect(access.fetch(site.url('/article'), noAbort())).rejects.toMatchObject({ code: 'forbidden_address' });
  });

  it('searches Brave with the key in a header', async () => {
    const answer = await open({ braveApiKey: 'brave-key' }).search('wind', 1, noAbort());
    expect(answer).toEqual({ provider: 'brave', hits: [{ title: 'brave one', url: 'https://one.example/', snippet: 'First & best' }] });
    expect(site.requests.at(-1)).toMatchObject({ path: '/brave?q=wind&count=1', headers: { 'x-subscription-token': 'brave-key' } });
  });

  it('searches Tavily with the key in a header', async () => {
    expect(await open({ tavilyApiKey: 'tavily-key' }).search('wind', 2, noAbort())).toMatchObject({ provider: 'tavily', hits: [{}, {}] });
    const { method, headers, body } = site.requests.at(-1) as Site['requests'][number];
    expect([method, headers.authorization, JSON.parse(body)]).toEqual(['POST', 'Bearer tavily-key', { query: 'wind', max_results: 2 }]);
  });

  it('reads the result page of DuckDuckGo without its advertisements', async () => {
    expect(await open({ duckDuckGo: true }).search('wind', 5, noAbort())).toEqual({
      provider: 'duckduckgo',
      hits: [{ title: 'One & only', url: 'https://one.example/a?b=1', snippet: 'The first result' }],
    });
  });

  it.each(['/empty', '/down', '/wrong'])('tries the next service when one has no hits: %s', async path => {
    const access = open({ searxngUrl: site.url(path), braveApiKey: 'k' });
    expect(await access.search('wind', 5, noAbort())).toMatchObject({ provider: 'brave' });
  });

  it('reports the answer of each service when all fail, without keys', async () => {
    const failing = open({ searxngUrl: site.url('/down') }).search('wind', 5, noAbort());
    await expect(failing).rejects.toMatchObject({ code: 'search_failed', message: expect.stringContaining('searxng: answered HTTP 500') });
    expect(await open({ searxngUrl: site.url('/empty') }).search('wind', 5, noAbort())).toEqual({ provider: 'searxng', hits: [] });
  });

  it('explains how to configure a service when there is none', async () => {
    await expect(open({}).search('wind', 5, noAbort())).rejects.toMatchObject({
      code: 'search_not_configured',
      message: expect.stringMatching(/NETA_SEARXNG_URL.*BRAVE_API_KEY.*TAVILY_API_KEY.*NETA_SEARCH_DUCKDUCKGO=1/),
    });
  });
});
