import type { ModelLimits } from '../../../src/adapter/openai/model_limits';
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import { AppError, type ErrorCode } from '../../../src/errors';
import {
  type BrokenModel,
  type BrokenWay,
  endEvents,
  finish,
  refusedBaseUrl,
  startBrokenModel,
  startSilentTls,
  textChunk,
} from '../../support/broken_model';
import { ask, recordingSink } from './ask';

let broken: BrokenModel;
beforeAll(async () => {
  broken = await startBrokenModel();
});
afterAll(() => broken.stop());

const API_KEY = 'sk-test-0123456789abcdef';

/** Small sizes and short waits between attempts. Timeouts are short only in the rows where they must fire. */
const TINY: Partial<ModelLimits> = {
  maxTextBytes: 8 * 1024,
  maxArgumentBytes: 8 * 1024,
  maxEventBytes: 64 * 1024,
  retryBaseMs: 2,
};

/** Returns the error of a call to this server. */
async function failAt(baseUrl: string, limits: Partial<ModelLimits> = {}) {
  const llm = createOpenAiLlm({ apiKey: API_KEY, baseUrl, model: 'm', limits: { ...TINY, ...limits } });
  const sink = recordingSink();
  try {
    const answer = await llm.stream(ask('hi'), sink);
    throw new Error(`expected a failure, got ${JSON.stringify(answer)}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error, shown: sink.texts.join(''), requests: broken.requests(baseUrl) };
  } finally {
    llm.close();
  }
}

describe('a broken server causes one clear error', () => {
  type Row = { way: BrokenWay; code: ErrorCode; says: RegExp; requests: number; shown?: string; limits?: Partial<ModelLimits> };
  const rows: Row[] = [
    { way: 'resets_at_once', code: 'model_unreachable', says: /closed the connection/, requests: 3 },
    { way: 'resets_in_the_middle', code: 'model_unreachable', says: /broke before the answer/, requests: 1, shown: 'half an ans' },
    {
      way: 'stalls_before_headers',
      code: 'model_timeout',
      says: /did not begin its answer within 0.15 s. A slower server needs a larger firstByteMs in models.yaml, or NETA_MODEL_FIRST_BYTE_MS.$/,
      requests: 1,
      limits: { firstByteMs: 150 },
    },
    { way: 'stalls_after_headers', code: 'model_timeout', says: /larger firstByteMs/, requests: 1, limits: { firstByteMs: 150 } },
    {
      way: 'stalls_in_the_middle',
      code: 'model_timeout',
      says: /stopped in the middle.*larger idleMs.*NETA_MODEL_IDLE_MS/,
      requests: 1,
      shown: 'and then',
      limits: { idleMs: 60 },
    },
    {
      way: 'drips_comments',
      code: 'model_timeout',
      says: /did not begin its answer within 0.4 s/,
      requests: 1,
      limits: { firstByteMs: 400 },
    },
    {
      way: 'drips_empty_events',
      code: 'model_timeout',
      says: /did not begin its answer within 0.4 s/,
      requests: 1,
      limits: { firstByteMs: 400 },
    },
    { way: 'cuts_a_call_off', code: 'model_bad_response', says: /ended in the middle/, requests: 3 },
    { way: 'sends_a_web_page', code: 'model_bad_response', says: /web page; check the base URL/, requests: 1 },
    { way: 'sends_json_error', code: 'model_unreachable', says: /engine is on fire/, requests: 3 },
    { way: 'sends_other_json', code: 'model_bad_response', says: /no answer of a chat model/, requests: 1 },
    { way: 'sends_error_in_stream', code: 'model_unreachable', says: /Upstream went away/, requests: 3 },
    { way: 'sends_late_error_in_stream', code: 'model_unreachable', says: /Upstream went away/, requests: 1, shown: 'so far so ' },
    {
      way: 'refuses_the_key',
      code: 'model_refused',
      says: /check the API key \(HTTP 401\): Incorrect API key provided: \[key\]$/,
      requests: 1,
    },
    { way: 'knows_no_such_model', code: 'model_refused', says: /check the model name.*`x` does not exist/, requests: 1 },
    { way: 'refuses_the_request', code: 'model_refused', says: /Invalid schema for function/, requests: 1 },
    { way: 'has_no_quota_left', code: 'model_refused', says: /check the plan/, requests: 1 },
    { way: 'limits_the_rate', code: 'model_overloaded', says: /Slow down/, requests: 3 },
    { way: 'asks_to_wait_a_day', code: 'model_overloaded', says: /Come back tomorrow/, requests: 1 },
    { way: 'is_overloaded', code: 'model_overloaded', says: /Overloaded/, requests: 3 },
    { way: 'fails_always', code: 'model_unreachable', says: /^The model server failed \(HTTP 500\): Internal error$/, requests: 3 },
    { way: 'redirects', code: 'model_refused', says: /check the base URL/, requests: 1 },
    { way: 'ends_without_finish', code: 'model_bad_response', says: /ended in the middle/, requests: 1, shown: 'half an ans' },
    { way: 'sends_huge_text', code: 'model_too_large', says: /text has more than 8192 bytes/, requests: 1, shown: 'x'.repeat(8192) },
    { way: 'sends_huge_arguments', code: 'model_too_large', says: /arguments of one tool call/, requests: 1 },
    { way: 'sends_a_huge_line', code: 'model_too_large', says: /in one event/, requests: 1 },
    { way: 'sends_too_many_calls', code: 'model_too_large', says: /more than 32 tool calls/, requests: 1 },
    { way: 'sends_a_wild_index', code: 'model_too_large', says: /tool call index 1000000000/, requests: 1 },
    { way: 'sends_broken_json', code: 'model_bad_response', says: /not valid JSON/, requests: 1 },
    { way: 'sends_nothing_at_all', code: 'model_bad_response', says: /ended in the middle/, requests: 3 },
    { way: 'sends_an_empty_answer', code: 'model_bad_response', says: /it is empty/, requests: 1 },
    { way: 'breaks_its_chunks', code: 'model_unreachable', says: /broke before the answer/, requests: 3 },
    { way: 'speaks_no_http', code: 'model_bad_response', says: /not valid HTTP/, requests: 1 },
  ];

  test.each(rows)('$way: $code', async ({ way, code, says, requests, shown = '', limits }) => {
    const failure = await failAt(broken.baseUrl(way), limits);
    expect({ code: failure.error.code, shown: failure.shown, requests: failure.requests }).toEqual({ code, shown, requests });
    expect(failure.error.message).toMatch(says);
    expect(`${failure.error.message} ${JSON.stringify(failure.error.details)}`).not.toContain(API_KEY);
  });

  test('no server listens: model_unreachable', async () => {
    const { error } = await failAt(await refusedBaseUrl());
    expect([error.code, error.message]).toEqual([
      'model_unreachable',
      'The model server cannot be reached: nothing listens at its address (ECONNREFUSED).',
    ]);
  });

  test('the host name is not known: model_unreachable', async () => {
    const { error } = await failAt('http://nowhere.invalid/v1');
    expect([error.code, error.message]).toEqual(['model_unreachable', expect.stringMatching(/host name/)]);
  });

  test('a TLS handshake that never ends: model_timeout while connecting', async () => {
    const silent = await startSilentTls();
    const { error } = await failAt(silent.baseUrl, { connectMs: 30 });
    expect([error.code, error.message, error.details]).toEqual([
      'model_timeout',
      'No connection to the model server within 0.03 s. A slower server needs a larger connectMs in models.yaml, or NETA_MODEL_CONNECT_MS.',
      { phase: 'connect' },
    ]);
    silent.stop();
  });
});

describe('retries', () => {
  test('a temporary failure is hidden by a retry', async () => {
    const llm = createOpenAiLlm({ baseUrl: broken.baseUrl('fails_once'), model: 'm', limits: TINY });
    const sink = recordingSink();
    expect((await llm.stream(ask('hi'), sink)).message.content).toBe('fine now');
    expect([sink.texts, broken.requests(broken.baseUrl('fails_once'))]).toEqual([['fine now'], 2]);
    llm.close();
  });

  test('Retry-After is honoured, passed on, and capped at the limit', async () => {
    const times: number[] = [];
    const baseUrl = broken.serve(({ response, attempt }) => {
      times.push(performance.now());
      if (attempt > 1) return endEvents(response, [textChunk('ok'), finish('stop')]);
      response.writeHead(503, { 'retry-after-ms': '80' }).end();
    });
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: TINY });
    await llm.stream(ask('hi'), recordingSink());
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(79);
    llm.close();
    expect((await failAt(broken.baseUrl('limits_the_rate'))).error.retryAfterMs).toBe(50);
    expect((await failAt(broken.baseUrl('asks_to_wait_a_day'))).error.retryAfterMs).toBe(60_000);
  });

  test('a Retry-After may be a date', async () => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    const baseUrl = broken.serve(({ response }) => response.writeHead(429, { 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT' }).end());
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: { ...TINY, maxRetries: 0 }, now: () => now });
    await expect(llm.stream(ask('hi'), recordingSink())).rejects.toMatchObject({ code: 'model_overloaded', retryAfterMs: 7_000 });
    llm.close();
  });

  test.each([
    ['5, 7', 5_000],
    ['Tue, 01 Jan 2030 00:00:07 GMT, Tue, 01 Jan 2030 00:00:09 GMT', 7_000],
  ])('the first of several Retry-After counts: %s', async (value, expected) => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    const baseUrl = broken.serve(({ response }) => response.writeHead(429, { 'retry-after': value }).end());
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: { ...TINY, maxRetries: 0 }, now: () => now });
    await expect(llm.stream(ask('hi'), recordingSink())).rejects.toMatchObject({ retryAfterMs: expected });
    llm.close();
  });

  test('a 408 is retried, because servers send it for idle connections', async () => {
    const baseUrl = broken.serve(({ response, attempt }) => {
      if (attempt > 1) return endEvents(response, [textChunk('ok'), finish('stop')]);
      response.writeHead(408).end();
    });
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: TINY });
    expect((await llm.stream(ask('hi'), recordingSink())).message.content).toBe('ok');
    llm.close();
  });

  test('waits grow and are jittered', async () => {
    const times: number[] = [];
    const baseUrl = broken.serve(({ response }) => {
      times.push(performance.now());
      response.writeHead(500).end();
    });
    const llm = createOpenAiLlm({ baseUrl, model: 'm', limits: { ...TINY, retryBaseMs: 40 }, random: () => 0 });
    await expect(llm.stream(ask('hi'), recordingSink())).rejects.toMatchObject({ code: 'model_unreachable' });
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(19);
    expect(third - second).toBeGreaterThanOrEqual(39);
    llm.close();
  });
});

test('an answer truncated by its length keeps its text and drops its incomplete call', async () => {
  const llm = createOpenAiLlm({ baseUrl: broken.baseUrl('cuts_a_call'), model: 'm' });
  const { message, finishReason } = await llm.stream(ask('hi'), recordingSink());
  expect({ message, finishReason }).toEqual({ message: { role: 'assistant', content: 'I will ' }, finishReason: 'length' });
  llm.close();
});

describe('the API key in error texts of a server', () => {
  const messageOf = async (apiKey: string, text: string) => {
    const baseUrl = broken.serve(({ response }) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: text } })),
    );
    const llm = createOpenAiLlm({ apiKey, baseUrl, model: 'm', limits: TINY });
    const thrown = await llm.stream(ask('hi'), recordingSink()).catch((error: unknown) => error);
    llm.close();
    return (thrown as AppError).message.replace(/^.*?HTTP 400\): /, '');
  };

  test.each([
    ['k', 'Unknown key k in the kind of request', 'Unknown key k in the kind of request'],
    ['k', 'Bad key: k, header Bearer k, api_key=k&x', 'Bad key: [key], header Bearer [key], api_key=[key]&x'],
    ['none', 'none of the models', 'none of the models'],
    ['local-key-1', 'The key local-key-1 is wrong', 'The key [key] is wrong'],
    ['local-key-1', 'The model local-key-12 is wrong', 'The model local-key-12 is wrong'],
    ['a+b(c)*d.e', 'got "a+b(c)*d.e"', 'got "[key]"'],
  ])('%s is hidden as a whole token: %s', async (apiKey, text, expected) => {
    expect(await messageOf(apiKey, text)).toBe(expected);
  });
});
