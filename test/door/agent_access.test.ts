/** Agents of one tenant, of one person, and shared with some: whoever does not see an agent gets on every door what an unknown agent gets. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { connectChat } from '../support/chat_client';
import { type ChildRow, delegate } from '../support/crew_bench';
import { callWithSecret, type MadeHook } from '../support/hook_client';
import { type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { connectMcp } from '../support/mcp_client';
import { connectStateless } from '../support/mcp_stateless_client';
import { acceptInvitation, type MadeLink, type PersonClient } from '../support/people_client';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

type Client = Pick<RestClient, 'request'>;
interface Row {
  id: string;
  runId: string;
  sessionId: string;
  name: string;
  agent: string;
  status: string;
  pausedReason?: string;
  clarification?: { requestId: string };
}

const PROFILES = {
  default: 'toolsets: [base, interaction]',
  diary: "tenant: default\nowner: '@anna'\ntoolsets: [interaction]\ndescription: Keeps the diary.",
  desk: "tenant: default\nowner: '@anna'\nsharedWith: ['@ben', admin]",
  lead: 'tenant: default\nmembers: [diary]',
  panel: "tenant: default\nsharedWith: ['@ben', '@nobody']",
  mill: 'tenant: acme',
};

let config: AgentConfig;
let keys: KeyBench;
let anna: PersonClient;
let ben: PersonClient;
let chief: PersonClient;
let service: RestClient;
let serviceSecret: string;
let acme: RestClient;
/** A session, a run and a job of each client, which requests change or name. */
const own = new Map<Client, { session: string; run: string; job: string }>();

const invite = async (name: string, role: string) => {
  const { body } = await keys.admin.request<MadeLink>('POST', '/invitations', { role, email: `${name}@example.com` });
  return acceptInvitation(keys.url, body, { name, password: 'seven green umbrellas' });
};
const make = async (client: Client, path: string, body: object) => {
  const { status, body: made } = await client.request<Row>('POST', path, body);
  if (status > 202) throw new Error(`${path} was refused: ${JSON.stringify(made)}`);
  return made;
};
const JOB = { name: 'Look', input: 'look around', schedule: { everyMs: 3_600_000 } };

beforeAll(async () => {
  config = await createProfiles(PROFILES);
  keys = await startKeyBench({ NETA_CONFIG_DIR: config.directory });
  const { model } = keys.bench;
  model.onTurn('look around', 'A garden.');
  model.onTurn('Write the summary', 'They looked around a garden.');
  model.onTurn('ask me', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which bed?' } }] });
  model.onTurn('the left one', 'The left bed it is.');
  model.onTurn('lead the work', delegate('read the diary'), ({ toolResults }) => `Report: ${toolResults[0]}`);
  model.onTurn('read the diary', 'It rained.');
  [anna, ben, chief] = [await invite('anna', 'member'), await invite('ben', 'member'), await invite('chief', 'admin')];
  serviceSecret = (await keys.makeKey({ name: 'service', scopes: ['chat', 'tools', 'admin'] })).secret;
  service = withKey(keys.url, serviceSecret);
  acme = withKey(keys.url, (await keys.makeKey({ name: 'miller', tenant: 'acme', scopes: ['chat'] })).secret);
  for (const client of [anna, ben, service]) {
    const { runId: run, sessionId: session } = await make(client, '/runs', { input: 'look around' });
    own.set(client, { run, session, job: (await make(client, '/jobs', JOB)).id });
  }
});
afterAll(async () => {
  await keys?.bench.stop();
  await config?.remove();
});

const seenBy = async (client: Client) =>
  (await client.request<PageBody<Row>>('GET', '/agents')).body.data.map(({ name }) => name).toSorted();

describe('the list of agents', () => {
  it('has what the caller sees, with its owner', async () => {
    const common = ['default', 'lead'];
    expect(await seenBy(anna)).toEqual(['default', 'desk', 'diary', 'lead']);
    expect(await seenBy(ben)).toEqual(['default', 'desk', 'lead', 'panel']);
    expect(await seenBy(chief)).toEqual(['default', 'desk', 'lead']);
    for (const key of [service, keys.admin]) expect(await seenBy(key)).toEqual(common);
    expect(await seenBy(acme)).toEqual(['default', 'mill']);
    const rowOf = async (client: Client, name: string) => (await client.request('GET', `/agents/${name}`)).body;
    expect(await rowOf(anna, 'diary')).toMatchObject({ owner: '@anna', visibility: 'private', sharedWith: [] });
    expect(await rowOf(ben, 'desk')).toMatchObject({ owner: '@anna', visibility: 'shared', sharedWith: ['@ben', 'admin'] });
    expect(await rowOf(ben, 'panel')).toMatchObject({ visibility: 'shared', sharedWith: ['@ben', '@nobody'] });
    expect(await rowOf(ben, 'lead')).not.toHaveProperty('visibility');
  });

  it('names those members of a crew alone that the caller sees', async () => {
    const membersFor = async (client: Client) => (await client.request<{ members: string[] }>('GET', '/agents/lead')).body.members;
    expect([await membersFor(anna), await membersFor(ben)]).toEqual([['diary'], []]);
  });

  it('is the same at the doors that show agents as models or skills', async () => {
    const models = async (client: Client) => (await client.request<PageBody<Row>>('GET', '//v1/models')).body.data.map(({ id }) => id);
    const card = async (client: Client) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard', params: {} };
      const { body } = await client.request<{ result: { skills: Row[] } }>('POST', '//a2a', call, { 'a2a-version': '1.0' });
      return body.result.skills.map(({ id }) => id);
    };
    for (const names of [models, card])
      for (const client of [anna, ben, service, acme]) expect((await names(client)).toSorted()).toEqual(await seenBy(client));
  });
});

const message = (agent: string) => ({ messageId: `m-${agent}`, role: 'ROLE_USER', parts: [{ text: 'look around' }], metadata: { agent } });
const thread = { messages: [{ id: 'u1', role: 'user', content: 'look around' }], state: {}, tools: [], context: [], forwardedProps: {} };
const chat = (model: string) => ({ model, max_tokens: 100, messages: [{ role: 'user', content: 'look around' }] });
const of = (client: Client) => own.get(client) ?? { session: '', run: '', job: '' };

/** Every request with which a caller names an agent. */
const REQUESTS: Record<string, (client: Client, agent: string) => ReturnType<RestClient['request']>> = {
  'GET /agents/{name}': (client, agent) => client.request('GET', `/agents/${agent}`),
  'POST /runs': (client, agent) => client.request('POST', '/runs', { input: 'look around', agent }),
  'POST /runs in a session': (client, agent) =>
    client.request('POST', '/runs', { input: 'look around', agent, sessionId: of(client).session }),
  'POST /runs/preview': (client, agent) => client.request('POST', '/runs/preview', { input: 'look around', agent }),
  'POST /runs/{id}/replay': (client, agent) => client.request('POST', `/runs/${of(client).run}/replay`, { agent }),
  'POST /sessions': (client, agent) => client.request('POST', '/sessions', { agent }),
  'PATCH /sessions/{id}': (client, agent) => client.request('PATCH', `/sessions/${of(client).session}`, { agent }),
  'POST /jobs': (client, agent) => client.request('POST', '/jobs', { ...JOB, agent }),
  'PATCH /jobs/{id}': (client, agent) => client.request('PATCH', `/jobs/${of(client).job}`, { agent }),
  'POST /hooks': (client, agent) => client.request('POST', '/hooks', { name: 'hook', template: 'look around', agent }),
  'GET /v1/models/{id}': (client, agent) => client.request('GET', `//v1/models/${agent}`),
  'POST /v1/chat/completions': (client, agent) => client.request('POST', '//v1/chat/completions', chat(agent)),
  'POST /v1/responses': (client, agent) => client.request('POST', '//v1/responses', { model: agent, input: 'look around' }),
  'POST /v1/responses/compact': (client, agent) => client.request('POST', '//v1/responses/compact', { model: agent, input: 'look around' }),
  'POST /v1/messages': (client, agent) => client.request('POST', '//v1/messages', chat(agent)),
  'POST /v1/messages/count_tokens': (client, agent) => client.request('POST', '//v1/messages/count_tokens', chat(agent)),
  'POST /agui/{agent}': (client, agent) =>
    client.request('POST', `//agui/${agent}`, { ...thread, threadId: `t-${agent}-${of(client).session}`, runId: 'r1' }),
  'POST /a2a': (client, agent) =>
    client.request(
      'POST',
      '//a2a',
      { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: message(agent) } },
      { 'a2a-version': '1.0' },
    ),
};

/** Returns an answer without what differs between any two: ids, and the name of the agent. */
const shapeOf = ({ status, body }: { status: number; body: unknown }, agent: string) => [
  status,
  `${typeof body === 'string' ? body : JSON.stringify(body)}`
    .replaceAll(agent, 'NAME')
    .replaceAll(/"?req_\w+"?|"request_?id":"[^"]*"/gi, 'ID'),
];

describe.each(Object.entries(REQUESTS))('%s', (_name, ask) => {
  it('knows the agent for its owner, and for others as little as one that does not exist', async () => {
    for (const client of [ben, service]) {
      const [refused, unknown] = [await ask(client, 'diary'), await ask(client, 'diarx')];
      expect(shapeOf(refused, 'diary')).toEqual(shapeOf(unknown, 'diarx'));
      expect(JSON.stringify(refused.body)).toMatch(/no(?:t_found|t exist| such| agent)/i);
    }
    const { status, body } = await ask(anna, 'diary');
    expect([status < 300, JSON.stringify(body)]).toEqual([true, expect.not.stringMatching(/"error":\{|RUN_ERROR/)]);
  });
});

it('a chat message over the socket names no agent that the person does not see', async () => {
  const refusals = ['diary', 'diarx'].map(async agent => {
    const client = await connectChat(keys.url, {}, ben.headers);
    const { ok, error } = await client.send({ type: 'chat', text: 'look around', agent });
    client.close();
    return [ok, error?.code, error?.message];
  });
  const [hidden, unknown] = await Promise.all(refusals);
  expect(hidden).toEqual(unknown);
  expect(hidden?.slice(0, 2)).toEqual([false, 'not_found']);
  const client = await connectChat(keys.url, {}, anna.headers);
  expect((await client.endOf((await client.chat('look around', { agent: 'diary' })).runId)).data.status).toBe('completed');
  client.close();
});

describe.each([
  ['without a session', async (options: object) => (await connectStateless(keys.url, options)).client],
  ['with a session', async (options: object) => (await connectMcp(keys.url, options)).client],
] as const)('an MCP client %s', (_name, connect) => {
  it('is offered the agents that its caller sees', async () => {
    const toolsOf = async (options: object) => {
      const client = await connect(options);
      const { tools } = await client.listTools();
      const called = await client.callTool({ name: 'ask_diary', arguments: { input: 'look around' } }).then(
        result => JSON.stringify(result),
        (thrown: Error) => thrown.message,
      );
      await client.close();
      return { names: tools.flatMap(({ name }) => (name.startsWith('ask_') ? [name.slice(4)] : [])).toSorted(), called };
    };
    const ofAnna = await toolsOf({ headers: anna.headers });
    expect([ofAnna.names, ofAnna.called]).toEqual([await seenBy(anna), expect.stringContaining('A garden.')]);
    for (const [options, client] of [
      [{ headers: ben.headers }, ben],
      [{ secret: serviceSecret }, service],
    ] as const) {
      const { names, called } = await toolsOf(options);
      expect([names, called]).toEqual([await seenBy(client), expect.stringContaining('Unknown tool: ask_diary')]);
    }
  });
});

describe('a chat with the agent', () => {
  let sessionId: string;

  beforeAll(async () => {
    sessionId = (await make(anna, '/sessions', { agent: 'diary' })).id;
    await anna.request('POST', `/sessions/${sessionId}/participants`, { person: '@ben', role: 'driver' });
  });

  it('goes on for everybody who may write in it, also after a question', async () => {
    const asked = await make(ben, '/runs', { input: 'ask me', sessionId });
    const { body } = await anna.request<Row>('POST', `/clarifications/${asked.clarification?.requestId}`, { answer: 'the left one' });
    const run = async (id: string) => (await ben.request<Row>('GET', `/runs/${id}`)).body;
    const goneOn = await until(
      () => run(body.runId),
      ({ status }) => status === 'completed',
    );
    for (const each of [await run(asked.runId), goneOn]) expect(each).toMatchObject({ agent: 'diary', keyName: '@ben' });
    expect((await ben.request('POST', '/runs', { input: 'look around', sessionId, agent: 'diary' })).status).toBe(404);
  });

  it('is forked with the agent by those who see it, and with the default agent by others', async () => {
    const fork = async (client: Client) => (await make(client, `/sessions/${sessionId}/fork`, {})).agent;
    expect([await fork(anna), await fork(ben)]).toEqual(['diary', 'default']);
  });
});

it('a master delegates to its member, whoever asks', async () => {
  const { runId } = await make(ben, '/runs', { input: 'lead the work', agent: 'lead' });
  const { data } = (await ben.request<PageBody<ChildRow>>('GET', `/runs?parent=${runId}`)).body;
  expect(data).toMatchObject([{ agent: 'diary', status: 'completed' }]);
});

it('jobs and hooks of a person from whom the agent was taken away run no more', async () => {
  const job = await make(ben, '/jobs', { ...JOB, agent: 'desk' });
  const hook = (await ben.request<MadeHook>('POST', '/hooks', { name: 'hook', template: 'look around', agent: 'desk' })).body;
  expect([(await ben.request('POST', `/jobs/${job.id}/run`)).status, (await callWithSecret(hook, {})).status]).toEqual([202, 202]);
  const file = join(config.directory, 'agents', 'desk.yaml');
  await writeFile(`${file}.part`, `name: desk\n${PROFILES.desk.replace("'@ben', ", '')}\n`);
  await rename(`${file}.part`, file);
  await until(
    () => seenBy(ben),
    names => !names.includes('desk'),
  );
  const refused = await ben.request<ErrorBody>('POST', `/jobs/${job.id}/run`);
  expect([refused.status, refused.body.error.message]).toEqual([404, 'There is no such agent.']);
  expect(await callWithSecret(hook, {})).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  await ben.request('PATCH', `/jobs/${job.id}`, { schedule: { at: new Date().toISOString() } });
  const paused = async () => (await ben.request<Row>('GET', `/jobs/${job.id}`)).body;
  expect((await until(paused, ({ pausedReason }) => pausedReason !== undefined)).pausedReason).toContain('There is no agent desk');
});
