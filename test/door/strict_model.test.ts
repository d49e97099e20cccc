/** A model server that refuses every request with an invalid history, as many real servers do. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AssistantMessage, ChatMessage } from '../../src/port/llm';
import type { RunResult } from '../../src/service/run_log/run_service';
import { type BrokenModel, callChunk, chunk, endEvents, finish, startBrokenModel, textChunk } from '../support/broken_model';
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

/** Message to the model -> the events of its answer; each holds half of a character. */
const HALVES: Record<string, readonly Record<string, unknown>[]> = {
  'half a text': [textChunk('Well done \ud83d'), finish('length')],
  'half a thought': [chunk({ reasoning_content: 'hm \ud83d' }), textChunk('ok'), finish('stop')],
  'half an argument': [
    callChunk({ index: 0, id: 'h1', function: { name: 'read_file', arguments: '{"path":"a\ud83d"}' } }),
    finish('tool_calls'),
  ],
  'half an escape': [
    callChunk({ index: 0, id: 'h2', function: { name: 'read_file', arguments: '{"path":"a\\ud83d"}' } }),
    finish('tool_calls'),
  ],
  'two halves': [textChunk('smile \ud83d'), textChunk('\ude00'), finish('stop')],
};

/** True when a text of the value, or of the arguments of its calls, holds half of a character. */
const hasHalf = (messages: readonly ChatMessage[]): boolean =>
  /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify([messages, callsOf(messages).map(call => JSON.parse(call.function.arguments))]));

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
  const halves = HALVES[last?.content ?? ''];
  if (halves) {
    endEvents(response, [...halves, '[DONE]']);
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
    if (!isRepeated && callsOf(messages).every(call => isObject(call.function.arguments)) && !hasHalf(messages))
      return answerTo(messages, response);
    const rule = hasHalf(messages)
      ? 'no low surrogate in string'
      : isRepeated
        ? 'roles must alternate'
        : 'tool call arguments must be a JSON object';
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

describe('half of a character', () => {
  it.each(Object.keys(HALVES))('from the model does not break the run or the session: %s', async input => {
    const { body } = await rest.run({ input });
    expect(body.status).not.toBe('failed');
    const events = JSON.stringify((await rest.request('GET', `/runs/${body.runId}/events`)).body);
    expect(events).toContain(input === 'two halves' ? '😀' : '\ufffd');
    expect((await rest.run({ input: 'and now?', sessionId: body.sessionId })).body).toMatchObject({ status: 'completed', text: 'fine' });
  });

  it('from a person is stored as the replacement character, in every text of the request', async () => {
    const { body } = await rest.request<RunResult>('POST', '/runs', '{"input":"look \\ud83d here \\ude00"}');
    expect(body).toMatchObject({ status: 'completed', text: 'fine' });
    expect((await rest.history(body.sessionId))[0]?.content).toBe('look \ufffd here \ufffd');
    const renamed = await rest.request<{ title: string }>('PATCH', `/sessions/${body.sessionId}`, '{"title":"t\\ud83d"}');
    expect(renamed.body.title).toBe('t\ufffd');
    const { body: called } = await rest.request('POST', '/tools/echo', '{"parameters":{"message":"m\\ud83d"}}');
    expect(JSON.stringify(called)).not.toContain('\\ud83d');
  });

  it('in a stored message of before is not sent', async () => {
    const { body } = await rest.run({ input: 'half an escape' });
    await gateway.kill();
    const database = new DatabaseSync(join(gateway.dataDir, 'neta.db'));
    const { changes } = database
      .prepare("UPDATE messages SET message = replace(message, char(65533), '\\ud83d') WHERE session_id = ?")
      .run(body.sessionId);
    database.close();
    expect(Number(changes)).toBeGreaterThan(0);
    await gateway.restart();
    expect((await rest.run({ input: 'and now?', sessionId: body.sessionId })).body).toMatchObject({ status: 'completed', text: 'fine' });
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
