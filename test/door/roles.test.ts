/** Roles of people: the viewer, who reads and writes nothing, and roles.yaml, which says what each role may do. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLE_SCOPES } from '../../src/port/roles';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { RestClient } from '../support/rest_client';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';

let config: AgentConfig;
let keys: KeyBench;

async function invite(name: string, role: string, by: Pick<RestClient, 'request'> = keys.admin): Promise<PersonClient> {
  const { body } = await by.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
}

/** Replaces roles.yaml as an editor does. */
async function putRoles(text: string): Promise<void> {
  await writeFile(join(config.directory, 'roles.yaml.part'), text);
  await rename(join(config.directory, 'roles.yaml.part'), join(config.directory, 'roles.yaml'));
}

const scopesOf = async (client: Pick<RestClient, 'request'>) =>
  (await client.request<{ scopes: string[] }>('GET', '/me')).body.scopes as string[] | undefined;
const untilScopes = (client: Pick<RestClient, 'request'>, scopes: readonly string[]) =>
  until(async () => JSON.stringify(await scopesOf(client)) === JSON.stringify(scopes));

beforeAll(async () => {
  config = await createAgentConfig(['base']);
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory });
  keys.bench.model.onTurn('hello', 'Hello.');
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

describe('a viewer', () => {
  let anna: PersonClient;
  let vera: PersonClient;
  let chat: { runId: string; sessionId: string };

  beforeAll(async () => {
    [anna, vera] = [await invite('anna', 'member'), await invite('vera', 'viewer')];
    chat = (await anna.request<typeof chat>('POST', '/runs', { input: 'hello' })).body;
  });

  it('ASVS 4.1.3 reads a chat that is shared with the role, and does not find it before', async () => {
    const path = `/sessions/${chat.sessionId}/messages`;
    expect([await scopesOf(vera), (await vera.request('GET', path)).status]).toEqual([['chat:read'], 404]);
    await anna.request('PATCH', `/sessions/${chat.sessionId}`, { sharedWith: ['viewer'] });
    for (const read of [path, '/sessions', `/runs/${chat.runId}`, '/runs', '/approvals', '/search?q=hello'])
      expect([read, (await vera.request('GET', read)).status]).toEqual([read, 200]);
  });

  it('ASVS 4.1.1 writes and decides nothing, also as a driver', async () => {
    await anna.request('POST', `/sessions/${chat.sessionId}/participants`, { person: '@vera', role: 'driver' });
    const answers = [
      await vera.request('POST', '/runs', { input: 'hello', sessionId: chat.sessionId }),
      await vera.request('PATCH', `/sessions/${chat.sessionId}`, { title: 'Mine' }),
      await vera.request('POST', '/approvals/decide', { ids: ['unknown'], decision: 'allow_once' }),
      await vera.request('POST', '//v1/responses', { model: 'default', input: 'hello' }),
      await vera.request('POST', '/jobs', { name: 'a', input: 'hello', schedule: { cron: '0 8 * * *' } }),
      await vera.request('POST', '/api-keys', { name: 'mine', scopes: ['chat:read'] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });
});

it('a key with chat:read follows a session over a socket, and sends nothing into it', async () => {
  const { body } = await keys.admin.request<{ sessionId: string }>('POST', '/runs', { input: 'hello' });
  const { secret } = await keys.makeKey({ name: 'screen', scopes: ['chat:read'] });
  const socket = await connectChat(keys.url, { token: secret });
  const { sessionId } = body;
  expect((await socket.send({ type: 'subscribe', sessionId })).error).toBeUndefined();
  expect((await socket.send({ type: 'watch_sessions' })).error).toBeUndefined();
  expect((await socket.send({ type: 'chat', sessionId, text: 'hello' })).error).toMatchObject({
    code: 'forbidden',
    details: { scopes: ['chat'] },
  });
  socket.close();
});

describe('roles.yaml', () => {
  let max: PersonClient;
  let key: RestClient;
  let secret: string;
  let acme: RestClient;
  let rita: PersonClient;

  beforeAll(async () => {
    acme = withKey(keys.url, (await keys.makeKey({ name: 'acme', tenant: 'acme', scopes: ['admin', 'chat'] })).secret);
    max = await invite('max', 'admin');
    rita = await invite('rita', 'member', acme);
    ({ secret } = (await max.request<{ secret: string }>('POST', '/api-keys', { name: 'maxs', scopes: ['chat', 'ops:read'] })).body);
    key = withKey(keys.url, secret);
  });
  afterEach(async () => {
    await rm(join(config.directory, 'roles.yaml'), { force: true });
    await untilScopes(max, ROLE_SCOPES.admin);
  });

  it('ASVS 4.1.1 changes what a role may do at once: for people, their keys and sockets, in one tenant or in all', async () => {
    const socket: ChatClient = await connectChat(keys.url, { token: secret });
    const ended = new Promise(done => socket.socket.once('disconnect', done));
    await putRoles('roles:\n  admin: [admin, chat:read]\n  member: [chat]\ntenants:\n  acme:\n    member: [chat:read, tools]\n');
    await untilScopes(max, ['admin', 'chat:read']);
    expect([await scopesOf(key), await scopesOf(rita)]).toEqual([['chat:read'], ['chat:read', 'tools']]);
    await ended;
    socket.close();
    const rows = async (client: Pick<RestClient, 'request'>) =>
      (await client.request<{ data: { role: string; scopes: string[] }[] }>('GET', '/roles')).body.data;
    expect(await rows(max)).toEqual([
      { role: 'operator', scopes: ROLE_SCOPES.operator },
      { role: 'admin', scopes: ['admin', 'chat:read'] },
      { role: 'member', scopes: ['chat'] },
      { role: 'approver', scopes: ROLE_SCOPES.approver },
      { role: 'viewer', scopes: ['chat:read'] },
      { role: 'guest', scopes: ['chat'] },
    ]);
    expect((await rows(acme))[2]).toEqual({ role: 'member', scopes: ['chat:read', 'tools'] });
    expect((await max.request('GET', '/me')).body).toMatchObject({ person: { name: 'max', role: 'admin' } });
  });

  it('shows how long chats of a role are kept', async () => {
    await putRoles('keepDays: { member: 90, viewer: 0 }\ntenants:\n  acme:\n    keepDays: { member: 7 }\n');
    const kept = async (client: Pick<RestClient, 'request'>) =>
      (await client.request<{ data: { keepDays?: number }[] }>('GET', '/roles')).body.data.map(({ keepDays }) => keepDays ?? null);
    await until(async () => JSON.stringify(await kept(acme)) === JSON.stringify([null, null, 7, null, 0, null]));
    expect(await kept(max)).toEqual([null, null, 90, null, 0, null]);
  });

  it.each([
    ['keepDays: { guest: 1 }\n', '/keepDays'],
    ['keepDays: { member: -1 }\n', '/keepDays/member'],
    ['roles:\n  viewer: [admin]\n', '/roles/viewer/0'],
    ['roles:\n  admin: [chat]\n', '/roles/admin'],
    ['roles:\n  operator: []\n', '/roles'],
    ['roles:\n  guest: [admin]\n', '/roles'],
    ['tenants:\n  acme: { admin: [chat] }\n', '/tenants/acme/admin'],
  ])('refuses %j, names the place, and keeps the roles from before', async (text, place) => {
    await putRoles(text);
    await until(
      () => keys.admin.request<{ warnings: string[] }>('GET', '//readyz'),
      ({ body: { warnings } }) => warnings.some(warning => warning.startsWith(`roles.yaml: ${place}`)),
    );
    expect(await scopesOf(max)).toEqual(ROLE_SCOPES.admin);
  });
});
