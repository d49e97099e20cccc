/** One server, several models: each is read and asked in its own dialect, whatever form its answers have. */
import { createOpenAiLlm, type OpenAiLlmOptions } from '../../../src/adapter/openai/openai_llm';
import type { AssistantMessage, ChatMessage } from '../../../src/port/llm';
import {
  type Answer,
  type BrokenModel,
  callChunk,
  endEvents,
  finish,
  sendJson,
  startBrokenModel,
  textChunk,
} from '../../support/broken_model';
import { ask, recordingSink } from './ask';

let raw: BrokenModel;
beforeAll(async () => {
  raw = await startBrokenModel();
});
afterAll(() => raw.stop());

function open(send: Answer, options: Partial<OpenAiLlmOptions> = {}) {
  const limits = { retryBaseMs: 2 };
  return createOpenAiLlm({ baseUrl: raw.serve(send), model: 'm', createCallId: () => 'call_fresh', limits, ...options });
}

/** Returns the answer to one request of a server that sends these bytes. */
async function answerTo(send: Answer, options: Partial<OpenAiLlmOptions> = {}) {
  const llm = open(send, options);
  try {
    return await llm.stream(ask('hi'), recordingSink());
  } finally {
    llm.close();
  }
}

describe('another model of the same server', () => {
  const thoughts = '<think>secret</think>\n\n';
  const call = { index: 0, id: 'a', function: { name: 'bash', arguments: '{}' } };

  test('is read in the dialect in which it is asked', async () => {
    const bodies: Record<string, unknown>[] = [];
    const llm = open(({ response, body }) => {
      bodies.push(body);
      endEvents(response, [
        textChunk(`${thoughts}I look.`),
        callChunk({ ...call, extra_content: { google: { thought_signature: 's' } } }),
        finish('tool_calls'),
      ]);
    });
    /** Returns the message of the model in the next request, after an answer of the model. */
    const secondRequest = async (model: string | undefined) => {
      const request = ask('hi', model === undefined ? {} : { model });
      const { message } = await llm.stream(request, recordingSink());
      const messages: ChatMessage[] = [...request.messages, message, { role: 'tool', tool_call_id: 'a', content: 'ok' }];
      await llm.stream({ ...request, messages }, recordingSink());
      return { message, sent: (bodies.at(-1)?.['messages'] as AssistantMessage[] | undefined)?.[1] };
    };
    const minimax = await secondRequest('MiniMax-M2');
    expect(minimax.message.serverData).toMatchObject({ textBefore: thoughts });
    expect(minimax.sent).toMatchObject({ content: `${thoughts}I look.`, tool_calls: [{ id: 'a' }] });
    const gemini = await secondRequest('gemini-3-pro');
    expect(gemini.sent).toMatchObject({ content: 'I look.', tool_calls: [{ extra_content: { google: { thought_signature: 's' } } }] });
    const mistral = await secondRequest('mistral-large');
    expect(mistral.message).not.toHaveProperty('serverData.calls.0.fields');
    expect(mistral.sent?.tool_calls?.[0]).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{9}$/),
      type: 'function',
      function: { name: 'bash', arguments: '{}' },
    });
    const own = await secondRequest(undefined);
    expect(own.sent).toMatchObject({ content: 'I look.', tool_calls: [{ extra_content: { google: { thought_signature: 's' } } }] });
    llm.close();
  });

  test('keeps its time for the first byte while comments come, when its dialect says so', async () => {
    const llm = open(
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        let comments = 0;
        const drip = setInterval(() => {
          if (++comments < 30) return void response.write(': keep-alive\n\n');
          clearInterval(drip);
          endEvents(response, [textChunk('ok'), finish('stop')]);
        }, 5);
        response.once('close', () => clearInterval(drip));
      },
      { limits: { firstByteMs: 80 } },
    );
    await expect(llm.stream(ask('hi'), recordingSink())).rejects.toMatchObject({ code: 'model_timeout' });
    await expect(llm.stream(ask('hi', { model: 'deepseek-chat' }), recordingSink())).resolves.toMatchObject({ message: { content: 'ok' } });
    llm.close();
  });
});

test('the answers of one tenant never change how those of another are shown', async () => {
  const llm = open(({ response }) => endEvents(response, [textChunk('secret.\n'), textChunk('</think>\n\nHello!'), finish('stop')]));
  const shownTo = async (tenantId: string) => {
    const sink = recordingSink();
    await llm.stream(ask('hi', { run: { runId: 'r', sessionId: 's', tenantId, door: 'rest', agent: 'main' } }), sink);
    return [sink.reasonings.join(''), sink.texts.join('')];
  };
  const unknown = ['', 'secret.\n</think>\n\nHello!'];
  expect([await shownTo('a'), await shownTo('a'), await shownTo('a')]).toEqual([unknown, unknown, ['secret.\n', 'Hello!']]);
  expect(await shownTo('b')).toEqual(unknown);
  llm.close();
});

describe('an answer that is one JSON document', () => {
  const call = (args: string) => ({ id: 'a', type: 'function', function: { name: 'bash', arguments: args } });
  const document = (message: object, more: object = {}) =>
    answerTo(({ response }) => sendJson(response, 200, { choices: [{ message, ...more }] }));

  test.each([
    ['no finish reason', {}],
    ['null as finish reason', { finish_reason: null }],
    ['an empty finish reason', { finish_reason: '' }],
  ])('is whole with %s', async (_, more) => {
    expect(await document({ role: 'assistant', content: 'All of it.' }, more)).toMatchObject({
      finishReason: 'stop',
      message: { content: 'All of it.' },
    });
    expect(await document({ content: null, tool_calls: [call('{"a":1}')] }, more)).toMatchObject({
      finishReason: 'tool_calls',
      message: { tool_calls: [{ function: { arguments: '{"a":1}' } }] },
    });
  });

  test('is refused without a message, with an empty one, and with half a call', async () => {
    await expect(document({ content: 'Some', tool_calls: [call('{"a":')] })).rejects.toMatchObject({ code: 'model_bad_response' });
    await expect(document({ content: '' })).rejects.toThrow('it is empty');
    await expect(answerTo(({ response }) => sendJson(response, 200, { choices: [{ delta: { content: 'x' } }] }))).rejects.toThrow(
      'no answer of a chat model',
    );
    await expect(document({ content: 'Some' }, { finish_reason: 'network_error' })).rejects.toThrow('network_error');
    await expect(answerTo(({ response }) => response.end('{"choices":[{"message":{"content":"Some"}}'))).rejects.toThrow('not valid JSON');
  });

  test('keeps its limit as the reason of its end', async () => {
    expect(await document({ content: 'Some' }, { finish_reason: 'length' })).toMatchObject({ finishReason: 'length' });
  });
});

test('a stream that ends with [DONE] and half a call is cut', async () => {
  const half = callChunk({ index: 0, id: 'a', function: { name: 'bash', arguments: '{"command":"rm' } });
  await expect(answerTo(({ response }) => endEvents(response, [half, '[DONE]']))).rejects.toThrow('ended in the middle');
});

describe('fields of a call that come behind its first piece are kept', () => {
  const named = { index: 0, id: 'a', function: { name: 'bash', arguments: '{"n":1}' } };
  test.each<[string, object[], object]>([
    ['in a piece of their own', [named, { index: 0, extra_content: { s: 1 } }], { extra_content: { s: 1 } }],
    [
      'beside a part of the first',
      [
        { ...named, extra_content: { g: { a: 1 } } },
        { index: 0, extra_content: { g: { b: 2 } } },
      ],
      { extra_content: { g: { a: 1, b: 2 } } },
    ],
    [
      'with the whole call again',
      [
        { ...named, first: 'x' },
        { ...named, first: 'x', later: 'y' },
      ],
      { first: 'x', later: 'y' },
    ],
    [
      'with the arguments again',
      [
        { ...named, first: 'x' },
        { index: 0, later: 'y', function: { arguments: '{"n":1}' } },
      ],
      { first: 'x', later: 'y' },
    ],
    [
      'with arguments under a new index',
      [
        { index: 0, id: 'a', first: 'x', function: { name: 'bash', arguments: '{"n"' } },
        { index: 1, later: 'y', function: { arguments: ':1}' } },
      ],
      { first: 'x', later: 'y' },
    ],
    [
      'with arguments in place of an empty object',
      [
        { ...named, first: 'x', function: { name: 'bash', arguments: '{}' } },
        { ...named, later: 'y' },
      ],
      { first: 'x', later: 'y' },
    ],
  ])('%s', async (_, fragments, fields) => {
    const chunks = [...fragments.map(fragment => callChunk(fragment)), finish('tool_calls')];
    const { message } = await answerTo(({ response }) => endEvents(response, chunks));
    expect(message.tool_calls).toMatchObject([{ id: 'a', function: { name: 'bash', arguments: '{"n":1}' } }]);
    expect(message.serverData?.calls).toEqual([{ fields }]);
  });
});
