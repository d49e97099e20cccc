/** The services for search, fetch, extraction, calculation and weather work without tools, and the tools leave the work to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenMeteo } from '../../../src/adapter/weather/open_meteo';
import { createWebAccess } from '../../../src/adapter/web/web_access';
import type { WebAccess } from '../../../src/port/web';
import { calculate } from '../../../src/tools/data_services/calculator';
import { processJson } from '../../../src/tools/data_services/json_text';
import { measureText } from '../../../src/tools/data_services/text_statistics';
import { type Site, startSite } from '../../support/site';
import { SERVICE_PAGES } from '../../support/tool_rows';

const SRC = join(__dirname, '../../../src');
const goOn = () => new AbortController().signal;

describe('services without tools (nanoclaw.services)', () => {
  let site: Site;
  let web: WebAccess;

  beforeAll(async () => {
    site = await startSite(SERVICE_PAGES);
    const worker = { entry: join(SRC, '../dist/src/adapter/web/page_worker_entry.js') };
    web = createWebAccess({ fetchAllow: [site.host], searxngUrl: site.url('/'), duckDuckGo: false }, { worker });
  });
  afterAll(async () => {
    await web.close();
    await site.stop();
  });

  it('search the web', async () => {
    const { hits } = await web.search('log', 5, goOn());
    expect(hits).toEqual([{ title: 'Log', url: 'https://log.example/', snippet: 'A log' }]);
  });

  it('fetch a page and extract its content', async () => {
    const page = await web.fetch(site.url('/article'), goOn());
    expect([page.status, page.contentType]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await web.extract(page, 'text', goOn())).toMatchObject({ title: 'Lighthouse log', text: expect.stringContaining('## Ships') });
    expect(await web.extract(page, 'links', goOn())).toMatchObject({
      links: expect.arrayContaining([expect.objectContaining({ text: 'Home' })]),
    });
  });

  it('find the weather', async () => {
    expect(await createOpenMeteo(web, site.url('/meteo/')).findWeather('Berlin', 'en', goOn())).toMatchObject({
      place: 'Berlin, Germany',
      temperature: 3.5,
    });
  });

  it('calculate, measure text and process JSON', () => {
    expect(calculate('2 ** 10 // 3')).toMatchObject({ ok: true, value: '341' });
    expect(measureText('two words')).toMatchObject({ words: 2 });
    expect(processJson({ text: '{', operation: 'validate' })).toMatchObject({ ok: false });
    expect(processJson({ text: '{ "a" : 1 }', operation: 'parse' })).toMatchObject({ ok: true, text: '{"a":1}' });
  });
});

describe('imports', () => {
  const importsOf = (file: string): string[] => [...readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)].map(([, name]) => name ?? '');
  const filesIn = (folder: string): string[] => readdirSync(join(SRC, folder)).map(name => join(SRC, folder, name));
  const isTool = (name: string): boolean => /(^|\/)(builtin\/|common$|catalog$|registry$)/.test(name);

  it('of services include no tool', () => {
    const files = [
      ...filesIn('tools/data_services'),
      ...filesIn('adapter/weather'),
      join(SRC, 'port/web.ts'),
      ...filesIn('adapter/web').filter(file => file.endsWith('.ts')),
    ];
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter(file => importsOf(file).some(isTool))).toEqual([]);
  });

  it('of the web and data tools are schemas, services and texts only', () => {
    const tools = ['web_search', 'fetch_page', 'crawl_batch', 'calculator', 'text_process', 'json_process', 'get_weather'];
    const needed = new Set(tools.flatMap(tool => importsOf(join(SRC, `tools/builtin/${tool}.ts`))));
    const packages = [...needed].filter(name => !name.startsWith('.'));
    expect(packages).toEqual(['@sinclair/typebox']);
    expect([...needed].filter(name => /data_services|port\/web/.test(name)).sort()).toEqual([
      '../../port/web',
      '../data_services/calculator',
      '../data_services/json_text',
      '../data_services/text_statistics',
    ]);
  });
});
