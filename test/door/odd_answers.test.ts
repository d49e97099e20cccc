/** Model servers spell calls, arguments and the ends of answers in many ways. One gateway reads them all. */
import type { ChatMessage } from '../../src/port/llm';
import { type BrokenModel, callChunk, endEvents, finish, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

type Events = Parameters<typeof endEvents>[1];

/** Message of a person -> the events of the answer; after a tool result the model says "done". */
const answers = new Map<string, Events>();
let model: BrokenModel;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  model = await startBrokenModel();
  const baseUrl = model.serve(({ response, body }) => {
    const last = (body['messages'] as ChatMessage[]).at(-1);
    const events = last?.role === 'tool' ? undefined : answers.get(last?.content ?? '');
    endEvents(response, events ?? [textChunk('done'), finish('stop'), '[DONE]']);
  });
  gateway = await startGateway({ env: { OPENAI_BASE_URL: baseUrl } });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await model?.stop();
});

async function runWith(input: string, events: Events) {
  answers.set(input, events);
  return (await rest.run({ input })).body;
}

describe('one call of a server runs once', () => {
  const write = (args: string, more: Record<string, unknown> = {}) =>
    callChunk({ index: 0, type: 'function', ...more, function: { name: 'write_file', arguments: args } });
  const more = (args: string, fields: Record<string, unknown> = { index: 0 }) => callChunk({ ...fields, function: { arguments: args } });

  it.each<[string, (path: string) => Events]>([
    ['the name in every delta', path => [write('', { id: 'a' }), write(`{"path":"${path}",`), write('"content":"x"}'), write('')]],
    ['an empty object first', path => [write('{}', { id: 'a' }), more(`{"path":"${path}","content":"x"}`)]],
    [
      'the whole call again',
      path => [write(`{"path":"${path}",`, { id: 'a' }), more('"content":"x"}'), write(`{"path":"${path}","content":"x"}`, { id: 'a' })],
    ],
    [
      'a new id in every delta',
      path => [write(`{"path":"${path}",`, { index: undefined, id: 'id_0' }), more('"content":"x"}', { id: 'id_1' })],
    ],
  ])('%s', async (way, events) => {
    const path = `${way.replaceAll(' ', '_')}.txt`;
    const { toolCalls, status } = await runWith(way, [...events(path), finish('tool_calls'), '[DONE]']);
    expect({ toolCalls, status }).toMatchObject({
      toolCalls: [{ name: 'write_file', args: { path, content: 'x' }, ok: true, result: expect.stringContaining(`Created ${path}`) }],
      status: 'completed',
    });
  });
});

describe('a half answer is never taken as whole', () => {
  const half = textChunk('The rules are: one, never');
  const call = (path: string) =>
    callChunk({ index: 0, id: 'a', function: { name: 'write_file', arguments: `{"path":"${path}","content":"first line"}` } });

  it.each([
    ['MAX_TOKENS', 'output_limit'],
    ['max_output_tokens', 'output_limit'],
    ['FINISH_REASON_MAX_TOKENS', 'output_limit'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['network_error', 'model_cut'],
    ['insufficient_system_resource', 'model_cut'],
    ['abort', 'model_cut'],
    ['Error', 'model_cut'],
    ['MALFORMED_FUNCTION_CALL', 'model_cut'],
    ['pause_turn', 'model_cut'],
    ['a word of tomorrow', 'model_cut'],
  ])('a text and a call that end with %s: %s', async (word, reason) => {
    const path = `${word.replaceAll(' ', '_')}.half`;
    const body = await runWith(`end with ${word}`, [half, call(path), finish(word), '[DONE]']);
    expect(body).toMatchObject({ status: 'incomplete', reason, text: 'The rules are: one, never', toolCalls: [] });
    if (reason === 'model_cut') expect(body.error).toMatchObject({ code: 'model_bad_response', message: expect.stringContaining(word) });
    const last = (await rest.history(body.sessionId)).at(-1);
    expect(last).toMatchObject({ role: 'assistant', content: body.text });
  });

  it.each(['STOP', 'end_turn', 'stop_sequence', 'eos', 'EOS_TOKEN', 'FinishReason.STOP', 'COMPLETE'])(
    '%s ends a whole text',
    async word => {
      expect(await runWith(`whole with ${word}`, [half, finish(word), '[DONE]'])).toMatchObject({ status: 'completed' });
    },
  );

  it.each(['tool_use', 'TOOL_CALLS', 'STOP', 'end_turn'])('%s ends a whole call', async word => {
    const body = await runWith(`call with ${word}`, [call(`${word}.whole`), finish(word), '[DONE]']);
    expect(body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }] });
  });

  it('a call that ends with a failure alone is asked for again, and fails without an answer', async () => {
    const body = await runWith('call and fail', [call('never.txt'), finish('abort'), '[DONE]']);
    expect(body).toMatchObject({ status: 'failed', error: { code: 'model_bad_response', retryable: true }, toolCalls: [] });
  });
});

describe('thoughts in the text of an answer are reasoning, at both doors, however the text is cut', () => {
  it.each([
    ['whole', ['<think>Look first.</think>\n\nHello!']],
    ['in the tags', ['<thi', 'nk>Look ', 'first.</th', 'ink>\n', '\nHello!']],
    ['in single letters', [...'<think>Look first.</think>Hello!']],
    ['another name, in capitals', ['<Thinking', '>Look first.</THINKING >', 'Hello!']],
    ['an end tag alone', ['Look first.\n</think>\n\nHello!']],
  ])('%s', async (way, pieces) => {
    const input = `think: ${way}`;
    answers.set(input, [...pieces.map(textChunk), finish('stop'), '[DONE]']);
    const events = await rest.stream('POST', '/runs', { input });
    expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'Hello!' } });
    const reasoning = events.flatMap(({ type, data }) => (type === 'reasoning_delta' ? [(data as { text: string }).text] : []));
    expect(reasoning.join('').trim()).toBe('Look first.');
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: input }] }),
    });
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toBe('Hello!');
  });
});
