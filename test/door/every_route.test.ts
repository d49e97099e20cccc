/** Rules that every route follows, read from /openapi.json: unknown query parameters, required ones, and the pages of lists. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody } from '../support/rest_client';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema & { type?: string }>;
}
interface Operation {
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Route extends Operation {
  method: string;
  path: string;
}
interface List {
  data: Record<string, unknown>[];
  hasMore: boolean;
  nextCursor?: string;
}

let bench: AgentBench;
let routes: Route[];
let schemas: Record<string, Schema>;

const queryOf = ({ parameters = [] }: Operation) => parameters.filter(parameter => parameter.in === 'query');
const isOwn = ({ path }: Route) => path.startsWith('/api/v1/');

beforeAll(async () => {
  bench = await startBench({ own: 'every route is called' });
  bench.model.onTurn('hello', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'done');
  for (const name of ['a', 'b', 'c']) {
    await bench.rest.run({ input: 'hello' });
    await bench.rest.request('POST', '/memories', { text: `fact ${name}` });
    await bench.rest.request('POST', '/jobs', { name, input: 'hello', schedule: { cron: '0 0 1 1 *' }, enabled: false });
    await bench.rest.request('POST', '/hooks', { name, template: 'hello' });
    await bench.rest.request('POST', '/webhooks', { url: `https://example.com/${name}`, events: ['run.failed'] });
    await bench.rest.request('PUT', `/skills/${name}`, { content: `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo.\n` });
  }
  const { body } = await bench.rest.request<{ paths: Record<string, Record<string, Operation>>; components: { schemas: typeof schemas } }>(
    'GET',
    '//openapi.json',
  );
  routes = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  schemas = body.components.schemas;
});
afterAll(() => bench?.stop());

/** True for a route that answers rows as `data`. */
function isList({ method, responses }: Route): boolean {
  const schema = responses['200']?.content?.['application/json']?.schema;
  const named = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  return method === 'GET' && named?.properties?.['data']?.type === 'array';
}

/** Pages and probes: browsers, load balancers and servers at which a person logs in add parameters of their own. */
const TOLERANT = [
  '/.well-known/agent-card.json',
  '/api/v1/mcp-servers/callback',
  '/auth/{provider}/callback',
  '/demo/widget',
  '/docs',
  '/docs/errors',
  '/embed',
  '/healthz',
  '/hooks/{id}',
  '/readyz',
  '/shared',
];

it('each route but pages and probes refuses an unknown query parameter, and names it and those that it knows', async () => {
  // Directories add parameters of their own to every address.
  const strict = routes.filter(({ path }) => !TOLERANT.includes(path) && !path.startsWith('/scim/'));
  const prefixes = new Set(strict.map(({ path }) => path.split('/')[1]));
  expect([...prefixes].sort()).toEqual(['a2a', 'agui', 'api', 'auth', 'mcp', 'metrics', 'openapi.json', 'streams', 'v1']);
  for (const route of strict) {
    const path = route.path.replaceAll(/\{\w+\}/g, 'x');
    for (const query of ['limti=1', 'limti', 'limti=1&api-version=1']) {
      if (isOwn(route) && query.includes('&')) continue;
      const { status, body } = await bench.rest.request<ErrorBody>(route.method, `/${path}?${query}`);
      const answer = JSON.stringify(body);
      expect([route.path, status]).toEqual([route.path, 400]);
      for (const name of ['limti', ...queryOf(route).map(({ name }) => name)]) expect(answer).toContain(name);
      if (isOwn(route)) expect([route.path, body.error.code, body.error.param]).toEqual([route.path, 'invalid_request', '/limti']);
    }
  }
});

it('ASVS 4.3.2: no folder of the pages is listed, and no other file is shown', async () => {
  const paths = [
    '/assets',
    '/assets/',
    '/assets/.DS_Store',
    '/.DS_Store',
    '/Thumbs.db',
    '/.git/config',
    '/.svn/entries',
    '/assets/..%2f..%2fpackage.json',
  ];
  for (const path of paths) expect([path, (await fetch(bench.gateway.url + path)).status]).toEqual([path, 404]);
});

it('probes, pages and assets ignore unknown query parameters', async () => {
  const paths = [
    '/healthz?x=1',
    '/readyz?verbose',
    '/?session=a&utm_source=b',
    '/ops?v=1',
    '/docs?v=2',
    '/docs/errors?v=2',
    '/embed?v=2',
    '/demo/widget?v=2',
    '/shared?v=2',
    '/favicon.svg?v=2',
  ];
  for (const path of paths) expect([path, (await fetch(bench.gateway.url + path)).status]).toEqual([path, 200]);
});

it("the /v1 routes take the parameters that clients of OpenAI's wire send, and ignore those without a meaning here", async () => {
  const { id } = (await bench.rest.request<{ id: string }>('POST', '//v1/responses', { model: 'default', input: 'hello' })).body;
  const conversation = (await bench.rest.request<{ id: string }>('POST', '//v1/conversations', {})).body.id;
  const chat = { model: 'default', messages: [{ role: 'user', content: 'hello' }] };
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', '/v1/models?api-version=2024-10-21'],
    ['GET', '/v1/models?client_version=0.99.0'],
    ['GET', '/v1/models?limit=1000&after=x&order=asc&before=y'],
    ['GET', '/v1/models?limit=1000&after_id=x&before_id=y&beta=true'],
    ['GET', '/v1/models/default?api-version=preview'],
    ['POST', '/v1/chat/completions?api-version=2024-10-21&beta=true', chat],
    ['POST', '/v1/responses?api-version=preview', { model: 'default', input: 'hello' }],
    ['GET', `/v1/responses/${id}?include=a&include_obfuscation=false&stream=false`],
    ['GET', `/v1/responses/${id}?include[]=reasoning.encrypted_content&include[]=b`],
    ['GET', `/v1/responses/${id}/input_items?limit=2&order=asc&include%5B%5D=a`],
    ['DELETE', `/v1/responses/${id}?api-version=preview`],
    ['POST', '/v1/conversations?api-version=preview', {}],
    ['GET', `/v1/conversations/${conversation}/items?limit=2&order=asc&include=a&include%5B%5D=b`],
    ['POST', `/v1/conversations/${conversation}/items?include%5B%5D=a`, { items: [{ role: 'user', content: 'hello' }] }],
    ['DELETE', `/v1/conversations/${conversation}?api-version=preview`],
  ];
  for (const [method, path, body] of calls)
    expect([path, (await bench.rest.request(method, `/${path}`, body)).status]).toEqual([path, 200]);
  expect((await bench.rest.request('POST', '//v1/chat/completions?limit=1', chat)).status).toBe(400);
});

it('a query parameter that a route needs is required in the document', async () => {
  const required = routes.flatMap(route =>
    queryOf(route).flatMap(({ name, required }) => (required ? [{ method: route.method, path: route.path, name }] : [])),
  );
  expect(required).toContainEqual({ method: 'GET', path: '/api/v1/search', name: 'q' });
  for (const { method, path, name } of required) {
    const { status, body } = await bench.rest.request<ErrorBody>(method, `/${path}`);
    expect([method, path, status, body.error.param]).toEqual([method, path, 400, `/${name}`]);
  }
});

it('each list takes limit and a cursor, and its pages hold every row once', async () => {
  const lists = routes.filter(route => isOwn(route) && isList(route));
  expect(lists.length).toBeGreaterThan(20);
  const paged: string[] = [];
  for (const route of lists) {
    const names = queryOf(route).map(({ name }) => name);
    expect([route.path, names]).toEqual([route.path, expect.arrayContaining(['limit'])]);
    const cursor = names.includes('cursor') ? 'cursor' : 'after';
    expect([route.path, names]).toEqual([route.path, expect.arrayContaining([cursor])]);
    if (route.path.includes('{')) continue;
    const fixed = queryOf(route).some(({ name, required }) => required && name === 'q') ? '&q=hello' : '';
    const read = (query: string) => bench.rest.request<List>('GET', `/${route.path}?${query}${fixed}`);
    const whole = (await read('limit=100')).body.data;
    const rows: unknown[] = [];
    let query = 'limit=2';
    for (let pages = 0; pages < 200; pages++) {
      const { headers, body } = await read(query);
      expect([route.path, body.data.length <= 2, body.hasMore]).toEqual([route.path, true, body.nextCursor !== undefined]);
      expect(/rel="next"/.test(headers.get('link') ?? '')).toBe(body.hasMore);
      rows.push(...body.data);
      if (body.nextCursor === undefined) break;
      query = `limit=2&${cursor}=${encodeURIComponent(body.nextCursor)}`;
    }
    // The log goes on while it is read.
    if (route.path.endsWith('/ops/logs')) continue;
    expect([route.path, rows.length]).toEqual([route.path, whole.length]);
    if (whole.length > 2) paged.push(route.path.replace('/api/v1', ''));
    expect((await read('limit=0')).status).toBe(400);
    expect([route.path, (await read(`limit=2&${cursor}=no+such+cursor`)).status]).toEqual([route.path, 400]);
  }
  expect(paged).toEqual(expect.arrayContaining(['/tools', '/toolsets', '/runs', '/sessions', '/jobs', '/webhooks', '/skills']));
});

it('a list without limit is whole, and a page begins behind its cursor although rows came before it', async () => {
  const read = async (path: string) => (await bench.rest.request<List>('GET', path)).body;
  for (const path of ['/tools', '/toolsets', '/agents', '/models', '/usage']) expect(await read(path)).toMatchObject({ hasMore: false });
  const first = await read('/skills?limit=2');
  await bench.rest.request('PUT', '/skills/aa', { content: '---\nname: aa\ndescription: Does aa.\n---\nDo.\n' });
  const second = await read(`/skills?limit=1&cursor=${first.nextCursor}`);
  const names = (await read('/skills?limit=1000')).data.map(({ name }) => name);
  expect(second.data[0]?.['name']).toBe(names[names.indexOf(first.data[1]?.['name']) + 1]);
});
