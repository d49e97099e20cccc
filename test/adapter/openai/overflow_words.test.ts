import { readServerError } from '../../../src/adapter/openai/error_shapes';
import { isOverflow, toldWindow } from '../../../src/adapter/openai/overflow_words';

/** Sentences of servers that mean "too long", and the window that each one names. */
const SENTENCES: Array<[words: string, window: number | undefined, status?: number]> = [
  [
    "This model's maximum context length is 8192 tokens. However, you requested 10346 tokens (10346 in your prompt; 5 for the completion).",
    8192,
  ],
  ["This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).", 32_768],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', undefined],
  ['prompt is too long: 213462 tokens > 200000 maximum', 200_000],
  ['input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens`', 200_000],
  ['The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).', 1_048_575],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
  ['Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)', 262_144],
  ['Prompt exceeds max length', undefined],
  ['<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]', 983_616],
  ['Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length', 131_072],
  ['Input is too long for requested model.', undefined],
  ['The model returned the following errors: too many total text bytes', undefined],
  ["The input (233864 tokens) is longer than the model's context length (202752 tokens).", 202_752],
  ["Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 9000 tokens.", 4_096],
  ['Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 59_862],
  ['Input length 300000 exceeds the maximum allowed input length of 262144 tokens.', 262_144],
  ['The decoder prompt (length 7000) is longer than the maximum model length of 6000. Make sure that max_model_len is no smaller.', 6_000],
  [
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`',
    2_048,
  ],
  ['request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4_096],
  ['prompt too long; exceeded max context length by 1200 tokens', undefined],
  ['tokens to keep from the initial prompt is greater than the context length', undefined],
  ['Prompt has 70000 tokens, but the configured context size is 65536 tokens', 65_536],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 7000. Try using a shorter prompt.', 4_081],
  ['prompt token count of 130000 exceeds the limit of 128000', 128_000],
  ['invalid params, context window exceeds limit (2013)', undefined],
  ['Please reduce the length of the messages or completion.', undefined],
  ['Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000.', 10_000, 429],
  ['Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7321, please reduce your message size.', 6_000, 413],
  ['<html><head><title>413 Request Entity Too Large</title></head></html>', undefined, 413],
  ['prompt has 9,999 tokens, the limit is 4,096 tokens', 4_096, 500],
  ['The request contains 70000 tokens but this server supports 32768', 32_768],
  ['input of 12345 tokens; the model allows at most 8192', 8_192, 500],
  ['输入过长，最大支持 8192 个 tokens，当前 9000', 8_192],
  ['请求的上下文长度超过模型上限 131072', 131_072],
  ['prompt 长度超出限制', undefined],
  ['对话 tokens 超过最大长度 32768', 32_768],
];

/** The same window, as people and locales write it. */
const NUMBERS = [
  '128000',
  '128,000',
  '128.000',
  '128 000',
  '128\u00a0000',
  '128\u202f000',
  '128_000',
  "128'000",
  '128k',
  '128K',
  '128 k',
  '0.128M',
];

describe('isOverflow', () => {
  test.each(SENTENCES)('%s', (words, window, status = 400) => {
    const error = readServerError(words);
    expect([isOverflow(error, status), toldWindow(error)]).toEqual([true, window]);
  });

  test.each<[string, number?]>([
    ["Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead."],
    ['max_tokens is too large: 100000. This model supports at most 16384 completion tokens.'],
    ['Range of max_tokens should be [1, 8192]'],
    ["Unknown parameter: 'seed'."],
    ['Rate limit reached: reduce the length of the messages', 429],
    ['The context length plan is not paid for', 402],
  ])('is no overflow: %s', (words, status = 400) => {
    expect(isOverflow(readServerError(words), status)).toBe(false);
  });
});

describe('toldWindow', () => {
  test.each(NUMBERS)('reads "%s"', written => {
    const words = `This model has a maximum context length of ${written} tokens. Your messages have 140,000 tokens.`;
    expect(toldWindow(readServerError(words))).toBe(128_000);
  });

  test.each([
    ['maximum context length is 1M tokens, you sent 1,200,000', 1_000_000],
    ['the limit is 1,048,576 tokens, got 1,100,000', 1_048_576],
    ['You sent 140,000 tokens; the context window is 128,000', 128_000],
    ['Request exceeds the maximum size of 33554432 bytes', undefined],
    ['Request exceeds the maximum size of 32 MB', undefined],
    ['context length exceeded: requested 10346, maximum 8192', 8_192],
  ])('%s', (words, window) => {
    expect(toldWindow(readServerError(words))).toBe(window);
  });
});
