/**
 * The contract of a model adapter, over real HTTP against a server that speaks its wire. Each adapter runs it:
 *
 *   describeModelAdapter(anthropicWire);
 */
import type { ModelLimits } from '../../src/adapter/openai/model_limits';
import { AppError } from '../../src/errors';
import type { AssistantMessage, ChatMessage, LlmRequest, LlmSink } from '../../src/port/llm';
import type { ModelClient } from '../../src/port/model_client';
import { contextOverflow, mayFallBack } from '../../src/port/model_failures';
import { ask, recordingSink } from '../adapter/openai/ask';
import type { ModelWire, WireAnswer, WireFailure } from '../support/wires/model_wire';
import { type Served, type ServedAddress, startWireServer, type WireServer } from '../support/wires/wire_server';

const API_KEY = 'sk-test-0123456789abcdef';
/** A cancelled call must have closed its connection after this time. */
const CANCEL_MS = 500;
const STOP = { why: 'the user pressed stop' };
const QUICK: Partial<ModelLimits> = { retryBaseMs: 2, retryMaxMs: 4 };

const FINE: WireAnswer = { parts: [{ text: ['fine'] }] };
const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, description: `The ${name} tool.`, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
});
const TOOLS = [tool('first'), tool('second')];
const PIXEL = Buffer.from('89504e470d0a1a0a', 'hex');

interface Outcome {
  answer?: Awaited<ReturnType<ModelClient['stream']>>;
  error?: AppError;
  sink: ReturnType<typeof recordingSink> & { retries: string[] };
  address: ServedAddress;
}

const isList = (served: Served | readonly [Served, ...Served[]]): served is readonly [Served, ...Served[]] => Array.isArray(served);

export function describeModelAdapter(wire: ModelWire): void {
  const { has } = wire;
  let server: WireServer;
  const opened: ModelClient[] = [];
  beforeAll(async () => {
    server = await startWireServer(wire);
  });
  afterAll(async () => {
    for (const client of opened) client.close();
    await server.stop();
  });

  function open(address: ServedAddress, limits: Partial<ModelLimits> = {}): ModelClient {
    const client = wire.open(address.baseUrl, { apiKey: API_KEY, limits: { ...QUICK, ...limits } });
    opened.push(client);
    return client;
  }

  const unfinished = (answer: WireAnswer): string[] => wire.encode(answer).slice(0, -wire.endEvents);

  async function call(
    served: Served | readonly [Served, ...Served[]],
    request: Partial<LlmRequest> = {},
    limits?: Partial<ModelLimits>,
  ): Promise<Outcome> {
    const answers: readonly [Served, ...Served[]] = isList(served) ? served : [served];
    const address = server.serve(...answers);
    const retries: string[] = [];
    const sink = { ...recordingSink(), retries, onRetry: (code: string) => void retries.push(code) };
    try {
      return { answer: await open(address, limits).stream({ ...ask('hi'), ...request }, sink), sink, address };
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      return { error: thrown, sink, address };
    }
  }

  describe('answers', () => {
    it('streams the text in pieces and resolves with the whole', async () => {
      const { answer, sink, address } = await call({ parts: [{ text: ['Hel', 'lo, ', '世界 🎉'] }] });
      expect(answer).toMatchObject({ message: { role: 'assistant', content: 'Hello, 世界 🎉' }, finishReason: 'stop', reasoning: '' });
      expect(sink.texts.join('')).toBe('Hello, 世界 🎉');
      expect(address.requests).toMatchObject([{ key: API_KEY, model: wire.model, messages: [{ role: 'user', parts: ['hi'] }], tools: [] }]);
    });

    it('delivers text before the answer has ended', async () => {
      const address = server.serve({ pieces: unfinished({ parts: [{ text: ['early'] }] }), ending: 'hang' });
      const controller = new AbortController();
      const first = Promise.withResolvers<string>();
      const sink: LlmSink = { onText: first.resolve, onReasoning: () => {} };
      const asked = open(address).stream(ask('hi', { signal: controller.signal }), sink);
      asked.catch(() => {});
      expect(await first.promise).toBe('early');
      controller.abort(STOP);
      await expect(asked).rejects.toBe(STOP);
    });

    it('returns tool calls side by side, with arguments in pieces, without arguments, and with broken ones', async () => {
      const { answer, sink } = await call(
        {
          parts: [
            { text: ['I look.'] },
            { call: { id: 'call_a', name: 'first', args: ['{"pa', 'th":"a', '.txt"}'] } },
            { call: { id: 'call_b', name: 'second', args: [] } },
            ...(has.argumentObjects ? [] : [{ call: { id: 'call_c', name: 'first', args: ['{"path": oops'] } }]),
          ],
        },
        { tools: TOOLS },
      );
      expect(answer?.finishReason).toBe('tool_calls');
      expect(answer?.message.content).toBe('I look.');
      expect(answer?.message.tool_calls).toEqual([
        { id: 'call_a', type: 'function', function: { name: 'first', arguments: '{"path":"a.txt"}' } },
        { id: 'call_b', type: 'function', function: { name: 'second', arguments: '{}' } },
        ...(has.argumentObjects ? [] : [{ id: 'call_c', type: 'function', function: { name: 'first', arguments: '{"path": oops' } }]),
      ]);
      expect(sink.texts.join('')).toBe('I look.');
    });

    it('leaves out the calls of an answer that a limit cut off', async () => {
      const { answer } = await call({ parts: [{ text: ['half'] }, { call: { id: 'a', name: 'first', args: ['{"path'] } }], end: 'length' });
      expect(answer).toMatchObject({ finishReason: 'length', message: { content: 'half' } });
      expect(answer?.message.tool_calls).toBeUndefined();
    });

    it('tells that the server withheld an answer', async () => {
      const { answer } = await call({ parts: [{ text: ['I cannot'] }], end: 'filter' });
      expect(answer).toMatchObject({ finishReason: 'content_filter', message: { content: 'I cannot' } });
    });

    it('counts tokens of the cache as a part of the input', async () => {
      const usage = { fresh: 7, cached: 1_000, written: has.cacheWrites ? 200 : 0, output: 30, thinking: 12 };
      const { answer } = await call({ parts: [{ text: ['fine'] }], usage });
      expect(answer?.usage).toMatchObject({
        inputTokens: 1_007 + usage.written,
        cachedTokens: 1_000,
        outputTokens: 30,
        reasoningTokens: 12,
        ...(has.cacheWrites && { cacheWriteTokens: 200 }),
      });
    });

    it('tells the service tier that answered', async () => {
      const usage = { fresh: 7, cached: 0, written: 0, output: 30, thinking: 0, tier: 'flex' };
      const { answer } = await call({ parts: [{ text: ['fine'] }], usage });
      expect(answer?.usage?.serviceTier).toBe('flex');
    });

    it('tells the sink once that an answer begins, also when it begins with a call', async () => {
      const starts: string[] = [];
      const address = server.serve({
        parts: [{ call: { id: 'a', name: 'first', args: ['{}'] } }, { call: { id: 'b', name: 'first', args: ['{}'] } }],
      });
      const sink = { onText: () => {}, onReasoning: () => {}, onFirstChunk: () => void starts.push('first') };
      await open(address).stream(ask('hi', { tools: TOOLS }), sink);
      expect(starts).toEqual(['first']);
    });
  });

  describe('requests', () => {
    it('have the prompt, the tools and the results in the order of the history', async () => {
      const messages: ChatMessage[] = [
        { role: 'system', content: 'You are terse.' },
        { role: 'user', content: 'Look at both.' },
        {
          role: 'assistant',
          content: 'Yes.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'first', arguments: '{"path":"a"}' } },
            { id: 'call_2', type: 'function', function: { name: 'second', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A' },
        { role: 'tool', tool_call_id: 'call_2', content: 'B' },
        { role: 'user', content: 'And now?' },
      ];
      const { address } = await call(FINE, { messages, tools: TOOLS });
      const [request] = address.requests;
      expect(request?.system).toBe('You are terse.');
      expect(request?.tools).toEqual(['first', 'second']);
      expect(request?.messages.flatMap(({ role, parts }) => parts.map(part => `${role} ${part}`))).toEqual([
        'user Look at both.',
        'assistant Yes.',
        'assistant call:call_1:first:{"path":"a"}',
        'assistant call:call_2:second:{}',
        'user result:call_1:A',
        'user result:call_2:B',
        'user And now?',
      ]);
    });

    it('forbid calls side by side when parallelToolCalls is false', async () => {
      const both: WireAnswer = { parts: ['a', 'b'].map(id => ({ call: { id, name: 'first', args: ['{}'] } })) };
      const served = has.noParallelField ? both : FINE;
      const { answer, address } = await call(served, { tools: TOOLS, parameters: { parallelToolCalls: false } });
      if (has.noParallelField) expect(answer?.message.tool_calls).toHaveLength(1);
      else expect(address.requests[0]?.parallel).toBe(false);
    });

    it.each([
      ['behind a prompt', [{ role: 'system', content: 'You are terse.' }]],
      ['without a prompt', []],
    ] satisfies [string, ChatMessage[]][])('carry images and files %s', async (_, prompt) => {
      const messages: ChatMessage[] = [
        ...prompt,
        {
          role: 'user',
          content: 'What is this?',
          images: [{ id: 'i1', mediaType: 'image/png', bytes: PIXEL.length }],
          files: [{ id: 'f1', mediaType: 'application/pdf', bytes: PIXEL.length, name: 'a.pdf' }],
        },
      ];
      const images = new Map([
        ['i1', PIXEL],
        ['f1', PIXEL],
      ]);
      const { address } = await call(FINE, { messages, images });
      const parts = address.requests[0]?.messages[0]?.parts;
      expect(parts).toHaveLength(3);
      expect(parts).toEqual(
        expect.arrayContaining(['What is this?', `image:image/png:${PIXEL.toString('base64')}`, `file:a.pdf:${PIXEL.toString('base64')}`]),
      );
    });

    it('carry the images of a result', async () => {
      const messages: ChatMessage[] = [
        { role: 'user', content: 'Draw.' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'first', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'Done.', images: [{ id: 'i1', mediaType: 'image/png', bytes: PIXEL.length }] },
      ];
      const { address } = await call(FINE, { messages, tools: TOOLS, images: new Map([['i1', PIXEL]]) });
      const sent = JSON.stringify(address.requests[0]?.messages);
      expect(sent).toContain('Done.');
      expect(sent).toContain(`image:image/png:${PIXEL.toString('base64')}`);
      expect(JSON.stringify(address.bodies[0])).not.toContain('"i1"');
    });

    if (has.schema)
      it('hold the answer to a schema', async () => {
        const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
        const { address } = await call(FINE, { outputSchema });
        expect(address.requests[0]?.schema).toEqual(outputSchema);
      });

    it('have no field of chat completions that another API refuses', async () => {
      const extra = { response_format: { type: 'json_object' }, user: 'ann', verbosity: 'low', parallel_tool_calls: false };
      const { address } = await call(FINE, { tools: TOOLS, parameters: { extra } });
      if (!has.noParallelField) expect(address.requests[0]?.parallel).toBe(false);
      if (wire.name === 'chat') return;
      // The Responses API has this field, too.
      const refused = Object.keys(extra).filter(name => wire.name !== 'responses' || name !== 'parallel_tool_calls');
      for (const name of refused) expect(address.bodies[0]).not.toHaveProperty(name);
    });
  });

  if (has.thoughts)
    describe('thoughts', () => {
      const THINKING: WireAnswer = {
        parts: [
          { thought: ['I should ', 'look.'], proof: 'cHJvb2Y=' },
          ...(has.hidden ? [{ hidden: 'c2VjcmV0' }] : []),
          { text: ['I look.'] },
          { call: { id: 'call_a', name: 'first', args: ['{"path":"a"}'] } },
        ],
      };
      const result = (answer: AssistantMessage): ChatMessage[] => [
        { role: 'user', content: 'hi' },
        answer,
        { role: 'tool', tool_call_id: answer.tool_calls?.[0]?.id ?? '', content: 'A' },
      ];

      it('are streamed apart from the text, and asked for by the level', async () => {
        const { answer, sink, address } = await call(THINKING, { tools: TOOLS, thinkingLevel: 'high' });
        expect([sink.reasonings.join(''), sink.texts.join('')]).toEqual(['I should look.', 'I look.']);
        expect(answer?.reasoning).toBe('I should look.');
        expect(address.requests[0]?.thinks).toBe(true);
      });

      it('go back unchanged, in their place, to the server that sent them', async () => {
        const address = server.serve(THINKING, FINE);
        const client = open(address);
        const request = ask('hi', { tools: TOOLS, thinkingLevel: 'high' });
        const { message } = await client.stream(request, recordingSink());
        // The store keeps messages as JSON.
        const stored = JSON.parse(JSON.stringify(message)) as AssistantMessage;
        await client.stream({ ...request, messages: result(stored) }, recordingSink());
        const sent = address.requests[1]?.messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []));
        expect(sent).toEqual([
          'thought:I should look.:cHJvb2Y=',
          ...(has.hidden ? ['hidden:c2VjcmV0'] : []),
          'I look.',
          'call:call_a:first:{"path":"a"}',
        ]);
      });

      it('never go to another server, which gets the text and the calls', async () => {
        const { answer } = await call(THINKING, { tools: TOOLS, thinkingLevel: 'high' });
        if (!answer) throw new Error('There is no answer.');
        const { address } = await call(FINE, { messages: result(answer.message), tools: TOOLS, thinkingLevel: 'high' });
        const sent = address.requests[0]?.messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []));
        expect(sent).toEqual(['I look.', 'call:call_a:first:{"path":"a"}']);
        expect(JSON.stringify(address.bodies[0])).not.toMatch(/cHJvb2Y=|c2VjcmV0|I should look/);
      });
    });

  describe('failures', () => {
    it('reports an answer that ends in the middle, and repeats the call as long as nothing was shown', async () => {
      const shown = await call({ pieces: unfinished({ parts: [{ text: ['half an ans'] }] }) });
      expect([shown.error?.code, shown.sink.texts.join(''), shown.address.requests.length]).toEqual([
        'model_bad_response',
        'half an ans',
        1,
      ]);
      const { answer, address, sink } = await call([{ pieces: unfinished({ parts: [] }) }, FINE]);
      expect([answer?.message.content, address.requests.length, sink.retries]).toEqual(['fine', 2, ['model_bad_response']]);
    });

    it('reports a connection that breaks in the middle', async () => {
      const pieces = unfinished({ parts: [{ text: ['half an ans'] }] });
      const { error, sink } = await call({ pieces, ending: 'reset' });
      expect([error?.code, sink.texts.join('')]).toEqual(['model_unreachable', 'half an ans']);
    });

    it.each([
      ['an event that is no JSON', () => ({ pieces: [wire.malformed] })],
      ['a web page', () => ({ respond: (_, response) => response.writeHead(200).end('<!doctype html><title>Welcome</title>') })],
      ['JSON in place of a stream', () => ({ respond: (_, response) => response.writeHead(200).end('{"hello":"world"}') })],
      ['an empty answer', () => ({ parts: [] })],
    ] satisfies [string, () => Served][])('reports %s', async (_, served) => {
      const { error, sink, address } = await call(served());
      expect([error?.code, sink.texts, address.requests.length]).toEqual(['model_bad_response', [], 1]);
      expect(error?.message).toMatch(/cannot be used/);
    });

    it.each([
      ['key', 'model_refused', { fault: 'endpoint' }],
      ['bad_tool', 'model_refused', { reason: 'tool_refused', tools: ['second'] }],
      ['too_long', 'model_refused', { reason: 'context_length', contextTokens: 200_000 }],
    ] satisfies [WireFailure, string, object][])('tells what a refusal means: %s', async (refuse, code, details) => {
      const { error, address } = await call({ refuse }, { tools: TOOLS });
      expect([error?.code, error?.details]).toMatchObject([code, details]);
      expect(address.requests).toHaveLength(1);
      expect(contextOverflow(error)?.contextTokens).toBe(refuse === 'too_long' ? 200_000 : undefined);
      expect(mayFallBack(error)).toBe(refuse === 'key');
    });

    it.each([
      ['rate', 'model_overloaded'],
      ['overloaded', 'model_overloaded'],
      ['server', 'model_unreachable'],
    ] satisfies [WireFailure, string][])('repeats the call after a failure that passes: %s', async (refuse, code) => {
      const { answer, sink, address } = await call([{ refuse, headers: { 'retry-after': '0.01' } }, FINE]);
      expect([answer?.message.content, sink.retries, address.requests.length]).toEqual(['fine', [code], 2]);
      expect(address.bodies[1]).toEqual(address.bodies[0]);
    });

    it('waits as long as the server asks, unless that is too long', async () => {
      const began = performance.now();
      await call([{ refuse: 'rate', headers: { 'retry-after': '0.3' } }, FINE]);
      expect(performance.now() - began).toBeGreaterThan(290);
      const { error, address } = await call({ refuse: 'rate', headers: { 'retry-after': '86400' } });
      expect([error?.code, error?.retryAfterMs, address.requests.length]).toEqual(['model_overloaded', 60_000, 1]);
    });

    it('reads an error inside the stream, and repeats the call as long as nothing was shown', async () => {
      const { answer, sink } = await call([{ pieces: [wire.errorEvent] }, FINE]);
      expect([answer?.message.content, sink.retries]).toEqual(['fine', ['model_overloaded']]);
      const { error, address } = await call({ pieces: [...unfinished({ parts: [{ text: ['so far'] }] }), wire.errorEvent] });
      expect([error?.code, address.requests.length]).toEqual(['model_overloaded', 1]);
    });

    it('never shows the key', async () => {
      const respond: Extract<Served, { respond: unknown }>['respond'] = (_, response) =>
        response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `bad key ${API_KEY}` } }));
      const { error } = await call({ respond });
      expect(error?.message).toMatch(/bad key \[key\]/);
    });

    it('gives up on a server that does not begin, or stops in the middle', async () => {
      const before = await call({ respond: () => {} }, {}, { firstByteMs: 60 });
      expect([before.error?.code, before.error?.details]).toEqual(['model_timeout', { phase: 'first_byte' }]);
      const during = await call({ pieces: unfinished({ parts: [{ text: ['and then'] }] }), ending: 'hang' }, {}, { idleMs: 60 });
      expect([during.error?.code, during.error?.details]).toEqual(['model_timeout', { phase: 'idle' }]);
    });

    it('ends soon when the server keeps the connection open behind a whole answer', async () => {
      const { answer } = await call({ pieces: wire.encode(FINE), ending: 'hang' }, {}, { trailerMs: 50, idleMs: 60_000 });
      expect(answer?.message.content).toBe('fine');
    });

    it('refuses an answer that is larger than its limits', async () => {
      const { error } = await call({ parts: [{ text: ['x'.repeat(2_000), 'x'.repeat(2_000)] }] }, {}, { maxTextBytes: 3_000 });
      expect(error?.code).toBe('model_too_large');
    });
  });

  describe('a cancelled call', () => {
    const begun = (): Served => ({ pieces: unfinished({ parts: [{ text: ['and then'] }] }), ending: 'hang' });
    it.each([
      ['before the answer begins', (): Served => ({ respond: () => {} })],
      ['in the middle of the answer', begun],
    ])('closes its connection at once: %s', async (_, served) => {
      const address = server.serve(served());
      const controller = new AbortController();
      const asked = open(address).stream(ask('hi', { signal: controller.signal }), recordingSink());
      asked.catch(() => {});
      await address.arrived;
      const cancelled = performance.now();
      controller.abort(STOP);
      await expect(asked).rejects.toBe(STOP);
      expect((await address.closed) - cancelled).toBeLessThan(CANCEL_MS);
    });

    it('sends nothing when it was cancelled before', async () => {
      const address = server.serve(FINE);
      await expect(open(address).stream(ask('hi', { signal: AbortSignal.abort(STOP) }), recordingSink())).rejects.toBe(STOP);
      expect(address.requests).toEqual([]);
    });

    it('leaves no listener behind', async () => {
      const { signal } = new AbortController();
      const added = jest.spyOn(signal, 'addEventListener');
      const removed = jest.spyOn(signal, 'removeEventListener');
      for (const served of [FINE, { refuse: 'key' }, { pieces: [wire.malformed] }] satisfies Served[]) await call(served, { signal });
      expect(added.mock.calls.length).toBe(3);
      expect(removed.mock.calls.length).toBe(3);
    });
  });

  describe('a count of tokens', () => {
    const request = ask('hi', {
      tools: TOOLS,
      thinkingLevel: 'low',
      parameters: { temperature: 0.5, maxOutputTokens: 9_000, stop: ['END'] },
    });

    if (!wire.count) {
      it('is unknown where the API has none', async () => {
        expect(await open(server.serve(FINE)).countTokens?.(request)).toBeUndefined();
      });
      return;
    }

    it('comes from the server, for the request as it would be sent', async () => {
      const address = server.serve(FINE);
      address.tokens = 1_234;
      const client = open(address);
      expect(await client.countTokens?.(request)).toBe(1_234);
      const [counted] = address.counted;
      expect(JSON.stringify(counted)).toMatch(/"hi".*|first.*second/);
      // The route takes no fields of the answer.
      for (const name of ['stream', 'max_tokens', 'max_output_tokens', 'temperature', 'store']) expect(counted).not.toHaveProperty(name);
      expect(address.requests).toEqual([]);
    });

    it.each([
      ['lacks the route', undefined],
      ['fails', 'broken' as const],
    ])('is unknown where the server %s, which is asked once in a while', async (_, tokens) => {
      const address = server.serve(FINE);
      address.tokens = tokens;
      const client = open(address);
      expect([await client.countTokens?.(request), await client.countTokens?.(request)]).toEqual([undefined, undefined]);
      expect(address.counted).toHaveLength(1);
    });

    it('ends with the reason of an abort', async () => {
      const counting = open(server.serve(FINE)).countTokens?.({ ...request, signal: AbortSignal.abort(STOP) });
      await expect(counting).rejects.toBe(STOP);
    });
  });

  describe('the server', () => {
    it('lists its models, and a probe finds it well', async () => {
      const client = open(server.serve(FINE));
      expect(await client.listModels(new AbortController().signal)).toEqual(['one', 'two']);
      expect(await client.probe()).toBeUndefined();
      expect(client.info).toMatchObject({ provider: wire.provider, model: wire.model, demo: false });
    });
  });
}
