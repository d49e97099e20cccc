/** Ends of answers, and what stands between their parts: a cut answer is never whole, and a sign of life ends none. */
import type { ServerResponse } from 'node:http';
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import type { LlmAnswer } from '../../../src/port/llm';
import { type BrokenModel, callChunk, chunk, finish, startBrokenModel, textChunk, toEventStream } from '../../support/broken_model';
import { ask, recordingSink } from './ask';

let raw: BrokenModel;
beforeAll(async () => {
  raw = await startBrokenModel();
});
afterAll(() => raw.stop());

/** Returns what each answer of one server comes to: its text and its finish reason, or the message of the error. */
async function readAll(bodies: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  let next = 0;
  const baseUrl = raw.serve(({ response }) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies[next]));
  const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: { maxRetries: 0 } });
  for (; next < bodies.length; next++) {
    const found = await llm.stream(ask('hi'), recordingSink()).then(toLine, (error: Error) => error.message);
    results.push(found);
  }
  llm.close();
  return results;
}

const toLine = ({ message, finishReason }: LlmAnswer): string =>
  `${message.content ?? ''}${(message.tool_calls ?? []).map(call => call.function.name + call.function.arguments).join('')} ${finishReason}`;

const CUT = expect.stringMatching(/ended in the middle/);
const LOST = expect.stringMatching(/broke before the answer was complete/);
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
const withDone = toEventStream([textChunk('One'), finish('stop'), '[DONE]']);
const call = callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } });

describe('a stream that ends without [DONE]', () => {
  test.each<[string, object[], unknown]>([
    ['an end of its own', [textChunk('One'), finish('stop')], 'One stop'],
    ['an end beside the last part', [textChunk('One'), chunk({ content: ' two' }, 'stop')], 'One two stop'],
    ['an end, then the usage', [chunk({ content: 'One' }, 'stop'), usage], 'One stop'],
    ['a limit beside the last part', [chunk({ content: 'One' }, 'length')], 'One length'],
    ['no end', [textChunk('One')], CUT],
    ['an end in the first chunk alone', [chunk({ content: 'One' }, 'stop'), textChunk(' two')], CUT],
    ['an end beside the role alone', [chunk({ role: 'assistant', content: '' }, 'stop'), textChunk('One')], CUT],
    ['an end in every chunk', [chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop')], CUT],
    [
      'an end of calls in every chunk',
      [chunk({ content: 'I look.' }, 'tool_calls'), chunk(call.choices[0]?.delta ?? {}, 'tool_calls')],
      CUT,
    ],
    [
      'an end in every chunk and an empty last one',
      [chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop'), finish('stop')],
      'One two stop',
    ],
    [
      'an end in every chunk, then the usage',
      [chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop'), usage],
      'One two stop',
    ],
  ])('%s', async (_, chunks, expected) => {
    expect(await readAll([toEventStream(chunks as Record<string, unknown>[])])).toEqual([expected]);
  });

  test('is cut when the server sends [DONE] always, and nothing else tells the end', async () => {
    const beside = toEventStream([chunk({ content: 'One' }, 'stop')]);
    const every = toEventStream([chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop'), finish('stop')]);
    const own = toEventStream([textChunk('One'), finish('stop')]);
    expect(await readAll([withDone, beside, own, beside])).toEqual(['One stop', CUT, 'One stop', 'One stop']);
    expect(await readAll([withDone, every, withDone])).toEqual(['One stop', CUT, 'One stop']);
    expect(await readAll([beside, withDone, beside])).toEqual(['One stop', 'One stop', 'One stop']);
  });

  test('is cut when an end in the first chunk is the last of a server that writes one into every chunk', async () => {
    const everyChunk = [chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop')];
    const first = toEventStream(everyChunk.slice(0, 1));
    expect(await readAll([toEventStream(everyChunk), first])).toEqual([CUT, CUT]);
    expect(await readAll([toEventStream([...everyChunk, '[DONE]']), first])).toEqual(['One two stop', CUT]);
  });

  test('a document is whole whatever the streams before were', async () => {
    const document = JSON.stringify({ choices: [{ message: { content: 'All' }, finish_reason: 'stop' }] });
    expect(await readAll([withDone, document, document])).toEqual(['One stop', 'All stop', 'All stop']);
  });
});

describe('an end beside the only part of the first answer', () => {
  const only = toEventStream([chunk({ content: 'One' }, 'stop')]);
  const endings: Record<string, (response: ServerResponse) => void> = {
    'ends as HTTP announced': response => response.end(),
    'is cut behind a chunk': response => response.destroy(),
  };
  test.each([
    ['ends as HTTP announced', {}, 'One stop'],
    ['is cut behind a chunk', {}, LOST],
    ['is cut behind a chunk', { 'content-length': '999' }, LOST],
    // The bytes look the same whether this server has finished or died.
    ['is cut behind a chunk', { connection: 'close', 'transfer-encoding': 'identity' }, 'One stop'],
  ])('of a body that %s (%j): %p', async (ending, headers, expected) => {
    const baseUrl = raw.serve(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      response.write(only, () => setImmediate(() => endings[ending]?.(response)));
    });
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: { maxRetries: 0 } });
    expect(await llm.stream(ask('hi'), recordingSink()).then(toLine, (error: Error) => error.message)).toEqual(expected);
    llm.close();
  });
});

test('a whole message behind its deltas is not added again', async () => {
  const again = { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'One two' }, finish_reason: 'stop' }] };
  const parts = { choices: [{ message: { content: ' two' } }] };
  expect(await readAll([toEventStream([textChunk('One'), textChunk(' two'), again, '[DONE]'])])).toEqual(['One two stop']);
  expect(await readAll([toEventStream([again, '[DONE]']), toEventStream([again, parts, '[DONE]'])])).toEqual([
    'One two stop',
    'One two two stop',
  ]);
});

describe('events between the parts of an answer', () => {
  const around = (event: string) =>
    `${toEventStream([textChunk('One')])}${event}\n\n${toEventStream([textChunk(' two'), finish('stop'), '[DONE]'])}`;

  test('signs of life say nothing', async () => {
    const signs = [
      'data: ping',
      'data: keep-alive',
      'data: : OPENROUTER PROCESSING',
      'data: [heartbeat]',
      'data: 1732780000',
      'data: null',
      'data: []',
      'data: "ping"',
      'data: 2026-01-01T00:00:00Z',
      'data: {}',
      'data:',
      'data',
      ': comment',
      'event: ping',
      'event: ping\ndata: {"type": "ping"}',
      'event: ping\ndata: ping',
      'event: heartbeat\ndata: {"status":"alive","message":"still here"}',
      'event: keepalive\ndata: {broken',
      'event: status\ndata: waiting for an error-free worker',
      'id: 7\nretry: 3000',
    ];
    expect(await readAll(signs.map(around))).toEqual(signs.map(() => 'One two stop'));
    const first = signs.map(sign => `${sign}\n\n${withDone}`);
    expect(await readAll(first)).toEqual(first.map(() => 'One stop'));
  });

  test('chunks count under any name of their event', async () => {
    const named = ['message', 'chunk', 'completion.chunk', 'x'].map(
      name => `event: ${name}\n${toEventStream([textChunk('One')])}${toEventStream([finish('stop'), '[DONE]'])}`,
    );
    expect(await readAll(named)).toEqual(named.map(() => 'One stop'));
  });

  test.each([
    ['event: error\ndata: boom', /boom/],
    ['event: stream_error\ndata: {"message":"boom"}', /boom/],
    ['event: x\ndata: {"error":{"message":"boom"}}', /boom/],
    ['event: x\ndata: {"type":"error","message":"boom"}', /boom/],
    ['data: [{"error":{"message":"boom"}}]', /boom/],
    ['data: Internal server error', /Internal server error/],
    ['data: upstream timed out', /upstream timed out/],
    ['data: 请求失败', /请求失败/],
    [`data: ${'a text of no known form '.repeat(5)}`, /a text of no known form/],
    ['data: {"choices":[{"delta":{"content":"hel', /not valid JSON/],
    ['data: lo"}}]}', /not valid JSON/],
    ['event: message\ndata: {"choices":[{"delta', /not valid JSON/],
    ['event: x\ndata: {"choices":[{"delta', /not valid JSON/],
  ])('%s is an error', async (event, said) => {
    expect(await readAll([around(event)])).toEqual([expect.stringMatching(said)]);
  });

  test('an answer of plain texts alone is none', async () => {
    expect(await readAll([toEventStream(['Hello', ' world', '[DONE]']), toEventStream(['Hello'])])).toEqual([
      expect.stringMatching('it is empty'),
      CUT,
    ]);
  });
});
