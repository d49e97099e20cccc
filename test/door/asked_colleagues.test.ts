/** Somebody whom a rule asks about a call in a private chat sees and decides this call over each door, and nothing else of the chat. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { ended, startNeta } from '../support/neta_program';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import { type PushService, startPushService } from '../support/push_service';
import type { PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

interface Row {
  requestId: string;
  sessionId: string;
  runId: string;
  tool: string;
  args: { command: string };
  reason: string;
  askedBy?: string;
  chatHidden?: boolean;
}
type Client = Pick<RestClient, 'request'>;

const RULES = `rules:
  - { tool: bash, pattern: 'to-ben', decision: ask, to: '@ben', deadlineMs: 600000 }
  - { tool: bash, pattern: 'to-all', decision: ask, notBy: requester, deadlineMs: 600000 }
  - { tool: bash, pattern: 'passed', decision: ask, to: '@dora', deadlineMs: 600000, escalate: { afterMs: 1000, to: '@ben' } }
  - { tool: bash, pattern: 'crowd', decision: ask, to: '@ben', approvers: 2, notBy: requester, deadlineMs: 600000 }
`;
const PASSWORD = 'seven green umbrellas';

let keys: KeyBench;
let receiver: WebhookReceiver;
let push: PushService;
let config: string;
let anna: PersonClient;
let ben: PersonClient;
let carol: PersonClient;
let bensSecret: string;
let carolsSecret: string;

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: PASSWORD });
};
const makeKey = async (client: Client, name: string) =>
  (await client.request<{ secret: string }>('POST', '/api-keys', { name, scopes: ['chat', 'approve'] })).body.secret;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-asked-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), RULES);
  [receiver, push] = [await startWebhookReceiver(), await startPushService()];
  keys = await startKeyBench({ NETA_CONFIG_DIR: config, NETA_WEBHOOK_ALLOW: `${new URL(receiver.url).host},${push.host}` });
  [anna, ben, carol] = [await invite('anna', 'member'), await invite('ben', 'admin'), await invite('carol', 'admin')];
  await invite('dora', 'approver');
  [bensSecret, carolsSecret] = [await makeKey(ben, 'bens'), await makeKey(carol, 'carols')];
});
afterAll(async () => {
  await keys?.bench.stop();
  await receiver?.stop();
  await push?.stop();
  await rm(config, { recursive: true, force: true });
});

const openOf = async (client: Client, runId: string): Promise<Row | undefined> =>
  (await client.request<PageBody<Row>>('GET', '/approvals?status=pending')).body.data.find(row => row.runId === runId);

/** Anna starts a private chat in which the agent calls a command with this word. */
async function ask(word: string, number: number): Promise<Row> {
  const input = `run ${word} ${number}`;
  keys.bench.model.onTurn(
    input,
    { toolCalls: [{ name: 'bash', arguments: { command: `echo ${word} ${number}` } }] },
    ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
  );
  const { runId } = (await anna.request<{ runId: string }>('POST', '/runs', { input }, { prefer: 'respond-async' })).body;
  const row = await until(() => openOf(anna, runId));
  if (!row) throw new Error(`no approval of ${word}`);
  return row;
}
const textOf = async (runId: string): Promise<string> => {
  const read = async () => (await anna.request<{ status: string; text: string }>('GET', `/runs/${runId}`)).body;
  return (await until(read, ({ status }) => status === 'completed')).text;
};
const allow = { decision: 'allow_once' };
const sees = async (client: Client, runId: string) => (await openOf(client, runId)) !== undefined;

const DOORS: [string, (row: Row) => Promise<unknown>][] = [
  ['REST', async ({ requestId }) => (await ben.request('POST', `/approvals/${requestId}`, allow)).status],
  [
    'the socket',
    async ({ sessionId, requestId }) => {
      const chat = await connectChat(keys.url, { token: bensSecret, capabilities: ['approval@1'] });
      const refused = await chat.send({ type: 'subscribe', sessionId });
      const { ok } = await chat.send({ type: 'approval_response', sessionId, requestId, ...allow });
      const events = chat.received.filter(({ type }) => type !== 'pong');
      chat.close();
      return [refused.error?.code, ok, events].join() === 'not_found,true,' ? 200 : [refused, ok, events];
    },
  ],
  [
    'the command line',
    async ({ requestId }) => {
      const env = { NETA_URL: keys.url, NETA_API_KEY: bensSecret };
      expect((await ended(startNeta(['questions', '--json'], env))).stdout).toContain(requestId);
      return (await ended(startNeta(['approve', requestId], env))).code === 0 ? 200 : 0;
    },
  ],
  ['the operator pages', async ({ requestId }) => (await ben.request('POST', `/ops/people/${requestId}`, { decision: allow })).status],
  [
    'several at once',
    async ({ requestId }) => {
      const { body } = await ben.request<{ data: object[] }>('POST', '/approvals/decide', { ids: [requestId], decision: 'deny' });
      return JSON.stringify(body.data).includes('"deny"') ? 200 : body;
    },
  ],
];

it.each(DOORS)('[R] the one who is asked sees and decides the call of a private chat over %s', async (name, decide) => {
  const row = await ask(
    'to-ben',
    DOORS.findIndex(([door]) => door === name),
  );
  const shown = await openOf(ben, row.runId);
  expect(shown).toMatchObject({ tool: 'bash', args: row.args, reason: row.reason, askedBy: '@anna', to: '@ben', chatHidden: true });
  expect(row).not.toHaveProperty('chatHidden');
  expect(await decide(row)).toBe(200);
  expect(await textOf(row.runId)).toContain(name === 'several at once' ? 'refused this call' : 'to-ben');
});

it('[R] the chat stays hidden from the one who is asked, and the call from everybody else', async () => {
  const { requestId, sessionId, runId } = await ask('to-ben', 90);
  const paths = [`/sessions/${sessionId}`, `/sessions/${sessionId}/messages`, `/runs/${runId}`, `/runs/${runId}/events`];
  for (const client of [ben, carol]) for (const path of paths) expect((await client.request('GET', path)).status).toBe(404);
  const steer = await ben.request('POST', `/runs/${runId}/steer`, { text: 'stop' });
  const cancel = await ben.request('POST', `/runs/${runId}/cancel`);
  expect([steer.status, cancel.status]).toEqual([404, 404]);
  for (const client of [carol, keys.admin, withKey(keys.url, carolsSecret)]) {
    expect(await sees(client, runId)).toBe(false);
    expect((await client.request('POST', `/approvals/${requestId}`, allow)).status).toBe(404);
  }
  for (const client of [carol, keys.admin]) {
    expect((await client.request('GET', `/ops/people/${requestId}`)).status).toBe(404);
    expect(JSON.stringify((await client.request('GET', '/ops/people')).body)).toContain(requestId);
  }
  const { body: made } = await ben.request<{ secret: string }>('POST', '/api-keys', { name: 'wall', scopes: ['chat:read'] });
  expect([await sees(ben, runId), await sees(withKey(keys.url, made.secret), runId)]).toEqual([true, false]);
  const socket: ChatClient = await connectChat(keys.url, { token: carolsSecret, capabilities: ['approval@1'] });
  const refused = await socket.send({ type: 'approval_response', sessionId, requestId, ...allow });
  expect(refused.error?.code).toBe('not_found');
  socket.close();
  const read = await ben.request<{ approval: Row }>('GET', `/ops/people/${requestId}`);
  expect(read.body.approval.args.command).toContain('to-ben');
  expect((await anna.request('POST', `/approvals/${requestId}`, { decision: 'deny' })).status).toBe(200);
});

it('[R] a rule without an address asks everybody who may decide, and counts those who see the call', async () => {
  const { requestId, runId } = await ask('to-all', 1);
  expect([await sees(carol, runId), await sees(ben, runId)]).toEqual([true, true]);
  expect((await anna.request('POST', `/approvals/${requestId}`, allow)).status).toBe(403);
  expect((await carol.request('POST', `/approvals/${requestId}`, allow)).status).toBe(200);
  expect(await textOf(runId)).toContain('to-all');
  keys.bench.model.onTurn(
    'run crowd',
    { toolCalls: [{ name: 'bash', arguments: { command: 'echo crowd' } }] },
    ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
  );
  const { text } = (await anna.request<{ text: string }>('POST', '/runs', { input: 'run crowd' })).body;
  expect(text).toContain('needs the approval of 2 people beside the one who asked for it, and 1 can give it');
});

it('[R] push and webhooks wake whom the call is passed on to, and no one before', async () => {
  const browser = push.subscribe();
  expect((await ben.request('POST', '/push-subscriptions', { ...browser.subscription, locale: 'en', preview: true })).status).toBe(201);
  await ben.request('POST', '/webhooks', { url: receiver.url, events: ['run.waiting'] });
  const { requestId, runId, sessionId } = await ask('passed', 1);
  expect(await sees(ben, runId)).toBe(false);
  const [{ notice }, hook] = await Promise.all([browser.next(), receiver.next()]);
  expect(notice).toMatchObject({ kind: 'approval', requestId, chatHidden: true, body: expect.stringContaining('passed') });
  expect(JSON.parse(hook.body).data).toEqual({ runId, sessionId, status: 'waiting', requestId, escalatedTo: '@ben' });
  expect(await openOf(ben, runId)).toMatchObject({ escalatedTo: '@ben', chatHidden: true });
  const asked = await ask('to-ben', 91);
  const next = await Promise.all([browser.next(), receiver.next()]);
  expect([next[0].notice.requestId, JSON.parse(next[1].body).data]).toEqual([
    asked.requestId,
    expect.objectContaining({ requestId: asked.requestId }),
  ]);
  for (const id of [requestId, asked.requestId])
    expect((await ben.request('POST', `/approvals/${id}`, { decision: 'deny' })).status).toBe(200);
});

describe('a question to a colleague', () => {
  interface Asked {
    requestId: string;
    sessionId: string;
    runId: string;
    question: string;
    to?: string;
    escalatedTo?: string;
    askedBy?: string;
    chatHidden?: boolean;
    decidedBy?: string;
  }
  const askPerson = async (input: string, args: Record<string, unknown>, clarify: 'wait' | 'text' = 'wait') => {
    keys.bench.model.onTurn(
      input,
      { toolCalls: [{ name: 'clarify', arguments: args }] },
      ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
    );
    return (await anna.request<{ runId: string }>('POST', '/runs', { input, clarify }, { prefer: 'respond-async' })).body.runId;
  };
  const questionOf = async (client: Client, runId: string, status = 'pending') =>
    (await client.request<PageBody<Asked>>('GET', `/clarifications?status=${status}`)).body.data.find(row => row.runId === runId);
  const answer = (client: Client, requestId: string) => client.request('POST', `/clarifications/${requestId}`, { answer: 'the green one' });

  it('[R] is seen and answered by the one who is asked, who does not see the chat', async () => {
    const runId = await askPerson('ask ben', { question: 'Which cellar?', to: '@ben' });
    const shown = await until(() => questionOf(ben, runId));
    expect(shown).toMatchObject({ question: 'Which cellar?', to: '@ben', askedBy: '@anna', chatHidden: true });
    expect(await questionOf(carol, runId)).toBeUndefined();
    const requestId = shown?.requestId ?? '';
    expect((await answer(carol, requestId)).status).toBe(404);
    expect((await ben.request('GET', `/sessions/${shown?.sessionId}`)).status).toBe(404);
    expect((await answer(ben, requestId)).status).toBe(200);
    expect(await textOf(runId)).toContain('@ben answered:\nthe green one');
    expect(await questionOf(anna, runId, 'answered')).toMatchObject({ decidedBy: '@ben' });
  });

  it('[R] is listed with chatHidden=true to the one who is asked, and with chatHidden=false to the people of the chat', async () => {
    const call = await ask('to-ben', 92);
    const runId = await askPerson('ask ben for the lamp', { question: 'Which lamp?', to: '@ben' });
    const { requestId = '' } = (await until(() => questionOf(ben, runId))) ?? {};
    const isIn = async (client: Client, path: string, id: string) => {
      const { body } = await client.request<PageBody<Asked>>('GET', `/${path}&status=pending`);
      return body.data.some(row => row.requestId === id);
    };
    const lists = [
      ['approvals', call.requestId],
      ['clarifications', requestId],
    ] as const;
    for (const [path, id] of lists)
      for (const [client, isHidden] of [
        [ben, true],
        [anna, false],
      ] as const)
        expect([await isIn(client, `${path}?chatHidden=true`, id), await isIn(client, `${path}?chatHidden=false`, id)]).toEqual([
          isHidden,
          !isHidden,
        ]);
    await anna.request('POST', `/approvals/${call.requestId}`, { decision: 'deny' });
    await answer(ben, requestId);
  });

  it('[R] is passed on to a role, over the socket too', async () => {
    const runId = await askPerson('ask dora', { question: 'Which shelf?', to: '@dora', escalate: { afterMs: 1_000, to: 'role:admin' } });
    expect(await until(() => questionOf(carol, runId))).toMatchObject({ to: '@dora', escalatedTo: 'role:admin', chatHidden: true });
    const { requestId = '', sessionId = '' } = (await questionOf(carol, runId)) ?? {};
    const socket = await connectChat(keys.url, { token: carolsSecret });
    expect(await socket.send({ type: 'clarify_response', sessionId, requestId, answer: 'the low one' })).toMatchObject({ ok: true });
    socket.close();
    expect(await textOf(runId)).toContain('@carol answered:\nthe low one');
  });

  it('[R] whose answer cannot be waited for starts the next run of the chat with the answer', async () => {
    const runId = await askPerson('end with a question to ben', { question: 'Which door?', to: '@ben' }, 'text');
    keys.bench.model.onTurn('the green one', 'Then the green one.');
    const { requestId = '' } = (await until(() => questionOf(ben, runId))) ?? {};
    const { body } = await ben.request<{ runId: string }>('POST', `/clarifications/${requestId}`, { answer: 'the green one' });
    expect(await textOf(body.runId)).toBe('Then the green one.');
    expect((await ben.request('GET', `/runs/${body.runId}`)).status).toBe(404);
  });

  it('[R] to a name that does not exist tells the model who can be asked', async () => {
    const runId = await askPerson('ask zoe', { question: 'Which?', to: '@zoe' });
    expect(await textOf(runId)).toMatch(/There is no @zoe who can answer. These can be asked: .*@ben.*role:admin/);
  });
});

describe('a caller that cannot wait', () => {
  interface Result {
    runId: string;
    status: string;
    text: string;
    approval?: { requestId: string; tool: string };
  }
  const readKeys = { toolCalls: [{ name: 'read_file', arguments: { path: '.env' } }] };
  const run = async (client: Client, input: string) => {
    keys.bench.model.onTurn(input, readKeys, ({ toolResults }) => `Told: ${toolResults.at(-1)}`);
    return (await client.request<Result>('POST', '/runs', { input })).body;
  };

  it('[R] gets the id of the approval, and the run goes on when a colleague has decided', async () => {
    const service = withKey(keys.url, (await keys.makeKey({ name: 'service', scopes: ['chat'] })).secret);
    const { runId, status, approval } = await run(service, 'read the keys for the service');
    expect({ status, approval }).toMatchObject({ status: 'waiting', approval: { tool: 'read_file' } });
    expect((await service.request('POST', `/approvals/${approval?.requestId}`, allow)).status).toBe(403);
    expect((await ben.request('POST', `/approvals/${approval?.requestId}`, { decision: 'deny' })).status).toBe(200);
    const read = async () => (await service.request<Result>('GET', `/runs/${runId}`)).body;
    expect((await until(read, result => result.status === 'completed')).text).toContain('refused this call');
  });

  it('[R] is refused at once where nobody else may decide', async () => {
    const lonely = withKey(keys.url, (await keys.makeKey({ name: 'lonely', tenant: 'alone', scopes: ['chat', 'approve'] })).secret);
    const { status, text } = await run(lonely, 'read the keys alone');
    expect([status, text]).toEqual(['completed', expect.stringContaining('no person can be asked')]);
  });

  it('[R] that is a person decides about the own private chat, and colleagues do not see it', async () => {
    const { runId, status, approval } = await run(anna, 'read my keys');
    expect([status, await sees(ben, runId)]).toEqual(['waiting', false]);
    expect((await anna.request('POST', `/approvals/${approval?.requestId}`, { decision: 'deny' })).status).toBe(200);
  });

  it('[R] of OpenAI gets its answer after the decision', async () => {
    const service = withKey(keys.url, (await keys.makeKey({ name: 'openai', scopes: ['chat'] })).secret);
    const input = 'read the keys for openai';
    keys.bench.model.onTurn(input, readKeys, ({ toolResults }) => `Told: ${toolResults.at(-1)}`);
    const answer = service.request<object>('POST', '//v1/chat/completions', {
      model: 'default',
      messages: [{ role: 'user', content: input }],
    });
    const open = async () =>
      (await ben.request<PageBody<Row>>('GET', '/approvals?status=pending')).body.data.find(({ askedBy }) => askedBy === 'openai');
    const { requestId = '' } = (await until(open)) ?? {};
    await ben.request('POST', `/approvals/${requestId}`, { decision: 'deny' });
    expect(JSON.stringify((await answer).body)).toContain('refused this call');
  });
});
