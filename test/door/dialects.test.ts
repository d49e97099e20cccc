/** Each model server gets back what it needs, and nothing of the other servers, whichever model a person chooses in one conversation. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialectName } from '../../src/port/dialects';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type BrokenModel, callChunk, endEvents, finish, sendJson, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

type Fields = Record<string, unknown>;
interface SentCall extends Fields {
  id: string;
}
interface SentMessage extends Fields {
  role: string;
  content: string | null;
  tool_calls?: SentCall[];
  tool_call_id?: string;
}

/** A server that refuses a conversation without what it needs, or with what it does not know. */
interface StrictServer {
  id: string;
  dialect?: DialectName;
  /** Fields of the delta with the call, and of the call. `NN` in an id: a number that is new each time. */
  message?: Fields;
  call: SentCall;
  /** Returns what is wrong with a message of the history that has calls. `isOwn`: this server wrote it. */
  problem: (message: SentMessage, isOwn: boolean) => string | undefined;
}

const SIGNATURE = { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } };
const DETAILS = [{ type: 'reasoning.text', text: 'Look first.', signature: 'sig-1', index: 0, format: 'x' }];
const only = (message: SentMessage, ...names: string[]) => {
  const odd = Object.keys(message).find(name => !['role', 'content', 'tool_calls', ...names].includes(name));
  return odd && `unknown field ${odd}`;
};
const onlyInCalls = ({ tool_calls = [] }: SentMessage, ...names: string[]) => {
  const odd = tool_calls.flatMap(call => Object.keys(call)).find(name => !['id', 'type', 'function', ...names].includes(name));
  return odd && `unknown field ${odd} of a call`;
};
const same = (value: unknown, wanted: unknown) => JSON.stringify(value) === JSON.stringify(wanted);

const SERVERS: StrictServer[] = [
  {
    id: 'gemini',
    dialect: 'gemini',
    call: { id: 'fc_1', ...SIGNATURE },
    problem: (message, isOwn) => {
      const { thought_signature } =
        (message.tool_calls?.[0]?.['extra_content'] as typeof SIGNATURE.extra_content | undefined)?.google ?? {};
      const wanted = isOwn ? 'c2lnbmF0dXJl' : 'skip_thought_signature_validator';
      if (thought_signature !== wanted) return `signature ${thought_signature}`;
      return only(message) ?? onlyInCalls(message, 'extra_content');
    },
  },
  {
    id: 'unknown-server',
    message: { reasoning: 'Look first.', vendor_state: { round: 7 } },
    call: { id: 'functions.list_dir:0', type: 'function', vendor_mark: 'm-1' },
    problem: (message, isOwn) => {
      const [call] = message.tool_calls ?? [];
      if (isOwn && call?.id !== 'functions.list_dir:0') return `id ${call?.id}`;
      if (isOwn && call?.['vendor_mark'] !== 'm-1') return 'no vendor_mark';
      if (isOwn && !same(message['vendor_state'], { round: 7 })) return 'no vendor_state';
      if (isOwn && message['reasoning'] !== 'Look first.') return 'no reasoning';
      return isOwn ? undefined : (only(message) ?? onlyInCalls(message));
    },
  },
  ...(['kimi', 'deepseek'] as const).map(
    (dialect): StrictServer => ({
      id: dialect,
      dialect,
      message: { reasoning_content: 'Look first.' },
      call: { id: `functions.${dialect}:12` },
      problem: (message, isOwn) => {
        if (!message['reasoning_content']) return 'reasoning_content is missing';
        if (isOwn && message['reasoning_content'] !== 'Look first.') return `reasoning_content ${message['reasoning_content']}`;
        if (isOwn && message.tool_calls?.[0]?.id !== `functions.${dialect}:12`) return `id ${message.tool_calls?.[0]?.id}`;
        return only(message, 'reasoning_content') ?? onlyInCalls(message);
      },
    }),
  ),
  {
    id: 'openrouter',
    dialect: 'openrouter',
    message: { reasoning: 'Look first.', reasoning_details: DETAILS },
    call: { id: 'toolu_01' },
    problem: (message, isOwn) => {
      if (isOwn && !same(message['reasoning_details'], DETAILS)) return `details ${JSON.stringify(message['reasoning_details'])}`;
      return only(message, ...(isOwn ? ['reasoning', 'reasoning_details'] : [])) ?? onlyInCalls(message);
    },
  },
  {
    id: 'mistral',
    dialect: 'mistral',
    message: { reasoning_content: 'not wanted back' },
    call: { id: 'D681PevNN', vendor_mark: 'not wanted back' },
    problem: (message, isOwn) => {
      const odd = message.tool_calls?.find(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id));
      if (odd) return `Tool call id was ${odd.id}`;
      if (isOwn && !message.tool_calls?.[0]?.id.startsWith('D681Pev')) return 'another id';
      return only(message) ?? onlyInCalls(message);
    },
  },
  {
    id: 'openai',
    dialect: 'openai',
    message: { reasoning_content: 'not wanted back' },
    call: { id: `call_${'x'.repeat(50)}` },
    problem: message => {
      const long = message.tool_calls?.find(({ id }) => id.length > 40);
      return (long && `${long.id} is too long`) ?? only(message) ?? onlyInCalls(message);
    },
  },
];

let broken: BrokenModel;
let config: AgentConfig;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  broken = await startBrokenModel();
  config = await createProfiles({ default: '' });
  const rows = SERVERS.map(server => {
    const { id, dialect } = server;
    const down = broken.baseUrl('refuses_the_key');
    const row = `{ id: ${id}, model: m, baseUrl: "${serve(server)}"${dialect ? `, dialect: ${dialect}` : ''} }`;
    return `  - ${row}\n  - { id: down-${id}, model: m, baseUrl: "${down}" }`;
  });
  const fallback = 'fallback: [down-mistral, mistral]';
  await writeFile(join(config.directory, 'models.yaml'), `models:\n${rows.join('\n')}\n${fallback}\n`);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await broken?.stop();
  await config?.remove();
});

/** Serves a server that lists the directory once in each turn, and answers when it has the result. */
function serve({ id, message, call, problem }: StrictServer): string {
  return broken.serve(({ response, body }) => {
    const messages = body['messages'] as SentMessage[];
    const found = problemOf(messages, m => problem(m, argumentsOf(m) === `{"path":".","note":"${id}"}`));
    if (found) return sendJson(response, 400, { error: { message: `Refused by ${id}: ${found}` } });
    if (messages.at(-1)?.role === 'tool') return endEvents(response, [textChunk(`listed by ${id}`), finish('stop'), '[DONE]']);
    const fn = { name: 'list_dir', arguments: `{"path":".","note":"${id}"}` };
    const callId = call.id.replace('NN', String(messages.length).padStart(2, '0'));
    const chunk = callChunk({ index: 0, ...call, id: callId, function: fn });
    return endEvents(response, [{ choices: [{ index: 0, delta: { ...message } }] }, chunk, finish('tool_calls'), '[DONE]']);
  });
}

const argumentsOf = ({ tool_calls }: SentMessage) => (tool_calls?.[0]?.['function'] as { arguments?: string } | undefined)?.arguments;

/** Each result must follow the call that has its id. */
function problemOf(messages: readonly SentMessage[], problem: (message: SentMessage) => string | undefined): string | undefined {
  for (const [i, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    if ('serverData' in message) return 'private data';
    if (!message.tool_calls) continue;
    const { tool_call_id } = messages[i + 1] ?? {};
    if (tool_call_id !== message.tool_calls[0]?.id) return `the result of ${tool_call_id} follows ${message.tool_calls[0]?.id}`;
    const found = problem(message);
    if (found) return found;
  }
  return undefined;
}

it('keeps one conversation going from server to server, through a restart and back', async () => {
  let sessionId: string | undefined;
  const turn = async (model: string) => {
    const { body } = await rest.run({ input: `ask ${model}`, model, ...(sessionId && { sessionId }) });
    sessionId = body.sessionId;
    return [body.status, body.error?.message ?? body.text];
  };
  const tour = SERVERS.map(({ id }) => id);
  for (const id of tour) expect(await turn(id)).toEqual(['completed', `listed by ${id}`]);
  await gateway.restart();
  for (const id of tour) expect(await turn(id)).toEqual(['completed', `listed by ${id}`]);
  // Mistral stands in for a model that fails.
  expect(await turn('down-mistral')).toEqual(['completed', 'listed by mistral']);

  const fork = await rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`, {});
  expect(fork.status).toBe(201);
  for (const id of tour) {
    const { body } = await rest.run({ input: 'go on', model: id, sessionId: fork.body.id });
    expect([body.status, body.error?.message ?? body.text]).toEqual(['completed', `listed by ${id}`]);
  }

  const messages = await rest.request('GET', `/sessions/${sessionId}/messages?limit=100`);
  const text = JSON.stringify(messages.body);
  expect(text).not.toMatch(/c2lnbmF0dXJl|Look first|vendor_|serverData|functions\.list_dir/);
  const ids = [...text.matchAll(/"toolCallId":"([^"]*)"/g)].map(match => match[1] ?? '');
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter(id => !/^[A-Za-z0-9_-]{1,64}$/.test(id))).toEqual([]);
});
