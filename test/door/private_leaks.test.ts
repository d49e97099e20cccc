/** Ways around the privacy of a person's session: the rights of admins, webhooks, files of results, exports and streams. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyBench, startKeyBench } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { ErrorBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

type Client = Pick<RestClient, 'request'>;

let keys: KeyBench;
let receiver: WebhookReceiver;
let anna: PersonClient;
let ben: PersonClient;
let chief: PersonClient;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: 'seven green umbrellas' });
};
const run = async (client: Client, body: object = { input: 'hello' }) =>
  (await client.request<{ runId: string; sessionId: string }>('POST', '/runs', body)).body;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  keys = await startKeyBench({ NETA_WEBHOOK_ALLOW: new URL(receiver.url).host });
  keys.bench.model.onTurn('hello', 'Hello.');
  keys.bench.model.onTurn('go on for ever', { text: 'on and on', chunkSize: 2, pauseAfter: 1 });
  [anna, ben, chief] = [await invite('anna', 'member'), await invite('ben', 'member'), await invite('chief', 'admin')];
});
afterAll(async () => {
  await keys?.bench.stop();
  await receiver?.stop();
});

describe('an admin', () => {
  let path: string;
  const change = (client: Client, body: object) => client.request<ErrorBody>('PATCH', path, body);
  const sees = async (client: Client) => (await client.request('GET', path)).status === 200;

  beforeAll(async () => {
    path = `/sessions/${(await run(anna)).sessionId}`;
  });

  const OPENING: object[] = [
    { visibility: 'tenant' },
    { sharedWith: ['@chief', '@ben'] },
    { sharedWith: ['admin'] },
    { sharedWith: ['member'] },
    { visibility: 'private', sharedWith: ['@chief', 'admin'] },
  ];

  it.each(OPENING)('does not open the session of a person to itself with %j', async body => {
    expect((await change(chief, body)).body.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('sharedWith') });
    if (!JSON.stringify(body).includes('@chief')) expect((await change(keys.admin, body)).status).toBe(403);
    expect([await sees(chief), await sees(keys.admin)]).toEqual([false, false]);
  });

  it('does not bring back those with whom the owner shared it before', async () => {
    await change(anna, { sharedWith: ['admin'] });
    expect(await sees(chief)).toBe(true);
    await change(anna, { visibility: 'private' });
    expect((await change(chief, { visibility: 'shared' })).status).toBe(403);
    expect(await sees(chief)).toBe(false);
  });

  it('hands it over to others, and narrows', async () => {
    expect((await change(keys.admin, { sharedWith: ['@ben'] })).status).toBe(204);
    expect([await sees(ben), await sees(chief)]).toEqual([true, false]);
    await change(anna, { sharedWith: ['@ben', 'admin'] });
    expect((await change(chief, { sharedWith: ['admin'] })).status).toBe(200);
    expect([await sees(ben), await sees(chief)]).toEqual([false, true]);
    await change(anna, { visibility: 'tenant' });
    expect((await change(chief, { visibility: 'private' })).status).toBe(204);
    expect([await sees(ben), await sees(chief)]).toEqual([false, false]);
  });
});

describe('a webhook', () => {
  const add = async (client: Client) =>
    (await client.request<{ id: string }>('POST', '/webhooks', { url: receiver.url, events: ['run.completed'] })).body.id;
  const heard = async (client: Client, id: string) => {
    const { body } = await client.request<{ data: { body: { data: { runId: string } } }[] }>('GET', `/webhooks/${id}/deliveries`);
    return body.data.map(({ body: { data } }) => data.runId).reverse();
  };

  it('hears of the runs that its maker sees', async () => {
    const [ofAnna, ofBen, ofKey] = [await add(anna), await add(ben), await add(keys.admin)];
    const own = await run(anna);
    const common = await run(keys.admin);
    await anna.request('PATCH', `/sessions/${own.sessionId}`, { sharedWith: ['@ben'] });
    const shared = await run(anna, { input: 'hello', sessionId: own.sessionId });
    expect(await heard(anna, ofAnna)).toEqual([own.runId, common.runId, shared.runId]);
    expect(await heard(ben, ofBen)).toEqual([common.runId, shared.runId]);
    expect(await heard(keys.admin, ofKey)).toEqual([common.runId]);
    for (const client of [ben, keys.admin]) expect((await client.request('GET', `/webhooks/${ofAnna}/deliveries`)).status).toBe(404);
    for (const id of [ofAnna, ofBen, ofKey]) await ben.request('DELETE', `/webhooks/${id}`);
  });
});

describe('the files of long results', () => {
  const call = (client: Client, toolName: string, parameters: object) =>
    client.request<{ result?: string }>('POST', '/tools/call', { toolName, parameters });
  const shown = async (client: Client, toolName: string, parameters: object) =>
    JSON.stringify((await call(client, toolName, parameters)).body);

  it('are there for those who see the session', async () => {
    const { sessionId } = await run(anna);
    const folder = `.neta/results/${sessionId}`;
    const text = 'the cellar is green';
    await mkdir(join(keys.bench.gateway.workspace, folder), { recursive: true });
    await writeFile(join(keys.bench.gateway.workspace, folder, 'call_1.txt'), text);
    const reads: [string, object][] = [
      ['read_file', { path: `${folder}/call_1.txt` }],
      ['search', { pattern: 'cellar', path: '.neta' }],
      ['search', { pattern: 'cellar', path: folder }],
    ];
    for (const [tool, parameters] of reads) {
      expect(await shown(anna, tool, parameters)).toContain(text);
      for (const client of [ben, keys.admin]) expect(await shown(client, tool, parameters)).not.toContain(text);
    }
    expect(await shown(anna, 'list_dir', { path: '.neta/results' })).toContain(sessionId);
    expect(await shown(ben, 'list_dir', { path: '.neta/results' })).not.toContain(sessionId);
  });
});

it('an export has ratings and cases of private sessions for those alone who see the session', async () => {
  const { runId } = await run(anna);
  await anna.request('PUT', `/runs/${runId}/feedback`, { rating: 'down', text: 'the barn is blue' });
  expect((await anna.request('POST', '/suites', { runId, name: 'barns' })).status).toBeLessThan(300);
  const exported = async (client: Client) => JSON.stringify((await client.request('GET', '/export')).body);
  for (const text of ['the barn is blue', 'barns']) {
    expect(await exported(anna)).toContain(text);
    for (const client of [ben, chief, keys.admin]) expect(await exported(client)).not.toContain(text);
  }
});

it('the stream of a run ends when its driver is removed from the session', async () => {
  const { sessionId } = await run(anna);
  await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
  const over = ben.request('POST', '/runs', { input: 'go on for ever', sessionId }, { accept: 'text/event-stream' }).catch(() => 'over');
  const running = async () =>
    (await anna.request<{ data: { id: string; status: string }[] }>('GET', `/runs?sessionId=${sessionId}`)).body.data;
  await until(async () => (await running()).find(({ status }) => status === 'running'));
  await anna.request('DELETE', `/sessions/${sessionId}/participants/@ben`);
  await over;
  expect((await running())[0]).toMatchObject({ status: 'running' });
  await anna.request('POST', `/runs/${(await running())[0]?.id}/cancel`);
});

it('a session is not shared with a group, of which the gateway knows no members', async () => {
  const { sessionId } = await run(anna);
  const { status, body } = await anna.request<ErrorBody>('PATCH', `/sessions/${sessionId}`, { sharedWith: ['group:platform'] });
  expect([status, body.error]).toMatchObject([400, { param: '/sharedWith' }]);
});
