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
  const client = await connectChat(keys.url, {}, headers);
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
  await give('driver');
  await sees(first, [person('anna', 'owner'), person('ben', 'driver')]);
  expect(await other.send({ type: 'typing', sessionId })).toEqual({ ok: true });
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
