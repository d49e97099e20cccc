/** A model server that refuses every request with an invalid history, as many real servers do. */
import type { ServerResponse } from 'node:http';
import type { AssistantMessage, ChatMessage } from '../../src/port/llm';
import { type BrokenModel, callChunk, endEvents, finish, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

/** Message to the model -> the malformed arguments that it sends. */
const BROKEN: Record<string, string> = {
  'cut in the middle': '{"path": "notes.t',
  'no JSON at all': 'please read notes.txt',
  'a list': '["notes.txt"]',
  'a string': '"notes.txt"',
  'a number': '42',
  null: 'null',
  'nested too deep': `{"path":${'['.repeat(500)}${']'.repeat(500)}}`,
};

const NAMELESS = 'call something';
const SILENT = 'say nothing';

let strict: BrokenModel;
let gateway: Gateway;
let rest: RestClient;
/** The histories that the model received, newest last. */
const seen: ChatMessage[][] = [];

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const callsOf = (messages: readonly ChatMessage[]) => messages.flatMap(message => (message as AssistantMessage).tool_calls ?? []);

function answerTo(messages: readonly ChatMessage[], response: ServerResponse): void {
  const last = messages.at(-1);
  if (last?.content === SILENT) {
    endEvents(response, [textChunk(''), finish('content_filter'), '[DONE]']);
    return;
  }
  if (last?.content === NAMELESS) {
    const nameless = { index: 0, id: 'a', function: { arguments: '{}' } };
    const other = { index: 1, id: 'b', function: { name: 'read_file', arguments: '{"path":"notes.txt"}' } };
    endEvents(response, [callChunk(nameless, other), finish('tool_calls'), '[DONE]']);
    return;
  }
  const args = last?.role === 'user' ? BROKEN[last.content] : undefined;
  if (args === undefined) {
    const read = last?.role === 'tool' ? `The tool said: ${last.content}` : 'fine';
    endEvents(response, [textChunk(read), finish('stop'), '[DONE]']);
    return;
  }
  const call = { index: 0, id: `call_${seen.length}`, function: { name: 'read_file', arguments: args } };
  endEvents(response, [callChunk(call), finish('tool_calls'), '[DONE]']);
}

beforeAll(async () => {
  strict = await startBrokenModel();
  const baseUrl = strict.serve(({ response, body }) => {
    const messages = body['messages'] as ChatMessage[];
    seen.push(messages);
    const isRepeated = messages.some(({ role }, i) => role !== 'tool' && role === messages[i - 1]?.role);
    if (!isRepeated && callsOf(messages).every(call => isObject(call.function.arguments))) return answerTo(messages, response);
    const rule = isRepeated ? 'roles must alternate' : 'tool call arguments must be a JSON object';
    const error = { message: `Invalid 'messages': ${rule}.`, type: 'invalid_request_error' };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  gateway = await startGateway({ env: { OPENAI_BASE_URL: baseUrl }, files: { 'notes.txt': 'remember\n' } });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await strict?.stop();
});

describe('a tool call without a name', () => {
  it('gets an error result, and the run and the other calls of the answer continue', async () => {
    const { body } = await rest.run({ input: NAMELESS });
    expect(body).toMatchObject({ status: 'completed' });
    const results = (await rest.history(body.sessionId)).filter(message => message.role === 'tool').map(message => message.content);
    expect(results).toEqual([
      expect.stringMatching(/^This call names no tool\. Available tools: .*read_file/),
      expect.stringContaining('remember'),
    ]);
  });
});

describe('a tool call with malformed arguments', () => {
  it.each(Object.entries(BROKEN))('does not break its run or its session: %s', async (input, raw) => {
    const { body } = await rest.run({ input });
    expect(body).toMatchObject({ status: 'completed' });
    // The model sees its own arguments, so that it can correct them.
    expect(body.text).toContain(raw.slice(0, 60));

    const { body: page } = await rest.request<{ data: { type: string; data: unknown }[] }>('GET', `/runs/${body.runId}/events`);
    const asked = page.data.find(event => event.type === 'message_end')?.data;
    expect(asked).toMatchObject({ toolCalls: [{ name: 'read_file', arguments: raw }] });
    const [, answer] = await rest.history(body.sessionId);
    expect(answer?.toolCalls?.[0]?.arguments).toBe(raw);

    const next = await rest.run({ input: 'and now?', sessionId: body.sessionId });
    expect(next.body).toMatchObject({ status: 'completed', text: 'fine' });
    const sent = seen.findLast(messages => messages.at(-1)?.content === 'and now?' && callsOf(messages).length > 0);
    expect(callsOf(sent ?? []).map(call => call.function.arguments)).toEqual(['{}']);
  });

  it('is sent as {} from the stored history, also after a restart', async () => {
    const { body } = await rest.run({ input: 'a list' });
    await gateway.restart();
    const next = await rest.run({ input: 'and now?', sessionId: body.sessionId });
    expect(next.body).toMatchObject({ status: 'completed', text: 'fine' });
  });
});

describe('a turn without an answer', () => {
  it('does not make two messages of a person stand in a row', async () => {
    const { body } = await rest.run({ input: SILENT });
    expect((await rest.history(body.sessionId)).map(({ content }) => content)).toEqual([SILENT, '']);
    const next = await rest.run({ input: 'and now?', sessionId: body.sessionId });
    expect(next.body).toMatchObject({ status: 'completed', text: 'fine' });
  });
});
