/** Several people look at one session: who is there, who types, who takes part. */
import type { PresentPerson } from '../../src/service/access/session_notice';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import { until } from '../support/until';

const PASSWORD = 'seven green umbrellas';

interface Notice {
  type: string;
  sessionId: string;
  people: PresentPerson[];
}

interface ParticipantsBody {
  data: { person: string; present: boolean; typing?: boolean }[];
  looking: PresentPerson[];
}

const nameOf = (name: string) => name[0]?.toUpperCase() + name.slice(1);

let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
let sessionId: string;
const clients: ChatClient[] = [];

const invite = async (name: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role: 'member', email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name: nameOf(name), password: PASSWORD });
};
const connect = async ({ headers }: PersonClient) => {
  const client = await connectChat(keys.url, { capabilities: ['presence@1'] }, headers);
  clients.push(client);
  return client;
};
const give = (role: string) => anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role });
const noticesOf = ({ received }: ChatClient, type: string) =>
  (received as unknown as Notice[]).filter(notice => notice.type === type && notice.sessionId === sessionId);
/** Resolves when the newest list of people is this one. */
const sees = (client: ChatClient, people: object[]) =>
  until(
    () => JSON.stringify(noticesOf(client, 'presence').at(-1)?.people),
    text => text === JSON.stringify(people),
  );
const person = (name: string, part: string, more: { typing?: boolean; tabs?: number } = {}) => ({
  handle: `@${name}`,
  name: nameOf(name),
  part,
  typing: more.typing ?? false,
  tabs: more.tabs ?? 1,
});

beforeAll(async () => {
  keys = await startKeyBench();
  keys.bench.model.onTurn('hello', 'Hello.');
  keys.bench.model.onTurn('slow', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 }, 'Done.');
  [anna, ben] = [await invite('anna'), await invite('ben')];
});
afterAll(async () => {
  for (const client of clients) client.close();
  await keys?.bench.stop();
});

it('[R] tells everybody who looks at a session who else does, and who types', async () => {
  const [first, second, other] = [await connect(anna), await connect(anna), await connect(ben)];
  ({ sessionId } = await first.chat('hello'));
  await sees(first, [person('anna', 'owner')]);
  await second.send({ type: 'subscribe', sessionId });
  await sees(first, [person('anna', 'owner', { tabs: 2 })]);
  expect((await other.send({ type: 'subscribe', sessionId })).error?.code).toBe('not_found');
  second.close();

  await give('watcher');
  await other.send({ type: 'subscribe', sessionId });
  await sees(other, [person('anna', 'owner'), person('ben', 'watcher')]);
  expect((await other.send({ type: 'typing', sessionId })).error?.code).toBe('forbidden');
  // An approver types answers.
  await give('approver');
  expect(await other.send({ type: 'typing', sessionId })).toEqual({ ok: true });
  await sees(first, [person('anna', 'owner'), person('ben', 'approver', { typing: true })]);
  await give('driver');
  await sees(first, [person('anna', 'owner'), person('ben', 'driver', { typing: true })]);
  const { body } = await anna.request<ParticipantsBody>('GET', `/sessions/${sessionId}/participants`);
  expect(body.data).toEqual([expect.objectContaining({ person: '@ben', role: 'driver', present: true, typing: true })]);
  expect(body.looking).toEqual([person('anna', 'owner')]);
  // A message ends the typing.
  await other.chat('hello', { sessionId });
  await sees(first, [person('anna', 'owner'), person('ben', 'driver')]);
});

it('[R] tells of changes of participants, and nothing more to whoever was removed', async () => {
  const [first, other] = [await connect(anna), await connect(ben)];
  await first.send({ type: 'subscribe', sessionId });
  await other.send({ type: 'subscribe', sessionId });
  await sees(other, [person('anna', 'owner', { tabs: 2 }), person('ben', 'driver', { tabs: 2 })]);
  expect(noticesOf(first, 'participants_changed')).toEqual([]);
  expect((await anna.request('DELETE', `/sessions/${sessionId}/participants/@ben`)).status).toBe(204);
  await sees(first, [person('anna', 'owner', { tabs: 2 })]);
  const left = other.received.length;
  for (const client of [first, other]) expect(noticesOf(client, 'participants_changed')).toHaveLength(1);
  expect((await other.send({ type: 'subscribe', sessionId })).error?.code).toBe('not_found');
  expect((await other.send({ type: 'typing', sessionId })).error?.code).toBe('not_found');
  const { runId } = await first.chat('hello', { sessionId });
  await first.endOf(runId);
  expect(other.received).toHaveLength(left);
});

it('[R] names the people of the tenant to people and keys that chat, and to no others', async () => {
  const names = async (client: Pick<PersonClient, 'request'>) => {
    const { status, body } = await client.request<{ data?: object[] }>('GET', '/people/names');
    return [status, body.data];
  };
  const people = ['anna', 'ben'].map(name => ({ handle: `@${name}`, name: nameOf(name) }));
  const keyWith = async (name: string, scopes: string[], tenantId?: string) =>
    withKey(keys.url, (await keys.makeKey({ name, scopes, tenant: tenantId })).secret);
  expect(await names(ben)).toEqual([200, people]);
  expect(await names(await keyWith('service', ['chat']))).toEqual([200, people]);
  expect(await names(await keyWith('tools', ['tools']))).toEqual([403, undefined]);
  expect(await names(await keyWith('globex', ['chat'], 'globex'))).toEqual([200, []]);
});

it('[R] names who wrote each message, also one that was sent into a run', async () => {
  await give('driver');
  const [first, other] = [await connect(anna), await connect(ben)];
  const { runId } = await first.chat('slow walk', { sessionId });
  await keys.bench.model.waitFor('slow walk');
  expect((await other.send({ type: 'steer', runId, text: 'hello from ben' })).ok).toBe(true);
  keys.bench.model.resume();
  const start = await first.waitFor('run_start', event => event.runId === runId);
  expect(start.data.by).toBe('@anna');
  const written = await until(
    async () => {
      const { body } = await anna.request<{ data: { role: string; content: string; by?: string }[] }>(
        'GET',
        `/sessions/${sessionId}/messages`,
      );
      return body.data.filter(({ role, content }) => role === 'user' && content !== 'hello').map(({ content, by }) => [content, by]);
    },
    rows => rows.length === 2,
  );
  expect(written).toEqual([
    ['slow walk', '@anna'],
    ['hello from ben', '@ben'],
  ]);
  expect(JSON.stringify(keys.bench.model.requests().at(-1))).not.toContain('@ben');
});

it('[R] hands a chat over in one call: a driver watches from then on, an owner stays the owner', async () => {
  const carl = await invite('carl');
  const put = (client: PersonClient, body: object) => client.request<object>('POST', `/sessions/${sessionId}/participants`, body);
  const parts = async () => {
    const { body } = await anna.request<{ data: { person: string; role: string }[] }>('GET', `/sessions/${sessionId}/participants`);
    return Object.fromEntries(body.data.map(({ person: of, role }) => [of, role]));
  };
  expect((await put(ben, { person: '@carl', role: 'watcher', handOver: true })).body).toMatchObject({ error: { param: '/handOver' } });
  expect((await put(ben, { person: '@ben', role: 'driver', handOver: true })).body).toMatchObject({ error: { param: '/person' } });
  expect((await put(ben, { person: '@carl', role: 'driver', handOver: true })).body).toMatchObject({ person: '@carl', addedBy: '@ben' });
  expect(await parts()).toEqual({ '@ben': 'watcher', '@carl': 'driver' });
  expect((await put(carl, { person: '@anna', role: 'driver', handOver: true })).status).toBe(400);
  expect((await put(anna, { person: '@ben', role: 'driver', handOver: true })).status).toBe(201);
  expect(await parts()).toEqual({ '@ben': 'driver', '@carl': 'driver' });
});

it('[R] ends streams of AG-UI and A2A when their reader is removed', async () => {
  await give('driver');
  const open = (path: string, body: object) =>
    fetch(`${keys.url}${path}`, {
      method: 'POST',
      headers: { ...ben.headers, 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify(body),
    });
  const message = { id: 'm1', role: 'user', content: 'slow swim' };
  const agui = await open('/agui/default', {
    threadId: sessionId,
    runId: 'r1',
    messages: [message],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  });
  await keys.bench.model.waitFor('slow swim');
  const { body } = await anna.request<{ data: { runId: string }[] }>('GET', `/runs?sessionId=${sessionId}&status=running`);
  const a2a = await open('/a2a', { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: body.data[0]?.runId } });
  expect([agui.status, a2a.status, a2a.headers.get('content-type')]).toEqual([200, 200, expect.stringContaining('text/event-stream')]);
  await anna.request('DELETE', `/sessions/${sessionId}/participants/@ben`);
  expect(await agui.text()).toContain('RUN_ERROR');
  expect(await a2a.text()).toContain('"task"');
  keys.bench.model.resume();
});
