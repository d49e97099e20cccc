/** Direct calls return results as data for programs, beside the text for models. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type Site, startSite } from '../support/site';

let bench: AgentBench;
let site: Site;

beforeAll(async () => {
  const anchors = [...Array(80)].map((_, i) => `<a href="#part${i}">Part ${i}</a><a href="/page/${i}">Page ${i}</a>`).join('');
  site = await startSite({
    '/many': response =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body>${anchors}<p>${'word '.repeat(3_000)}</p></body></html>`),
    '/search': response =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"results":[{"title":"Log","url":"https://log.example/","content":"A log"}]}'),
  });
  bench = await startBench({
    env: { NETA_FETCH_ALLOW: site.host, NETA_SEARXNG_URL: site.url('/') },
    files: { 'notes.txt': 'one\ntwo beans\n', 'src/a.ts': 'export const beans = 1;\n' },
  });
});

afterAll(async () => {
  await bench?.stop();
  await site?.stop();
});

async function resultOf(toolName: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { body } = await bench.rest.request<{ status: string; result: Record<string, unknown> }>('POST', '/tools/call', {
    toolName,
    parameters,
  });
  expect(body).toMatchObject({ status: 'success', result: { content: expect.any(String) } });
  return body.result;
}

it('fetch_page returns address and text (nanoclaw.result)', async () => {
  expect(await resultOf('fetch_page', { url: site.url('/article') })).toMatchObject({
    url: site.url('/article'),
    text: expect.stringContaining('lighthouse keeper'),
  });
});

it('fetch_page returns at most 50 links, without links to the page itself (nanoclaw.crawler)', async () => {
  const { url, links } = await resultOf('fetch_page', { url: site.url('/many'), extract_type: 'links' });
  expect(url).toBe(site.url('/many'));
  expect(links).toHaveLength(50);
  expect((links as unknown[])[0]).toEqual({ text: 'Page 0', href: site.url('/page/0') });
  expect(JSON.stringify(links)).not.toContain('#part');
});

it('fetch_page returns the structure with at most 5,000 characters of text', async () => {
  const article = await resultOf('fetch_page', { url: site.url('/article'), extract_type: 'structured' });
  expect(article).toMatchObject({
    title: 'Lighthouse log',
    headings: [{ level: 1 }, { level: 2 }],
    text: expect.stringContaining('Albatros'),
  });
  expect(article['text']).not.toMatch(/secret|About us|@type/);
  const many = await resultOf('fetch_page', { url: site.url('/many'), extract_type: 'structured' });
  expect(String(many['text'])).toHaveLength(5_000);
});

it('crawl_batch returns one result per page and their number', async () => {
  const { results, total } = await resultOf('crawl_batch', { urls: [site.url('/article'), site.url('/missing')] });
  expect(total).toBe(2);
  expect(results).toMatchObject([{ ok: true, url: site.url('/article'), text: expect.stringContaining('lighthouse') }, { ok: false }]);
});

it.each([
  ['web_search', { query: 'log' }, { results: [{ title: 'Log', url: 'https://log.example/', snippet: 'A log' }], total: 1 }],
  [
    'list_dir',
    {},
    {
      items: [
        { name: 'notes.txt', kind: 'file', size: 14, modifiedAt: expect.stringMatching(/Z$/) },
        { name: 'src', kind: 'directory' },
      ],
    },
  ],
  ['file_list', { pattern: '**/*.ts' }, { items: [{ path: 'src/a.ts', kind: 'file', size: 24 }] }],
  ['search', { pattern: 'beans', path: 'src' }, { items: [{ path: 'src/a.ts', line: 1, text: 'export const beans = 1;' }], matches: 1 }],
  ['read_file', { path: 'notes.txt' }, { text: 'one\ntwo beans', totalLines: 2 }],
  ['file_read', { path: 'notes.txt' }, { text: 'one\ntwo beans\n' }],
  ['json_process', { json_string: '{"a":[1,{"b":null}]}', operation: 'parse' }, { value: { a: [1, { b: null }] }, kind: 'object' }],
  ['json_process', { json_string: '{"a":1,"b":2}', operation: 'keys' }, { keys: ['a', 'b'] }],
  ['calculator', { expression: '6 * 7' }, { value: '42' }],
  ['text_process', { text: 'abc', operation: 'upper' }, { text: 'ABC' }],
  ['bash', { command: 'echo hello' }, { exitCode: 0, output: 'hello\n' }],
])('%s %j returns data', async (name, parameters, data) => {
  expect(await resultOf(name, parameters)).toMatchObject(data);
});

it('a run stores only the text', async () => {
  bench.model.onTurn('list it', { toolCalls: [{ name: 'list_dir', arguments: {} }] }, 'done');
  const { body } = await bench.rest.run({ input: 'list it' });
  const events = await bench.rest.stream('GET', `/runs/${body.runId}/events`);
  expect(events.find(event => event.type === 'tool_call_end')?.data).not.toHaveProperty('details.items');
});
