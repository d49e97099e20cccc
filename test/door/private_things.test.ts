/**
 * What people make beside sessions is private to them: memories, jobs and uploaded files. Every route with an id of such a thing is tried with another
 * person's, generated from the rows of the routes.
 */
import type { RouteRow } from '../../src/controller/route';
import { ROUTES } from '../../src/routes';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import type { ModelRequest } from '../support/mock_model';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';

const PASSWORD = 'seven green umbrellas';

type Client = Pick<RestClient, 'request'>;
interface Thing {
  id: string;
  owner?: string;
  visibility?: string;
  sharedWith?: string[];
}

let config: AgentConfig;
let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
let chief: PersonClient;
let service: RestClient;

/** The beginning of a path -> the id of what Anna has there. */
let ids: Record<string, string>;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
};
const make = async (client: Client, path: string, body: object) => (await client.request<Thing>('POST', path, body)).body;
/** Uploads a file at /v1/files. Resolves with its id. */
async function upload(client: Client, text: string): Promise<string> {
  const head = '--edge\r\ncontent-disposition: form-data; name=';
  const form = `${head}"purpose"\r\n\r\nuser_data\r\n${head}"file"; filename="food.txt"\r\n\r\n${text}\r\n--edge--\r\n`;
  return (await client.request<Thing>('POST', '//v1/files', form, { 'content-type': 'multipart/form-data; boundary=edge' })).body.id;
}
const promptOf = (request: ModelRequest | undefined): string => String(request?.body.messages[0]?.content);

beforeAll(async () => {
  config = await createAgentConfig(['base', 'interaction', 'memory', 'jobs']);
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory });
  [anna, ben, chief] = [await invite('anna', 'member'), await invite('ben', 'member'), await invite('chief', 'admin')];
  service = withKey(keys.url, (await keys.makeKey({ name: 'service', scopes: ['chat', 'tools', 'ops:read'] })).secret);
  ids = {
    '/api/v1/memories': (await make(anna, '/memories', { text: 'Annas cat is called Mo' })).id,
    '/api/v1/jobs': (await make(anna, '/jobs', { name: 'Feed Mo', input: 'Feed the cat', schedule: { everyMs: 3_600_000 } })).id,
    '/v1/files': await upload(anna, 'Annas cat food'),
  };
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

/** Complete bodies, so that only the owner decides. */
const BODIES: Record<string, object> = {
  updateMemory: { text: 'Bens cat is called Mo' },
  updateJob: { name: 'Feed Kit' },
};

const beginningOf = ({ path }: RouteRow) => path.slice(0, path.indexOf('/:'));
const OF_THINGS = ROUTES.filter(row => /^\/(?:api\/v1\/(?:memories|jobs)|v1\/files)\/:/.test(row.path));

function ask(client: Client, row: RouteRow) {
  const path = row.path.replace(/:\w+/, ids[beginningOf(row)] ?? '').replaceAll(/:\w+/g, 'unknown');
  const hasBody = row.method !== 'get' && row.method !== 'delete';
  return client.request<ErrorBody>(row.method.toUpperCase(), `/${path}`, hasBody ? (BODIES[row.operationId] ?? {}) : undefined);
}

describe('a private thing of another person', () => {
  it.each(OF_THINGS.map(row => [`${row.method.toUpperCase()} ${row.path}`, row] as const))(
    '%s answers 404 to a person, an admin and a key',
    async (_name, row) => {
      for (const client of [ben, chief, service, keys.admin]) {
        const { status, body } = await ask(client, row);
        expect([status, JSON.stringify(body)]).toEqual([404, expect.stringContaining('not_found')]);
      }
    },
  );

  it('stays whole, and is there for its owner', async () => {
    expect((await anna.request('GET', `//v1/files/${ids['/v1/files']}/content`)).body).toBe('Annas cat food');
    for (const [beginning, id] of Object.entries(ids).filter(([path]) => path.startsWith('/api/')))
      expect((await anna.request('GET', `/${beginning}/${id}`)).body).toMatchObject({ owner: '@anna', visibility: 'private' });
  });

  it.each(['/memories', '/memories?q=cat', '/jobs', '//v1/files'])('GET %s leaves it out', async path => {
    expect((await anna.request<PageBody<Thing>>('GET', path)).body.data).not.toEqual([]);
    for (const client of [ben, chief, service, keys.admin])
      expect((await client.request<PageBody<Thing>>('GET', path)).body.data).toEqual([]);
  });

  it('is in the export of its owner alone', async () => {
    const exportOf = async (client: Client, path: string) => `${(await client.request('GET', path)).body}`;
    expect(await exportOf(anna, '/memories/export')).toContain('called Mo');
    for (const client of [ben, chief, keys.admin]) expect(await exportOf(client, '/memories/export')).not.toContain('called Mo');
    expect(await exportOf(keys.admin, '/export')).not.toMatch(/called Mo|Feed Mo/);
  });
});

describe('who sees an uploaded file', () => {
  const path = (rest = '') => `//v1/files/${ids['/v1/files']}${rest}`;
  const change = (client: Client, body: object) => client.request<Thing & ErrorBody>('POST', path(), body);
  /** Tells what the client may do: read the file, find it in the list, and name it in a request. */
  async function usesOf(client: Client): Promise<boolean[]> {
    const content = [
      { type: 'input_file', file_id: ids['/v1/files'] },
      { type: 'input_text', text: 'look around' },
    ];
    keys.bench.model.onTurn('look around', 'Seen.');
    const { body } = await client.request<PageBody<Thing>>('GET', '//v1/files');
    const { status } = await client.request('POST', '//v1/responses', { model: 'default', input: [{ role: 'user', content }] });
    const { body: bytes } = await client.request<string>('GET', path('/content'));
    return [bytes === 'Annas cat food', body.data.some(({ id }) => id === ids['/v1/files']), status === 200];
  }
  const ALL = [true, true, true];
  const NONE = [false, false, false];
  const uses = async () => [await usesOf(anna), await usesOf(ben), await usesOf(chief), await usesOf(service)];

  it('is the owner, who shares it: others read it, list it and name it in requests, and its owner alone deletes it', async () => {
    expect(await uses()).toEqual([ALL, NONE, NONE, NONE]);
    const shared = { object: 'file', owner: '@anna', visibility: 'shared', sharedWith: ['@ben'] };
    expect((await change(anna, { sharedWith: ['@ben'] })).body).toMatchObject(shared);
    expect(await uses()).toEqual([ALL, ALL, NONE, NONE]);
    expect((await ben.request('GET', path())).body).toMatchObject(shared);
    expect((await change(ben, { visibility: 'tenant' })).status).toBe(403);
    expect((await ben.request('DELETE', path())).status).toBe(403);
    expect((await change(anna, { shared_with: ['@chief'] })).status).toBe(400);
    expect((await change(anna, { visibility: 'tenant' })).status).toBe(200);
    expect(await uses()).toEqual([ALL, ALL, ALL, ALL]);
  });

  it('is narrowed by an admin, who opens nothing', async () => {
    expect((await change(chief, { visibility: 'private' })).status).toBe(204);
    expect(await uses()).toEqual([ALL, NONE, NONE, NONE]);
    expect((await change(chief, { visibility: 'tenant' })).status).toBe(404);
    const { body } = await keys.admin.request<PageBody<object>>('GET', '/audit');
    const row = { action: 'access.change', actor: '@chief', target: ids['/v1/files'] };
    expect(body.data).toContainEqual(expect.objectContaining({ ...row, details: { visibility: 'private', sharedWith: [] } }));
  });

  it('is the tenant for the file of a key, which is never private', async () => {
    const id = await upload(service, 'Food of the office');
    expect((await ben.request('GET', `//v1/files/${id}/content`)).body).toBe('Food of the office');
    expect((await ben.request('POST', `//v1/files/${id}`, { visibility: 'private' })).status).toBe(403);
    expect((await ben.request('DELETE', `//v1/files/${id}`)).status).toBe(200);
  });
});

describe('who sees a memory', () => {
  const change = (client: Client, body: object) => client.request<Thing & ErrorBody>('PATCH', `/memories/${ids['/api/v1/memories']}`, body);
  const seenBy = async (client: Client) => (await client.request('GET', `/memories/${ids['/api/v1/memories']}`)).status === 200;
  const seen = () => Promise.all([ben, chief, service].map(seenBy));

  it('is changed by the owner, counts at once, and gives others nothing but a look', async () => {
    expect((await change(anna, { sharedWith: ['@ben'] })).body).toMatchObject({ visibility: 'shared', sharedWith: ['@ben'] });
    expect(await seen()).toEqual([true, false, false]);
    expect((await change(anna, { sharedWith: ['admin'] })).status).toBe(200);
    expect(await seen()).toEqual([false, true, false]);
    expect((await change(anna, { visibility: 'tenant' })).status).toBe(200);
    expect(await seen()).toEqual([true, true, true]);
    for (const client of [ben, service]) {
      expect((await change(client, { text: 'Mo is a dog' })).status).toBe(403);
      expect((await change(client, { visibility: 'private' })).status).toBe(403);
      expect((await client.request('DELETE', `/memories/${ids['/api/v1/memories']}`)).status).toBe(403);
    }
    expect((await change(anna, { sharedWith: ['@nobody'] })).body).toMatchObject({ error: { param: '/sharedWith' } });
  });

  it('is narrowed by an admin, who opens nothing', async () => {
    expect((await change(chief, { text: 'Mo is a dog' })).status).toBe(403);
    expect((await change(chief, { visibility: 'private' })).status).toBe(204);
    expect([await seen(), await seenBy(anna)]).toEqual([[false, false, false], true]);
    expect((await change(chief, { visibility: 'tenant' })).status).toBe(404);
    const { body } = await keys.admin.request<PageBody<{ actor: string; action: string }>>('GET', '/audit');
    expect(body.data).toContainEqual(expect.objectContaining({ action: 'access.change', actor: '@chief' }));
  });

  it('what a key makes belongs to the tenant', async () => {
    const { id, owner } = await make(service, '/memories', { text: 'The office has two lifts' });
    expect(owner).toBeUndefined();
    expect((await ben.request('PATCH', `/memories/${id}`, { text: 'The office has three lifts' })).status).toBe(200);
    expect((await ben.request('PATCH', `/memories/${id}`, { visibility: 'private' })).status).toBe(403);
    await service.request('DELETE', `/memories/${id}`);
  });
});

describe('a job of a person', () => {
  const path = () => `/jobs/${ids['/api/v1/jobs']}`;

  it('shows itself to others, who neither change, run nor delete it', async () => {
    expect((await anna.request<Thing>('PATCH', path(), { sharedWith: ['@ben'] })).body).toMatchObject({ visibility: 'shared' });
    expect((await ben.request('GET', path())).status).toBe(200);
    for (const [method, way, body] of [
      ['PATCH', path(), { enabled: false }],
      ['POST', `${path()}/run`, undefined],
      ['DELETE', path(), undefined],
    ] as const)
      expect((await ben.request(method, way, body)).status).toBe(403);
    expect((await anna.request<Thing>('PATCH', path(), { visibility: 'private' })).status).toBe(200);
  });

  it('is listed and made by tools for the person who asks', async () => {
    const input = 'list the jobs';
    keys.bench.model.onTurn(
      input,
      { toolCalls: [{ name: 'cron', arguments: { action: 'list' } }] },
      ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
    );
    const told = async (client: Client) => JSON.stringify((await client.request('POST', '/runs', { input })).body);
    expect([(await told(anna)).includes('Feed Mo'), (await told(ben)).includes('Feed Mo')]).toEqual([true, false]);
  });
});

describe('the memories of a run', () => {
  const recall = { toolCalls: [{ name: 'memory_recall', arguments: { query: 'cat' } }] };
  let turns = 0;
  /** Runs a turn that recalls. Resolves with its prompt and what the tool told. */
  async function turn(client: Client, sessionId?: string) {
    turns += 1;
    const input = `which cat is it, turn ${turns}`;
    keys.bench.model.onTurn(input, recall, ({ toolResults }) => `Told: ${toolResults.at(-1)}`);
    const { body } = await client.request<{ sessionId: string; output: string }>('POST', '/runs', { input, sessionId });
    return { sessionId: body.sessionId, prompt: promptOf(keys.bench.model.requests(input)[0]), told: JSON.stringify(body) };
  }

  beforeAll(async () => {
    await make(ben, '/memories', { text: 'Bens cat is called Kit' });
    await make(service, '/memories', { text: 'The cat of the office is called Bo' });
  });

  it('are those of the person who asks, and of the tenant', async () => {
    for (const [client, own, other] of [
      [anna, 'Mo', 'Kit'],
      [ben, 'Kit', 'Mo'],
    ] as const) {
      const { prompt, told } = await turn(client);
      for (const text of [prompt, told]) {
        expect(text).toContain(`is called ${own}`);
        expect(text).toContain('is called Bo');
        expect(text).not.toContain(`is called ${other}`);
      }
    }
  });

  it('are those of the tenant alone in a chat that others see', async () => {
    const { sessionId } = await turn(anna);
    await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
    for (const client of [anna, ben]) {
      const { prompt, told } = await turn(client, sessionId);
      for (const text of [prompt, told]) {
        expect(text).toContain('is called Bo');
        expect(text).not.toMatch(/is called (?:Mo|Kit)/);
      }
    }
    await anna.request('PATCH', `/sessions/${sessionId}`, { visibility: 'private' });
    expect((await turn(anna, sessionId)).prompt).toContain('is called Mo');
  });

  it('a memory that a run saves belongs to the person who asked', async () => {
    const input = 'remember the dog';
    keys.bench.model.onTurn(input, { toolCalls: [{ name: 'memory_save', arguments: { text: 'Bens dog is called Rex' } }] }, 'Saved.');
    await ben.request('POST', '/runs', { input });
    const dogs = async (client: Client) => (await client.request<PageBody<Thing>>('GET', '/memories?q=dog')).body.data;
    expect(await dogs(ben)).toEqual([expect.objectContaining({ owner: '@ben', visibility: 'private' })]);
    expect(await dogs(anna)).toEqual([]);
  });
});

it('a group of the directory sees what is shared with it, as long as it has the person', async () => {
  const { body } = await keys.admin.request<PageBody<{ id: string; handle: string }>>('GET', '/people');
  const member = { value: body.data.find(({ handle }) => handle === '@ben')?.id };
  const scim = (method: string, path: string, more: object = {}) =>
    keys.admin.request<Thing>(
      method,
      `//scim/v2/Groups${path}`,
      { displayName: 'garden', ...more },
      { 'content-type': 'application/scim+json' },
    );
  const sharedWith = ['group:garden'];
  const { id: sessionId } = await make(anna, '/sessions', { title: 'Beds' });
  const paths = [`/memories/${ids['/api/v1/memories']}`, `/jobs/${ids['/api/v1/jobs']}`, `/sessions/${sessionId}`];
  const share = () => Promise.all(paths.map(async path => (await anna.request('PATCH', path, { sharedWith })).status));
  const seen = (client: Client) => Promise.all(paths.map(async path => (await client.request('GET', path)).status));
  expect(await share()).toEqual([400, 400, 400]);
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  const { id } = (await scim('POST', '', { schemas, members: [member] })).body;
  expect(await share()).toEqual([200, 200, 200]);
  expect([await seen(ben), await seen(chief)]).toEqual([paths.map(() => 200), paths.map(() => 404)]);
  expect((await ben.request<PageBody<Thing>>('GET', '/sessions')).body.data.map(session => session.id)).toContain(sessionId);
  expect((await ben.request('GET', '/me')).body).toMatchObject({ person: { groups: ['garden'] } });
  await scim('PUT', `/${id}`, { schemas, members: [] });
  expect(await seen(ben)).toEqual(paths.map(() => 404));
});

it('what belongs to a person is erased with the person', async () => {
  const { body } = await keys.admin.request<PageBody<{ id: string; handle: string }>>('GET', '/people');
  const id = body.data.find(({ handle }) => handle === '@anna')?.id;
  const exported = JSON.stringify((await anna.request('GET', `/people/${id}/export`)).body);
  expect([exported.includes('called Mo'), exported.includes('Feed Mo')]).toEqual([true, true]);
  expect(exported).toContain('food.txt');
  const shown = Object.entries(ids).filter(([path]) => path.startsWith('/api/'));
  const paths = shown.map(([beginning, thing]) => `/${beginning}/${thing}`);
  const found = async () => Promise.all(paths.map(async path => (await service.request('GET', path)).status));
  for (const path of paths) await anna.request('PATCH', path, { visibility: 'tenant' });
  expect(await found()).toEqual(paths.map(() => 200));
  expect((await keys.admin.request('DELETE', `/people/${id}?erase=true`)).status).toBeLessThan(300);
  expect(await found()).toEqual(paths.map(() => 404));
});
