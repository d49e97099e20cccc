/** Errors of model servers over real HTTP: what they mean, and whose words reach the person. */
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import { AppError } from '../../../src/errors';
import type { WireTool } from '../../../src/port/llm';
import { mayFallBack } from '../../../src/port/model_failures';
import { type BrokenModel, endEvents, startBrokenModel, textChunk } from '../../support/broken_model';
import { ask, recordingSink } from './ask';

let broken: BrokenModel;
beforeAll(async () => {
  broken = await startBrokenModel();
});
afterAll(() => broken.stop());

const tools: WireTool[] = ['list_dir', 'cal__book', 'cal__find'].map(name => ({
  type: 'function',
  function: { name, description: 'x', parameters: { type: 'object', properties: {} } },
}));

/** `body`: an object is sent as JSON; a list of texts as a stream of events. */
async function failWith(status: number, body: unknown) {
  const baseUrl = broken.serve(({ response }) => {
    if (Array.isArray(body) && typeof body[0] === 'string') return response.writeHead(status).end(body.join(''));
    return response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const llm = createOpenAiLlm({ apiKey: 'k-12345678', baseUrl, model: 'm', limits: { retryBaseMs: 1, maxRetries: 1 } });
  const thrown: unknown = await llm.stream(ask('hi', { tools }), recordingSink()).catch((error: unknown) => error);
  llm.close();
  if (!(thrown instanceof AppError)) throw new Error(`expected an AppError, got ${JSON.stringify(thrown)}`);
  return { error: thrown, requests: broken.requests(baseUrl) };
}

const event = (data: unknown, name?: string) =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const key = { code: 'model_refused', details: { fault: 'endpoint' } };
const rate = { code: 'model_overloaded' };
const tooLong = (contextTokens?: number) => ({
  code: 'model_refused',
  details: { reason: 'context_length', said: expect.any(String), ...(contextTokens && { contextTokens }) },
});
const toolRefused = (...names: string[]) => ({ code: 'model_refused', details: { reason: 'tool_refused', tools: names } });

type Row = [string, number, unknown, RegExp, object, number?];

/** Name, status, body, the server's words, the error, and how often the server is asked when it is not once. */
const ROWS: Row[] = [
  [
    'a wrong key in a list',
    400,
    [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
    /API key not valid\.$/,
    key,
  ],
  ['a key code in the details', 400, { error: { message: 'Nope.', details: [{ reason: 'API_KEY_INVALID' }] } }, /Nope/, key],
  ['a key that is refused with 500', 500, { message: 'Incorrect API key provided' }, /Incorrect API key/, key],
  ['a Chinese key error', 400, { error: { code: '1000', message: '身份验证失败。' } }, /身份验证失败/, key],
  ['a key in a page', 403, '<html><title>403 Forbidden</title></html>', /403 Forbidden/, key],
  [
    'an empty balance of MiniMax in JSON',
    200,
    { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    /insufficient balance/,
    key,
  ],
  [
    'a daily limit of Baidu',
    200,
    { error_code: 17, error_msg: 'Open api daily request limit reached' },
    /daily request limit reached/,
    key,
  ],
  ['an empty balance with 429', 429, { error: { message: '您的账户已欠费' } }, /已欠费/, key],
  ['an empty balance with 400', 400, { detail: 'Not enough credits' }, /Not enough credits/, key],
  ['an unknown model with 400', 400, { error: { message: 'The model `x` does not exist.' } }, /does not exist/, key],
  ['an unknown model in Chinese', 400, { error: { code: '1211', message: '模型不存在，请检查模型代码。' } }, /模型不存在/, key],
  ['a rate limit with 429 in a plain text', 429, 'slow down please', /slow down please/, rate, 2],
  [
    'a rate limit of MiniMax in an event',
    200,
    [event({ choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit reached' } })],
    /rate limit reached/,
    rate,
    2,
  ],
  ['a rate limit of Baidu in JSON', 200, { error_code: 18, error_msg: 'Open api qps request limit reached' }, /qps request limit/, rate, 2],
  ['a rate limit in a plain text with 200', 200, 'Too many requests, try again.', /Too many requests/, rate, 2],
  ['an error event', 200, [event({ message: '请求过于频繁' }, 'error')], /请求过于频繁/, rate, 2],
  ['an error event with a plain text', 200, [event('rate limit exceeded', 'error')], /rate limit exceeded/, rate, 2],
  [
    'a full server in a choice',
    200,
    [event({ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 503, message: 'Busy.' } }] })],
    /Busy/,
    rate,
    2,
  ],
  ['a 500 around a 429', 500, { error: { message: 'Upstream said no', code: 429 } }, /Upstream said no/, rate, 2],
  [
    'an upstream timeout in a choice',
    200,
    [
      event({
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'Upstream idle timeout' } }],
      }),
    ],
    /Upstream idle timeout/,
    { code: 'model_unreachable' },
    2,
  ],
  [
    'an object "error" of vLLM',
    200,
    [event({ object: 'error', message: 'No free memory', type: 'BadRequestError', code: 400 })],
    /No free memory/,
    { code: 'model_refused' },
  ],
  ['a code and a message alone', 200, { code: 'InvalidParameter', message: 'Bad seed.' }, /Bad seed/, { code: 'model_refused' }],
  ['a text as the error', 200, { error: 'something odd' }, /something odd/, { code: 'model_bad_response' }],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 30000 but the request contains 61234 tokens.",
    },
    /61234/,
    tooLong(30_000),
  ],
  ['nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>', /Request Entity Too Large/, tooLong()],
  [
    'a rate that the request alone exceeds',
    429,
    { error: { message: 'Request too large for m on tokens per min (TPM): Limit 10,000, Requested 12,000.', code: 'rate_limit_exceeded' } },
    /Limit 10,000/,
    tooLong(10_000),
  ],
  [
    'an overflow in an event',
    200,
    [event({ error: { message: 'The context window of 8k tokens is full' } })],
    /window of 8k/,
    tooLong(8_000),
  ],
  [
    'an overflow of llama.cpp with 500',
    500,
    { error: { code: 500, message: 'Context size has been exceeded.' } },
    /has been exceeded/,
    tooLong(),
  ],
  [
    'a tool by name',
    400,
    { error: { message: "Invalid schema for function 'cal__book': array schema missing items.", param: 'tools[1].function.parameters' } },
    /missing items/,
    toolRefused('cal__book'),
  ],
  [
    'tools by the places of Gemini',
    400,
    [
      {
        error: {
          message:
            "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[2].parameters': Cannot find field.\nInvalid value at 'tools[0].function_declarations[1].parameters'",
        },
      },
    ],
    /Cannot find field/,
    toolRefused('cal__find', 'cal__book'),
  ],
  [
    'a tool by the place of Anthropic',
    400,
    { error: { message: 'tools.2.custom.input_schema: JSON schema is invalid.' } },
    /JSON schema is invalid/,
    toolRefused('cal__find'),
  ],
  [
    'a tool by the place of FastAPI',
    422,
    { detail: [{ loc: ['body', 'tools', 1, 'function', 'parameters'], msg: 'Input should be a valid dictionary' }] },
    /valid dictionary/,
    toolRefused('cal__book'),
  ],
  [
    'a tool by the field',
    400,
    { error: { message: 'string too long', code: 'string_above_max_length', param: 'tools[2].function.description' } },
    /string too long/,
    toolRefused('cal__find'),
  ],
  [
    'an unknown parameter',
    400,
    { errors: [{ message: "Unknown parameter: 'timeout'" }] },
    /Unknown parameter: 'timeout'/,
    { code: 'model_refused' },
  ],
];

describe('an error of a model server', () => {
  test.each(ROWS)('%s', async (_, status, body, words, expected, requests = 1) => {
    const failure = await failWith(status, body);
    expect({ ...failure.error, requests: failure.requests }).toMatchObject({ ...expected, requests });
    expect(failure.error.message).toMatch(words);
    expect(failure.error.messageZh).toMatch(words);
  });

  test('lets another model answer when the key, the account or the model is wrong, and for no other refusal', async () => {
    expect(mayFallBack((await failWith(400, [{ error: { message: 'API key not valid.' } }])).error)).toBe(true);
    expect(mayFallBack((await failWith(400, { error: { message: 'Bad seed.' } })).error)).toBe(false);
  });

  test('says what to check, whatever the status', async () => {
    const says = async (body: unknown, status = 400) => (await failWith(status, body)).error.message;
    expect(await says({ message: 'API key not valid.' })).toBe(
      'The model server refused the request: check the API key (HTTP 400): API key not valid.',
    );
    expect(await says({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 200)).toBe(
      'The model server refused the request: check the plan and the billing of the account: insufficient balance',
    );
  });

  test('waits as long as its words ask, because an answer with status 200 has no header for it', async () => {
    const { error } = await failWith(200, { error: { message: 'Rate limit reached. Please try again in 20ms.' } });
    expect(error.retryAfterMs).toBe(20);
  });

  test('clips long words and hides the key in them', async () => {
    const { error } = await failWith(400, { detail: `Bad key k-12345678 ${'x'.repeat(900)}` });
    expect(error.message).toMatch(/Bad key \[key\] x+\.\.\.$/);
    expect(error.message.length).toBeLessThan(420);
  });

  test('behind a part of an answer ends that answer', async () => {
    const baseUrl = broken.serve(({ response }) =>
      endEvents(response, [textChunk('so '), { object: 'error', message: 'Gone.', code: 400 }]),
    );
    const llm = createOpenAiLlm({ baseUrl, model: 'm' });
    await expect(llm.stream(ask('hi'), recordingSink())).rejects.toThrow('Gone.');
    llm.close();
  });
});
