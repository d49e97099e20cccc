import type { OpenAI } from 'openai';
import { AppError } from '../../../src/errors';
import type { AssistantMessage, ChatMessage, LlmRequest } from '../../../src/port/llm';
import type { ObservedRun } from '../../../src/port/observed_run';
import type { WireAnswer } from '../../support/wires/model_wire';
import { encodeResponse, endOf, type ItemEvent, responsesWire } from '../../support/wires/responses_wire';
import { type Served, startWireServer, type WireServer } from '../../support/wires/wire_server';
import { ask, recordingSink } from '../openai/ask';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

const RUN: ObservedRun = { runId: 'r1', sessionId: 's1', tenantId: 't1', door: 'rest', agent: 'main' };
const TOOLS = [
  { type: 'function' as const, function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } } },
];
const FINE: WireAnswer = { parts: [{ text: ['fine'] }] };
const step = (number: number): WireAnswer => ({
  parts: [
    { thought: [`Step ${number}.`], proof: `sealed_${number}` },
    { text: ['I look.'] },
    { call: { id: `call_${number}`, name: 'look', args: ['{}'] } },
  ],
});

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer(responsesWire);
});
afterAll(() => server.stop());

/** Asks once and returns the outcome with the body that was sent. */
async function call(served: Served, fields: Partial<LlmRequest> = {}, model?: string) {
  const address = server.serve(served);
  const client = responsesWire.open(address.baseUrl, { model, limits: { maxRetries: 0 } });
  const sink = recordingSink();
  const outcome = await client.stream(ask('hi', fields), sink).then(
    answer => ({ answer, error: undefined }),
    (error: AppError) => ({ answer: undefined, error }),
  );
  client.close();
  // A cast: the type of the client's own request.
  return { ...outcome, sink, body: address.bodies[0] as unknown as Body };
}

const inputOf = (body: unknown): Item[] => (body as { input: Item[] }).input;

describe('a conversation', () => {
  /** Answers each call with a result until the model has no more calls. */
  async function converse(answers: [WireAnswer, ...WireAnswer[]]) {
    const address = server.serve(...answers);
    const client = responsesWire.open(address.baseUrl, { apiKey: 'sk-test' });
    const messages: ChatMessage[] = [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: 'Look twice.' },
    ];
    for (const _ of answers) {
      const request = { ...ask(''), messages: [...messages], tools: TOOLS, thinkingLevel: 'high' as const, run: RUN };
      const { message } = await client.stream(request, recordingSink());
      // The store keeps messages as JSON.
      messages.push(JSON.parse(JSON.stringify(message)) as AssistantMessage);
      for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: 'Seen.' });
    }
    client.close();
    return { address, messages };
  }

  it('only grows at its end: no byte in front of the newest items moves', async () => {
    const { address } = await converse([step(1), step(2), FINE]);
    const texts = address.bodies.map(body => JSON.stringify(body));
    expect(texts).toHaveLength(3);
    for (const [i, text] of texts.slice(1).entries()) {
      // The input is the last field, so that the request before is a prefix up to the bracket at its end.
      const before = (texts[i] ?? '').replace(/\]\}$/, '');
      expect(before.length).toBeGreaterThan(100);
      expect(text.slice(0, before.length)).toBe(before);
    }
  });

  it('gives reasoning items and ids back behind each call of a tool', async () => {
    const { address } = await converse([step(1), step(2), FINE]);
    const input = inputOf(address.bodies[2]);
    expect(input.map(({ type }) => type)).toEqual([
      ...['message', 'reasoning', 'message', 'function_call', 'function_call_output'],
      ...['reasoning', 'message', 'function_call', 'function_call_output'],
    ]);
    expect(input[1]).toEqual({
      type: 'reasoning',
      id: 'rs_0',
      summary: [{ type: 'summary_text', text: 'Step 1.' }],
      encrypted_content: 'sealed_1',
    });
    expect(input[2]).toMatchObject({ id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'I look.' }] });
    expect(input[3]).toMatchObject({ id: 'fc_2', call_id: 'call_1', arguments: '{}' });
    expect(input[5]).toMatchObject({ encrypted_content: 'sealed_2' });
    expect(address.bodies[0]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], instructions: 'You are terse.' });
  });

  it('keeps reasoning and ids from another model of the server', async () => {
    const { address, messages } = await converse([step(1), FINE]);
    const client = responsesWire.open(address.baseUrl, { apiKey: 'sk-test', model: 'gpt-4.1' });
    await client.stream({ ...ask(''), messages, tools: TOOLS }, recordingSink());
    client.close();
    const sent = inputOf(address.bodies.at(-1));
    expect(sent.map(({ type }) => type)).toEqual(['message', 'message', 'function_call', 'function_call_output', 'message']);
    expect(sent[1]).toEqual({ type: 'message', role: 'assistant', content: 'I look.' });
    expect(JSON.stringify(sent)).not.toMatch(/sealed_1|"(?:fc|msg|rs)_\d/);
  });

  it('leaves out reasoning whose answer was cut off', async () => {
    const cut: WireAnswer = { parts: [{ thought: ['Long.'], proof: 'sealed' }], end: 'length' };
    const address = server.serve(cut, FINE);
    const client = responsesWire.open(address.baseUrl, {});
    const { message } = await client.stream(ask('hi'), recordingSink());
    await client.stream(
      { ...ask(''), messages: [{ role: 'user', content: 'hi' }, message, { role: 'user', content: 'Go on.' }] },
      recordingSink(),
    );
    client.close();
    expect(inputOf(address.bodies[1]).map(item => ('content' in item ? item.content : item.type))).toEqual(['hi', 'Go on.']);
  });

  it('keeps the key of the prompt cache for a session, and another key for another agent or tenant', async () => {
    const keyOf = async (run?: ObservedRun, extra = {}) => (await call(FINE, { run, parameters: { extra } })).body.prompt_cache_key;
    const key = await keyOf(RUN);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await keyOf({ ...RUN, runId: 'r2' })).toBe(key);
    const others = [
      await keyOf({ ...RUN, agent: 'helper' }),
      await keyOf({ ...RUN, tenantId: 't2' }),
      await keyOf({ ...RUN, sessionId: 's2' }),
    ];
    expect(new Set([key, ...others]).size).toBe(4);
    expect(await keyOf()).toBeUndefined();
    expect(await keyOf(RUN, { prompt_cache_key: 'team' })).toBe('team');
  });
});

describe('answers', () => {
  it('show a refusal and say that the server withheld the answer', async () => {
    const item: OpenAI.Responses.ResponseOutputMessage = {
      type: 'message',
      id: 'msg_0',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'refusal', refusal: 'No.' }],
    };
    const added: ItemEvent = { type: 'response.output_item.added', item: { ...item, content: [] } };
    const delta: ItemEvent = { type: 'response.refusal.delta', item_id: item.id, content_index: 0, delta: 'No.' };
    const done: ItemEvent = { type: 'response.output_item.done', item };
    for (const events of [
      [added, delta, done],
      [added, done],
    ]) {
      const { answer, sink } = await call({ pieces: encodeResponse([events], endOf({})) });
      expect(answer).toMatchObject({ finishReason: 'content_filter', message: { content: 'No.' } });
      expect(sink.texts).toEqual(['No.']);
    }
  });

  it('repeat the words of the server when it fails in the middle', async () => {
    const failed = endOf({ status: 'failed', error: { code: 'rate_limit_exceeded', message: 'You are over 30000 tokens per min.' } });
    const { error } = await call({ pieces: encodeResponse([], failed) });
    expect(error).toMatchObject({
      code: 'model_overloaded',
      message: expect.stringContaining('You are over 30000 tokens per min.') as string,
    });
    const silent = await call({ pieces: encodeResponse([], endOf({ status: 'failed' })) });
    expect(silent.error?.code).toBe('model_bad_response');
  });

  it('are failures when the server ends them for an unknown reason', async () => {
    const end = endOf({ status: 'incomplete', incomplete_details: { reason: 'max_messages' } });
    const { error } = await call({ pieces: encodeResponse([], end) });
    expect(error?.message).toContain('max_messages');
  });
});

describe('requests', () => {
  it.each([
    ['gpt-5', 'minimal', { effort: 'minimal', summary: 'auto' }],
    ['gpt-5-mini', 'off', undefined],
    ['gpt-5-pro', 'low', { effort: 'high', summary: 'auto' }],
    ['gpt-5.1', 'off', { effort: 'none' }],
    ['gpt-5.2', 'minimal', { effort: 'low', summary: 'auto' }],
    ['gpt-5.2-pro', 'low', { effort: 'medium', summary: 'auto' }],
    ['gpt-5.3-codex', 'high', { effort: 'high', summary: 'auto' }],
    ['o4-mini', 'minimal', { effort: 'low', summary: 'auto' }],
    ['gpt-6', 'medium', { effort: 'medium', summary: 'auto' }],
    ['gpt-4.1', 'high', undefined],
    ['gpt-5-chat-latest', 'high', undefined],
    ['qwen3-32b', 'off', undefined],
  ] as const)('send the effort that %s has for the level %s', async (model, thinkingLevel, reasoning) => {
    const { body } = await call(FINE, { thinkingLevel, parameters: { temperature: 0.5 } }, model);
    expect(body.reasoning).toEqual(reasoning);
    const neverReasons = /gpt-4|chat|qwen/.test(model);
    expect(body.include).toEqual(neverReasons ? undefined : ['reasoning.encrypted_content']);
    expect(body.temperature).toBe(neverReasons || model === 'gpt-5.1' ? 0.5 : undefined);
  });

  it('hold an answer strictly to a schema that the API can hold it to', async () => {
    const field = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
    const strictOf = async (outputSchema: Record<string, unknown>) => {
      const { format } = (await call(FINE, { outputSchema })).body.text ?? {};
      return format?.type === 'json_schema' ? format.strict : undefined;
    };
    expect(await strictOf(field)).toBe(true);
    expect(await strictOf({ ...field, properties: { n: { type: 'array', items: field } } })).toBe(true);
    expect(await strictOf({ ...field, required: [] })).toBe(false);
    expect(await strictOf({ ...field, properties: { n: { ...field, additionalProperties: true } } })).toBe(false);
    expect(await strictOf({ ...field, patternProperties: {} })).toBe(false);
    expect(await strictOf({ anyOf: [field] })).toBe(false);
  });

  it('ask for JSON of any form when a caller of chat completions does', async () => {
    const { body } = await call(FINE, { parameters: { extra: { response_format: { type: 'json_object' } } } });
    expect(body.text).toEqual({ format: { type: 'json_object' } });
  });

  it('have the service tier, the verbosity and fields of the API from extra, and never let the server store the answer', async () => {
    const extra = { service_tier: 'flex', verbosity: 'low', truncation: 'auto', store: true, tool_choice: 'required' };
    const { body } = await call(FINE, { tools: TOOLS, parameters: { maxOutputTokens: 99, extra } });
    expect(body).toMatchObject({ service_tier: 'flex', text: { verbosity: 'low' }, truncation: 'auto', store: false });
    expect(body).toMatchObject({
      tool_choice: 'required',
      max_output_tokens: 99,
      tools: [{ type: 'function', name: 'look', strict: false }],
    });
    expect(body.parallel_tool_calls).toBeUndefined();
  });
});
