/** Guests: whoever holds a link of the role guest writes in one session, until the link ends. */
import type { RouteRow } from '../../src/controller/route';
import { ROUTES } from '../../src/routes';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import { createRestClient, type ErrorBody, type RestClient } from '../support/rest_client';
import { until } from '../support/until';

interface MadeShare {
  id: string;
  role: string;
  public: boolean;
  url: string;
  token: string;
}
interface Me {
  keyName: string;
  scopes: string[];
  guestOf: string;
}

const LATER = { prefer: 'respond-async' };

let keys: KeyBench;
let anna: PersonClient;
/** The chat with the link, and another one of the same person. */
let sessionId: string;
let other: { sessionId: string; runId: string };
let share: MadeShare;
let guest: RestClient;
let socket: ChatClient;

async function startIn(
  client: Pick<RestClient, 'request'>,
  input: string,
  more: object = {},
): Promise<{ sessionId: string; runId: string }> {
  const { body, status } = await client.request<{ sessionId: string; runId: string }>('POST', '/runs', { input, ...more }, LATER);
  if (status > 202) throw new Error(JSON.stringify(body));
  return body;
}
const makeShare = async (fields: object) => (await anna.request<MadeShare>('POST', `/sessions/${sessionId}/shares`, fields)).body;
const textsOf = async () =>
  (await guest.request<{ data: { content: string }[] }>('GET', `/sessions/${sessionId}/messages`)).body.data.map(({ content }) => content);
const untilDone = (runId: string) =>
  until(async () => (await anna.request<{ status: string }>('GET', `/runs/${runId}`)).body.status === 'completed');
const pending = (client: Pick<RestClient, 'request'>, kind: string, runId: string) =>
  until(async () => {
    const { body } = await client.request<{ data: { requestId: string; runId: string }[] }>(
      'GET',
      `/${kind}?status=pending&sessionId=${sessionId}`,
    );
    return body.data.find(row => row.runId === runId)?.requestId;
  });

beforeAll(async () => {
  keys = await startKeyBench({ NETA_PUBLIC_SHARES: '1' });
  const { model } = keys.bench;
  model.onTurn('hello', 'Hello.');
  model.onTurn('secret', 'The cellar is green.');
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which cellar?' } }] }, 'Thank you.');
  model.onTurn('read the keys', { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] }, 'Read.');
  model.onTurn(
    'recall',
    { toolCalls: [{ name: 'session_search', arguments: { query: 'cellar' } }] },
    ({ toolResults }) => `${toolResults}`,
  );
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role: 'member', email: 'anna@example.com' });
  anna = await acceptInvitation(keys.url, body, { name: 'Anna', password: 'seven green umbrellas' });
  ({ sessionId } = await startIn(anna, 'hello'));
  other = await startIn(anna, 'secret');
  await startIn(keys.admin, 'secret');
  share = await makeShare({ role: 'guest' });
  guest = withKey(keys.url, share.token);
  socket = await connectChat(keys.url, { token: share.token, capabilities: ['clarify@1', 'approval@1'] });
});
afterAll(async () => {
  socket?.close();
  await keys?.bench.stop();
});

it('a link for guests is public, and its page says that the holder may write', async () => {
  expect(share).toMatchObject({ role: 'guest', public: true });
  const { body } = await createRestClient(keys.url).request('GET', '/public/shared', undefined, { 'x-share-token': share.token });
  expect(body).toMatchObject({ role: 'guest' });
  expect(await makeShare({})).toMatchObject({ role: 'viewer', public: false });
});

it('a guest is named by the link, reads the session and writes in it, over REST and over a socket', async () => {
  const name = `guest:${share.id.replace('shr_', '')}`;
  const { body } = await guest.request<Me>('GET', '/me');
  expect(body).toMatchObject({ keyName: name, scopes: ['chat'], operator: false, guestOf: sessionId, person: { role: 'guest' } });
  const { runId } = await socket.chat('hello', { sessionId });
  await socket.endOf(runId);
  expect((await guest.request('POST', '/runs', { input: 'hello', sessionId })).body).toMatchObject({ text: 'Hello.' });
  expect((await anna.request('GET', `/runs/${runId}`)).body).toMatchObject({ keyName: name });
  expect((await guest.request<{ data: object[] }>('GET', `/runs?sessionId=${sessionId}`)).body.data).toHaveLength(3);
  expect(await textsOf()).toContain('Hello.');
});

it('a guest answers the questions of the session', async () => {
  const { runId } = await startIn(anna, 'ask me', { sessionId, clarify: 'wait' });
  const requestId = await pending(guest, 'clarifications', runId);
  expect((await socket.send({ type: 'clarify_response', sessionId, requestId, answer: 'the green one' })).error).toBeUndefined();
  const answered = await anna.request<{ data: object[] }>('GET', `/clarifications?sessionId=${sessionId}&status=answered`);
  expect(answered.body.data[0]).toMatchObject({ decidedBy: expect.stringContaining('guest:') });
  await untilDone(runId);
});

it('ASVS 4.2.1 a guest decides no approval, and what the owner has allowed for the session does not count for the guest', async () => {
  const own = await startIn(anna, 'read the keys', { sessionId, clarify: 'wait' });
  const first = await pending(anna, 'approvals', own.runId);
  const decide = (client: Pick<RestClient, 'request'>, id: string | undefined, decision: string) =>
    client.request<ErrorBody>('POST', `/approvals/${id}`, { decision });
  expect((await decide(guest, first, 'allow_once')).status).toBe(403);
  expect((await decide(anna, first, 'allow_session')).status).toBe(200);
  await untilDone(own.runId);
  // The owner rides on it, the guest does not.
  const again = await startIn(anna, 'read the keys', { sessionId, clarify: 'wait' });
  await untilDone(again.runId);
  const { runId } = await socket.chat('read the keys', { sessionId });
  const second = await pending(anna, 'approvals', runId);
  expect((await socket.send({ type: 'approval_response', sessionId, requestId: second, decision: 'allow_once' })).error?.code).toBe(
    'forbidden',
  );
  expect((await decide(anna, second, 'deny')).status).toBe(200);
  await socket.endOf(runId);
});

describe('ASVS 4.1.3 a guest finds nothing else', () => {
  const NAMES_NO_SESSION = ROUTES.filter(({ scope, guests }) => scope !== 'open' && guests !== 'anywhere');

  it('on no route that does not name the session', async () => {
    const found: string[] = [];
    for (const row of NAMES_NO_SESSION) {
      const { status } = await ask(guest, row, other.sessionId);
      if (status !== 404 && status !== 403) found.push(`${row.operationId} ${status}`);
    }
    expect(found).toEqual([]);
  });

  it('by no socket message', async () => {
    const messages = [
      { type: 'chat', text: 'hello' },
      { type: 'chat', text: 'hello', sessionId: other.sessionId },
      { type: 'subscribe', sessionId: other.sessionId },
      { type: 'cancel', runId: other.runId },
      { type: 'steer', runId: other.runId, text: 'hello' },
      { type: 'set_thinking_level', sessionId, level: 'low' },
      { type: 'watch_sessions' },
    ];
    for (const message of messages) expect([message.type, (await socket.send(message)).error?.code]).toEqual([message.type, 'not_found']);
  });

  it('by no tool of the agent, and with no agent or model of its own choice', async () => {
    const { body } = await guest.request<{ text: string }>('POST', '/runs', { input: 'recall', sessionId });
    expect(body.text).not.toContain('green');
    for (const more of [{ agent: 'default' }, { model: 'default' }, { parameters: { temperature: 1 } }])
      expect((await guest.request('POST', '/runs', { input: 'hello', sessionId, ...more })).status).toBe(403);
  });
});

it('a guest writes ten messages a minute', async () => {
  const more = await makeShare({ role: 'guest' });
  const eager = withKey(keys.url, more.token);
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await eager.request('POST', '/runs', { input: 'hello', sessionId })).status);
  expect([statuses.slice(0, 10), statuses[10]]).toEqual([Array(10).fill(200), 429]);
});

it('ASVS 3.3.1 the end of the link ends the guest at once, with its socket', async () => {
  const ended = new Promise(done => socket.socket.once('disconnect', done));
  expect((await anna.request('DELETE', `/shares/${share.id}`)).status).toBe(204);
  await ended;
  expect((await guest.request('GET', '/me')).status).toBe(401);
  await expect(connectChat(keys.url, { token: share.token })).rejects.toThrow();
});

/** Asks for the other session wherever the route takes an id. */
function ask(client: RestClient, { method, path }: RouteRow, id: string) {
  const url = `/${path.replaceAll(/:\w+(\(\.\*\))?/g, id)}`;
  return client.request(method.toUpperCase(), url, method === 'get' || method === 'delete' ? undefined : { input: 'hello', sessionId: id });
}
