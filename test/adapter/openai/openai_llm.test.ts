import fc from 'fast-check';
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import type { ModelClient } from '../../../src/port/model_client';
import {
  type BrokenModel,
  callChunk,
  chunk,
  endEvents,
  finish,
  startBrokenModel,
  textChunk,
  toEventStream,
} from '../../support/broken_model';
import { type MockModel, startMockModel } from '../../support/mock_model';
import { ask, recordingSink } from './ask';

let model: MockModel;
let llm: ModelClient;
let raw: BrokenModel;
beforeAll(async () => {
  model = await startMockModel();
  raw = await startBrokenModel();
  llm = createOpenAiLlm({ apiKey: 'secret-key', baseUrl: model.baseUrl, model: 'mock-model' });
});
afterAll(async () => {
  llm.close();
  await Promise.all([model.stop(), raw.stop()]);
});

const tool = {
  type: 'function',
  function: { name: 'list_dir', description: 'Lists.', parameters: { type: 'object', properties: {} } },
} as const;

/** Returns the answer to one request of a server that sends these bytes. */
async function answerTo(send: Parameters<BrokenModel['serve']>[0], options: { limits?: object } = {}) {
  const own = createOpenAiLlm({ baseUrl: raw.serve(send), model: 'm', createCallId: () => 'call_fresh', ...options });
  const sink = recordingSink();
  try {
    return { answer: await own.stream(ask('hi'), sink), sink };
  } finally {
    own.close();
  }
}

describe('a model behind the chat completions API', () => {
  test('streams text and returns the whole answer with its usage', async () => {
    model.onTurn('tell me', { text: 'Once upon a time', chunkSize: 4, usage: { inputTokens: 12, outputTokens: 4 } });
    const sink = recordingSink();
    const answer = await llm.stream(ask('tell me'), sink);
    expect(answer).toEqual({
      message: { role: 'assistant', content: 'Once upon a time' },
      reasoning: '',
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 4 },
    });
    expect(sink.texts).toEqual(['Once', ' upo', 'n a ', 'time']);
  });

  test('prepares its calls again after a failure', async () => {
    model.onTurn('bad header', 'Done.');
    const own = createOpenAiLlm({ baseUrl: model.baseUrl, model: 'm' });
    process.env['OPENAI_CUSTOM_HEADERS'] = 'no header name: x';
    try {
      await expect(own.stream(ask('bad header'), recordingSink())).rejects.toThrow('inside the gateway');
    } finally {
      delete process.env['OPENAI_CUSTOM_HEADERS'];
    }
    await expect(own.stream(ask('bad header'), recordingSink())).resolves.toMatchObject({ message: { content: 'Done.' } });
    own.close();
  });

  test('returns several tool calls of one answer, with text before them', async () => {
    model.onTurn('look around', {
      text: 'Let me look.',
      toolCalls: [
        { name: 'list_dir', arguments: { path: '.' }, id: 'call_1' },
        { name: 'list_dir', arguments: '{"path":' },
      ],
    });
    const { message, finishReason } = await llm.stream(ask('look around', { tools: [tool] }), recordingSink());
    expect(finishReason).toBe('tool_calls');
    expect(message.content).toBe('Let me look.');
    expect(message.tool_calls?.map(call => call.function.arguments)).toEqual(['{"path":"."}', '{"path":']);
    expect(message.tool_calls?.[0]?.id).toBe('call_1');
  });

  test('returns reasoning separately from the text', async () => {
    model.onTurn('think', { text: 'Forty-two.', reasoning: 'Six times seven', chunkSize: 100 });
    const sink = recordingSink();
    const answer = await llm.stream(ask('think'), sink);
    expect(answer.reasoning).toBe('Six times seven');
    expect([sink.reasonings, sink.texts]).toEqual([['Six times seven'], ['Forty-two.']]);
  });

  test('sends messages and tools unchanged, the thinking level, and no unwanted fields', async () => {
    model.onTurn('plain', 'ok');
    model.onTurn('clever', 'ok');
    await llm.stream(ask('plain'), recordingSink());
    await llm.stream(ask('clever', { tools: [tool], thinkingLevel: 'high', model: 'other-model' }), recordingSink());
    const [plain] = model.requests('plain');
    const [clever] = model.requests('clever');
    const { model: name, messages, tools, reasoning_effort, stream_options } = plain?.body ?? {};
    expect({ name, messages, tools, reasoning_effort, stream_options }).toEqual({
      name: 'mock-model',
      messages: [{ role: 'user', content: 'plain' }],
      tools: undefined,
      reasoning_effort: undefined,
      stream_options: { include_usage: true },
    });
    expect([plain?.body['tool_choice'], clever?.body['tool_choice']]).toEqual([undefined, 'auto']);
    expect([clever?.body.model, clever?.body.tools, clever?.body.reasoning_effort]).toEqual(['other-model', [tool], 'high']);
  });

  test('reuses one connection for answers, errors and documents', async () => {
    const one = createOpenAiLlm({ apiKey: 'k', baseUrl: model.baseUrl, model: 'm' });
    model.onTurn('again', 'ok');
    for (let i = 0; i < 3; i++) await one.stream(ask('again'), recordingSink());
    await expect(one.stream(ask('nothing is scripted for this'), recordingSink())).rejects.toThrow('no scripted turn');
    await one.stream(ask('again'), recordingSink());
    const ports = [...model.requests('again'), ...model.requests('nothing is scripted')].map(request => request.clientPort);
    expect([ports.length, new Set(ports).size]).toEqual([5, 1]);
    one.close();
  });

  test('serves parallel calls independently', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) model.onTurn(name, { text: `I am ${name}`, chunkSize: 1, chunkDelayMs: 1 });
    const answers = await Promise.all(['alpha', 'beta', 'gamma'].map(name => llm.stream(ask(name), recordingSink())));
    expect(answers.map(answer => answer.message.content)).toEqual(['I am alpha', 'I am beta', 'I am gamma']);
  });

  test('sends authorization only when there is a key', async () => {
    const seen: Array<string | undefined> = [];
    await answerTo(({ request, response }) => {
      seen.push(request.headers.authorization);
      endEvents(response, [textChunk('ok'), finish('stop')]);
    });
    model.onTurn('who am I', 'you');
    await llm.stream(ask('who am I'), recordingSink());
    expect(seen).toEqual([undefined]);
  });

  test('sends the headers of the openai client', async () => {
    let headers: Record<string, unknown> = {};
    await answerTo(({ request, response }) => {
      headers = request.headers;
      endEvents(response, [textChunk('ok'), finish('stop')]);
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^OpenAI\/JS /) });
    expect(headers).not.toHaveProperty('authorization');
  });

  test('appends the path to the base URL and keeps its query', async () => {
    const seen: Array<string | undefined> = [];
    const base = raw.serve(({ request, response }) => {
      seen.push(request.url);
      endEvents(response, [textChunk('ok'), finish('stop')]);
    });
    for (const end of ['', '/', '/?version=1']) {
      const own = createOpenAiLlm({ baseUrl: `${base}${end}`, model: 'm' });
      await own.stream(ask('hi'), recordingSink());
      own.close();
    }
    const path = `${new URL(base).pathname}/chat/completions`;
    expect(seen).toEqual([path, path, `${path}?version=1`]);
  });

  test('describes itself', () => {
    expect(llm.info).toEqual({ provider: 'openai-compatible', model: 'mock-model', demo: false });
    const real = createOpenAiLlm({ apiKey: 'k', model: 'm' });
    expect(real.info.provider).toBe('openai');
    expect(() => createOpenAiLlm({ model: 'm', baseUrl: 'localhost:8080' })).toThrow('not an http or https URL');
  });
});

describe('servers that deviate from the API', () => {
  test('retries without stream_options when the server refuses them, and remembers that', async () => {
    const asked: boolean[] = [];
    const baseUrl = raw.serve(({ response, body }) => {
      asked.push('stream_options' in body);
      if (!('stream_options' in body)) return endEvents(response, [textChunk('ok'), finish('stop')]);
      response.writeHead(400).end(JSON.stringify({ error: { message: 'Unknown field: stream_options' } }));
    });
    const own = createOpenAiLlm({ baseUrl, model: 'm' });
    for (let i = 0; i < 2; i++) expect((await own.stream(ask('hi'), recordingSink())).message.content).toBe('ok');
    expect(asked).toEqual([true, false, false]);
    own.close();
  });

  test('accepts an answer that is not streamed', async () => {
    const message = {
      role: 'assistant',
      content: 'all at once',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }],
    };
    const { answer, sink } = await answerTo(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
          usage: { prompt_tokens: 1, completion_tokens: 2 },
        }),
      );
    });
    expect(answer).toEqual({ message, reasoning: '', finishReason: 'tool_calls', usage: { inputTokens: 1, outputTokens: 2 } });
    expect(sink.texts).toEqual(['all at once']);
  });

  test('accepts a complete answer although the server never ends the stream', async () => {
    const withDone = await answerTo(({ response }) =>
      response.writeHead(200).write(toEventStream([textChunk('ok'), finish('stop'), '[DONE]'])),
    );
    expect(withDone.answer.message.content).toBe('ok');
    const withoutDone = await answerTo(({ response }) => response.writeHead(200).write(toEventStream([textChunk('ok'), finish('stop')])), {
      limits: { trailerMs: 20 },
    });
    expect(withoutDone.answer.message.content).toBe('ok');
    const reset = await answerTo(({ request, response }) => {
      response.writeHead(200).write(toEventStream([textChunk('ok'), finish('stop')]));
      setImmediate(() => request.socket.resetAndDestroy());
    });
    expect(reset.answer.message.content).toBe('ok');
    const broken = await answerTo(({ request, response }) => {
      response.writeHead(200).write(toEventStream([textChunk('ok'), finish('stop'), '[DONE]']));
      setImmediate(() => request.socket.write('no chunk\r\n'));
    });
    expect(broken.answer.message.content).toBe('ok');
  });

  describe('a finish reason in chunks that end nothing', () => {
    const paused = (chunks: object[], limits: object = {}) =>
      answerTo(
        async ({ response }) => {
          for (const one of chunks) {
            response.write(toEventStream([one as Record<string, unknown>]));
            await new Promise(resolve => setTimeout(resolve, 60));
          }
          response.end('data: [DONE]\n\n');
        },
        { limits: { trailerMs: 15, ...limits } },
      );

    test.each([
      ['stop in every chunk', ['stop', 'stop', 'stop']],
      ['the text null in every chunk', ['null', 'null', 'stop']],
      ['stop in the first chunk alone', ['stop', null, null]],
    ])('%s: a pause ends nothing', async (_, [first, second, last]) => {
      const chunks = [
        chunk({ content: 'One' }, first),
        chunk({ content: '' }, second),
        chunk({ content: ' two' }, second),
        chunk({}, last),
      ];
      expect((await paused(chunks)).answer).toMatchObject({ message: { content: 'One two' }, finishReason: 'stop' });
    });

    test('an end without any answer before it ends nothing', async () => {
      const { answer } = await paused([chunk({ role: 'assistant', content: '' }, 'stop'), textChunk('One'), finish('stop')]);
      expect(answer.message.content).toBe('One');
    });

    test('a broken connection or a long silence behind one is no end', async () => {
      const cut = answerTo(({ request, response }) => {
        response.writeHead(200).write(toEventStream([chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop')]));
        setImmediate(() => request.socket.resetAndDestroy());
      });
      await expect(cut).rejects.toMatchObject({ code: 'model_unreachable' });
      const silent = answerTo(
        ({ response }) =>
          response.writeHead(200).write(toEventStream([chunk({ content: 'One' }, 'stop'), chunk({ content: ' two' }, 'stop')])),
        { limits: { idleMs: 30 } },
      );
      await expect(silent).rejects.toMatchObject({ code: 'model_timeout' });
    });

    test('a long silence behind the only one ends the answer', async () => {
      const { answer } = await answerTo(
        ({ response }) => response.writeHead(200).write(toEventStream([chunk({ content: 'One' }, 'stop')])),
        {
          limits: { idleMs: 30 },
        },
      );
      expect(answer.message.content).toBe('One');
    });
  });

  test('accepts a stream that ends with [DONE] and no finish reason', async () => {
    const { answer } = await answerTo(({ response }) => endEvents(response, [textChunk('ok'), '[DONE]']));
    expect(answer.finishReason).toBe('stop');
  });

  test('returns the same answer however the bytes of the stream are split', async () => {
    const bytes = Buffer.from(
      `: ping\r\n\r\n${toEventStream([
        chunk({ reasoning_content: 'Überlegung 🤔' }),
        textChunk('你好，'),
        textChunk('wörld 🙂'),
        callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{"command":"echo ' } }),
        callChunk({ index: 0, function: { arguments: '漢字"}' } }),
        finish('tool_calls'),
        { choices: [], usage: { prompt_tokens: 7, completion_tokens: 9 } },
        '[DONE]',
      ]).replaceAll('\n', '\r\n')}`,
    );
    const expected = {
      message: {
        role: 'assistant',
        content: '你好，wörld 🙂',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"echo 漢字"}' } }],
      },
      reasoning: 'Überlegung 🤔',
      finishReason: 'tool_calls',
      usage: { inputTokens: 7, outputTokens: 9 },
    };
    let cuts: number[] = [];
    const baseUrl = raw.serve(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [i, start] of [0, ...cuts].entries()) {
        response.write(bytes.subarray(start, cuts[i] ?? bytes.length));
        await new Promise(resolve => setImmediate(resolve));
      }
      response.end();
    });
    const own = createOpenAiLlm({ baseUrl, model: 'm' });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 30 }), async places => {
        cuts = places.sort((a, b) => a - b);
        const sink = recordingSink();
        const answer = await own.stream(ask('hi'), sink);
        const { serverData, ...message } = answer.message;
        expect({ ...answer, message }).toEqual(expected);
        expect(serverData?.fields).toEqual({ reasoning_content: expected.reasoning });
        expect([sink.texts.join(''), sink.reasonings.join('')]).toEqual([expected.message.content, expected.reasoning]);
      }),
      { numRuns: 60 },
    );
    own.close();
  });
});
