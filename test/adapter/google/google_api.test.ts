/** What Google's API alone has: signatures on parts, thinking by model, words for the end of an answer, and calls without ids. */
import { googleApi } from '../../../src/adapter/google/google_api';
import { createNativeModel } from '../../../src/adapter/native/native_model';
import type { AppError } from '../../../src/errors';
import { type AssistantMessage, type ChatMessage, type LlmRequest, systemMessageOf } from '../../../src/port/llm';
import { apiOf } from '../../../src/port/model_apis';
import type { ReasoningFields } from '../../../src/port/model_client';
import { ending, GOOGLE_MODEL, type GoogleBody, googleWire, send } from '../../support/wires/google_wire';
import { toEvent } from '../../support/wires/model_wire';
import { type Served, startWireServer, type WireServer } from '../../support/wires/wire_server';
import { ask, recordingSink } from '../openai/ask';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer(googleWire);
});
afterAll(() => server.stop());

interface Options {
  model?: string;
  reasoning?: ReasoningFields;
  suffix?: string;
}

const FINE: Served = { parts: [{ text: ['fine'] }] };
const LOOK = { functionCall: { name: 'first', args: { path: 'a' } }, thoughtSignature: 'c2lnMQ==' };
const tool = (name: string) => ({ type: 'function' as const, function: { name, description: name, parameters: { type: 'object' } } });
const TOOLS = [tool('first'), tool('second')];
const result = (id: string | undefined, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id ?? '', content });
const idsOf = ({ tool_calls: calls = [] }: AssistantMessage): string[] => calls.map(({ id }) => id);
/** The store keeps messages as JSON. */
const stored = (message: AssistantMessage) => JSON.parse(JSON.stringify(message)) as AssistantMessage;

/** Opens a model at a server that answers so, in turn. */
function serve(answers: readonly [Served, ...Served[]], { model = GOOGLE_MODEL, reasoning, suffix = '/v1' }: Options = {}) {
  const address = server.serve(...answers);
  const client = createNativeModel(googleApi, {
    baseUrl: address.baseUrl.replace('/v1', suffix),
    model,
    reasoning,
    limits: { retryBaseMs: 1, retryMaxMs: 2 },
  });
  return {
    address,
    stream: (request: Partial<LlmRequest>) => client.stream({ ...ask('hi'), ...request }, recordingSink()),
    // A cast: the tests look at the fields that they name.
    body: (i: number) => address.bodies[i] as unknown as GoogleBody,
  };
}

async function sent(request: Partial<LlmRequest>, options?: Options): Promise<GoogleBody> {
  const { stream, body } = serve([FINE], options);
  await stream(request);
  return body(0);
}

describe('signatures', () => {
  it('go back on the parts they came with, and nothing of what was sent before moves, over two steps', async () => {
    const first = [send({ text: 'I look.' }), send(LOOK), send({ functionCall: { name: 'second', args: {} } }), ending('STOP')];
    const second = [send({ ...LOOK, thoughtSignature: 'c2lnMg==' }), ending('STOP')];
    const last = [send({ text: 'Do' }), send({ text: 'ne.' }), send({ text: '', thoughtSignature: 'c2lnMw==' }), ending('STOP')];
    const { stream, body } = serve([{ pieces: first }, { pieces: second }, { pieces: last }, FINE]);
    const system = systemMessageOf([{ text: 'Stable.' }]);
    const messages: ChatMessage[] = [system, { role: 'user', content: 'Look.' }];
    const ask = async () => {
      const { message } = await stream({ messages, tools: TOOLS, thinkingLevel: 'low' });
      messages.push(stored(message));
      return idsOf(message);
    };
    const [a, b] = await ask();
    expect(new Set([a, b]).size).toBe(2);
    messages.push(result(a, 'A'), result(b, 'B'));
    const [c] = await ask();
    messages.push(result(c, 'C'));
    await ask();
    messages.push({ role: 'user', content: 'And now?' });
    await ask();
    for (const i of [1, 2, 3]) {
      const [before, after] = [body(i - 1), body(i)];
      expect(JSON.stringify({ ...after, contents: after.contents.slice(0, before.contents.length) })).toBe(JSON.stringify(before));
    }
    expect(body(3).contents.map(({ role, parts }) => [role, ...parts])).toEqual([
      ['user', { text: 'Look.' }],
      [
        'model',
        { text: 'I look.' },
        { functionCall: { id: a, ...LOOK.functionCall }, thoughtSignature: 'c2lnMQ==' },
        { functionCall: { id: b, name: 'second', args: {} } },
      ],
      [
        'user',
        { functionResponse: { id: a, name: 'first', response: { output: 'A' } } },
        { functionResponse: { id: b, name: 'second', response: { output: 'B' } } },
      ],
      ['model', { functionCall: { id: c, ...LOOK.functionCall }, thoughtSignature: 'c2lnMg==' }],
      ['user', { functionResponse: { id: c, name: 'first', response: { output: 'C' } } }],
      ['model', { text: 'Done.', thoughtSignature: 'c2lnMw==' }],
      ['user', { text: 'And now?' }],
    ]);
  });

  it('of another model or server are dropped; newer models get the word for a missing one', async () => {
    const served: Served = { pieces: [send(LOOK), ending('STOP')] };
    const other = serve([served, FINE], { model: 'gemini-3-pro-preview' });
    const { message } = await other.stream({ tools: TOOLS });
    const request = { messages: [{ role: 'user' as const, content: 'hi' }, stored(message), result(idsOf(message)[0], 'A')], tools: TOOLS };
    const substitute = [{ thoughtSignature: 'skip_thought_signature_validator' }];
    await other.stream({ ...request, model: GOOGLE_MODEL });
    expect(other.body(1).contents[1]?.parts).toMatchObject(substitute);
    expect((await sent(request, { model: 'gemini-3-pro-preview' })).contents[1]?.parts).toMatchObject(substitute);
    expect((await sent(request, { model: 'gemini-2.5-flash' })).contents[1]?.parts[0]).not.toHaveProperty('thoughtSignature');
  });
});

describe('the end of an answer', () => {
  it.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
  ])('%s means %s', async (reason, finishReason) => {
    const { stream } = serve([{ pieces: [send({ text: 'half' }), ending(reason)] }]);
    expect(await stream({})).toMatchObject({ finishReason, message: { content: 'half' } });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER'])('%s repeats the call', async reason => {
    const { stream, address } = serve([{ pieces: [ending(reason)] }, FINE]);
    expect((await stream({ tools: TOOLS })).message.content).toBe('fine');
    expect(address.requests).toHaveLength(2);
  });

  it('a blocked prompt has no answer', async () => {
    const blocked = toEvent({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 4 } });
    const answer = await serve([{ pieces: [blocked] }]).stream({});
    expect(answer).toMatchObject({ finishReason: 'content_filter', message: { content: '' }, usage: { inputTokens: 4, outputTokens: 0 } });
  });
});

it('waits as long as RetryInfo asks', async () => {
  const refuse = (retryDelay: string): Served => ({
    respond: (_, response) =>
      response.writeHead(429, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: {
            code: 429,
            message: 'You exceeded your current quota.',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }],
          },
        }),
      ),
  });
  const began = performance.now();
  await serve([refuse('0.3s'), FINE]).stream({});
  expect(performance.now() - began).toBeGreaterThan(290);
  const refused = serve([refuse('7200s')]);
  const error = await refused.stream({}).catch((thrown: AppError) => thrown);
  expect(error).toMatchObject({ code: 'model_overloaded', retryAfterMs: 60_000 });
  expect(refused.address.requests).toHaveLength(1);
});

describe('thinking', () => {
  it.each([
    ['gemini-3-flash-preview', 'minimal', { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemini-3-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'MEDIUM' }],
    ['gemini-3-pro-preview', 'off', { thinkingLevel: 'LOW' }],
    ['gemini-2.5-pro', 'high', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-pro', 'off', { thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'off', { thinkingBudget: 0 }],
    ['models/gemini-2.5-flash-lite', 'low', { includeThoughts: true, thinkingBudget: 4_096 }],
    ['gemini-2.0-flash', 'high', undefined],
    ['gemma-3-27b-it', 'high', undefined],
  ] as const)('%s at the level %s', async (model, thinkingLevel, thinkingConfig) => {
    const { generationConfig } = await sent({ thinkingLevel }, { model });
    expect(generationConfig?.thinkingConfig).toEqual(thinkingConfig);
  });

  it('takes the fields of models.yaml in place of its own', async () => {
    const reasoning = { high: { generationConfig: { thinkingConfig: { thinkingBudget: 50 } } } };
    const { generationConfig } = await sent({ thinkingLevel: 'high', parameters: { temperature: 0.5 } }, { reasoning });
    expect(generationConfig).toEqual({ temperature: 0.5, thinkingConfig: { thinkingBudget: 50 } });
  });
});

describe('parameters', () => {
  it('have the names of the API; extra fields are those of its body', async () => {
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
    const extra = { safetySettings, generationConfig: { topK: 5 }, user: 'ann' };
    const parameters = { temperature: 1.4, topP: 0.5, stop: ['END'], maxOutputTokens: 100, seed: 7, extra };
    const body = await sent({ parameters }, { model: 'gemini-2.0-flash' });
    expect(body).toMatchObject({
      safetySettings,
      generationConfig: { temperature: 1.4, topP: 0.5, topK: 5, stopSequences: ['END'], maxOutputTokens: 100, seed: 7 },
    });
    expect(body).not.toHaveProperty('user');
  });

  it('are not replaced by extra fields of generationConfig', async () => {
    const generationConfig = { topK: 5, temperature: 2, max_output_tokens: 9, responseMimeType: 'text/plain', thinkingConfig: {} };
    const parameters = { temperature: 0.1, maxOutputTokens: 100, extra: { generationConfig } };
    const body = await sent({ parameters, thinkingLevel: 'low', outputSchema: { type: 'object' } });
    expect(body.generationConfig).toEqual({
      topK: 5,
      temperature: 0.1,
      maxOutputTokens: 100,
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
    });
  });

  it('make the model call a tool', async () => {
    const chosen = async (tool_choice: unknown) => (await sent({ tools: TOOLS, parameters: { extra: { tool_choice } } })).toolConfig;
    expect(await chosen('required')).toEqual({ functionCallingConfig: { mode: 'ANY' } });
    expect(await chosen({ type: 'function', function: { name: 'second' } })).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['second'] },
    });
    expect(await chosen('auto')).toBeUndefined();
  });

  it('hold an answer to a schema beside tools where the model can', async () => {
    const request = { outputSchema: { type: 'object' }, tools: TOOLS };
    const newer = await sent(request);
    expect(newer.generationConfig).toMatchObject({ responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } });
    expect(newer.tools?.[0]?.functionDeclarations[0]).toEqual({
      name: 'first',
      description: 'first',
      parametersJsonSchema: { type: 'object' },
    });
    const older = { model: 'gemini-2.5-flash' };
    expect((await sent(request, older)).generationConfig).not.toHaveProperty('responseJsonSchema');
    expect((await sent({ ...request, tools: [] }, older)).generationConfig).toHaveProperty('responseJsonSchema');
  });

  it('ask for JSON of any form when a caller of chat completions does', async () => {
    const parameters = { extra: { response_format: { type: 'json_object' } } };
    expect((await sent({ parameters })).generationConfig).toEqual({
      responseMimeType: 'application/json',
      thinkingConfig: { thinkingLevel: 'MINIMAL' },
    });
    expect((await sent({ parameters, tools: TOOLS }, { model: 'gemini-2.0-flash' })).generationConfig).toEqual({});
  });
});

it('says that an older model cannot see the images of a result', async () => {
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Draw.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'first', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'Done.', images: [{ id: 'i', mediaType: 'image/png', bytes: 8 }] },
  ];
  const { contents } = await sent({ messages, tools: TOOLS, images: new Map([['i', Buffer.alloc(8)]]) }, { model: 'gemini-2.5-flash' });
  expect(contents[2]?.parts).toEqual([
    { functionResponse: { id: 'c', name: 'first', response: { output: 'Done.\n[image 1: image/png, 8 B; not shown]' } } },
  ]);
});

it('takes an address with and without a version, and knows the vendor by its host', async () => {
  for (const [suffix, version] of [
    ['', 'v1beta'],
    ['/v1beta', 'v1beta'],
    ['/v1', 'v1'],
    ['/v1beta/openai', 'v1beta'],
  ] as const) {
    const { stream, address } = serve([FINE], { suffix });
    await stream({});
    expect(address.requests[0]?.path).toBe(`/${version}/models/${GOOGLE_MODEL}:streamGenerateContent?alt=sse`);
  }
  expect(apiOf({ baseUrl: 'https://generativelanguage.googleapis.com' })).toBe('google');
  expect(apiOf({ baseUrl: 'https://generativelanguage.googleapis.com/v1beta' })).toBe('google');
  expect(apiOf({ baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai/' })).toBe('chat');
});
