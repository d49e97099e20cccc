import { readServerError, reportedError } from '../../../src/adapter/openai/error_shapes';

describe('readServerError', () => {
  test.each<[string, unknown, string]>([
    ['an object', { error: { message: 'Too bad.' } }, 'Too bad.'],
    ['a list', [{ error: { code: 400, message: 'Unknown name "seed".', status: 'INVALID_ARGUMENT' } }], 'Unknown name "seed".'],
    ['a text as the error', { error: 'Too bad.' }, 'Too bad.'],
    ['a message alone', { message: 'Too bad.', request_id: 'r' }, 'Too bad.'],
    ['a detail', { detail: 'Not enough credits' }, 'Not enough credits'],
    [
      'the problems of FastAPI',
      { detail: [{ loc: ['body', 'top_k'], msg: 'Input should be 1', type: 'x' }] },
      'body.top_k: Input should be 1',
    ],
    ['a list of errors', { errors: [{ message: 'One.' }, { message: 'Two.' }] }, 'One.; Two.'],
    ['a list of texts', { errors: ['One.', 'Two.'] }, 'One.; Two.'],
    ['problems by field', { title: 'Invalid', errors: { model: ['is unknown'] } }, 'is unknown; Invalid'],
    ['MiniMax', { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'insufficient balance'],
    ['Baidu', { error_code: 17, error_msg: 'Open api daily request limit reached' }, 'Open api daily request limit reached'],
    ['Tencent', { Response: { Error: { Code: 'LimitExceeded', Message: 'Too many.' }, RequestId: 'r' } }, 'Too many.'],
    ['iFlytek', { header: { code: 10013, message: 'Input refused.', sid: 's' } }, 'Input refused.'],
    ['a short name', { err: 'Too bad.', choices: null }, 'Too bad.'],
    ['JSON in a message', { error: { message: '{"error":{"message":"Inner.","code":400}}' } }, 'Inner.'],
    ['JSON behind words', { message: 'litellm.BadRequestError: - {"error":{"message":"Inner."}}' }, 'litellm.BadRequestError; Inner.'],
    ['brackets in a sentence', { message: 'Expected one of [1, 2].' }, 'Expected one of [1, 2].'],
    ['braces without words', { message: 'Bad field {"a":1}' }, 'Bad field {"a":1}'],
    [
      'the metadata of OpenRouter',
      { error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"Real reason."}}' } } },
      'Provider returned error; Real reason.',
    ],
    ['a web page', '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>', '502 Bad Gateway'],
    ['a page without a title', '<html><body><script>x()</script><p>Gone &amp; away</p></body></html>', 'Gone & away'],
    ['XML', '<?xml version="1.0"?><Error><Code>A</Code><Message>Denied</Message></Error>', 'A Denied'],
    ['a plain text', 'upstream connect\n error', 'upstream connect error'],
    ['JSON that was cut', '{"error":{"message":"It is \\"too\\" bad","code":"x', 'It is "too" bad'],
    ['nothing', '', ''],
    ['no words', { hello: 'world' }, ''],
  ])('reads the words of %s', (_, body, words) => {
    expect([readServerError(body).words, readServerError(JSON.stringify(body)).words]).toEqual([words, words]);
  });

  test('reads codes, status, field and window', () => {
    const error = { code: 400, type: 'Exceed', param: 'messages', n_ctx: 4096, details: [{ reason: 'API_KEY_INVALID' }] };
    expect(readServerError({ error })).toEqual({
      words: '',
      kind: '400 exceed api_key_invalid',
      status: 400,
      param: 'messages',
      contextTokens: 4096,
    });
  });

  test('reads a deep or a huge error in a bounded time', () => {
    const deep = `${'{"error":'.repeat(2_000)}"x"${'}'.repeat(2_000)}`;
    expect(readServerError(deep).words).toBe('');
    expect(readServerError({ message: `${'[{'.repeat(50_000)}` }).words.length).toBeLessThanOrEqual(2_000);
  });
});

describe('reportedError', () => {
  test.each<[Record<string, unknown>, boolean]>([
    [{ object: 'error', message: 'x', code: 400 }, true],
    [{ Response: { Error: { Code: 'A', Message: 'b' } } }, true],
    [{ header: { code: 10013, message: 'x' } }, true],
    [{ header: { code: 0, message: 'Success' } }, false],
    [{ err: 'x', choices: null }, true],
    [{ type: 'error', error: { message: 'x' } }, true],
    [{ choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }, true],
    [{ choices: [{ delta: {} }], base_resp: { status_code: 0, status_msg: 'success' } }, false],
    [{ choices: [{ index: 0, finish_reason: 'error', error: { code: 502, message: 'x' } }] }, true],
    [{ error_code: 17, error_msg: 'x' }, true],
    [{ code: 'Throttling', message: 'x' }, true],
    [{ success: false, msg: 'x' }, true],
    [{ errors: ['x'] }, true],
    [{ code: 0, message: 'ok' }, false],
    [{ message: 'welcome' }, false],
    [{ hello: 'world' }, false],
    [{ error: null, choices: [] }, false],
    [{ type: 'ping' }, false],
  ])('%j: %s', (answer, isError) => {
    expect(reportedError(answer) !== undefined).toBe(isError);
  });
});
