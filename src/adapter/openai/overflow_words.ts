/** Recognises that a request was longer than the context window, and reads the window that the server names. */
import type { ServerError } from './error_shapes';

const KIND =
  /context_length|context_window|exceed_context|(?:prompt|input)_too_long|request_too_large|string_above_max_length|max_(?:prompt|input)_length/;

/** Words of OpenAI, Anthropic, Gemini, xAI, Kimi, GLM, Qwen, DeepSeek, Mistral, Bedrock, Cohere, Groq, Together, Copilot, vLLM, SGLang, TGI, llama.cpp, Ollama and LM Studio. */
const WORDS: readonly RegExp[] = [
  /context[ _-]?(?:length|size|window|limit)/i,
  /max(?:imum)?[ _](?:model|prompt|input|sequence|context)[ _](?:length|size|len\b|tokens)/i,
  /(?:prompt|inputs?|messages?|conversation|history|query) (?:is |are |was )?too (?:long|large)/i,
  /(?:prompt|input)\b.{0,40}\b(?:exceed\w*|longer than|over)\b.{0,40}\b(?:length|limit|max\w*|tokens?|window)/i,
  /reduce (?:the )?(?:length|size|number of tokens)|shorten (?:the |your )?(?:prompt|input|messages|conversation)/i,
  /(?:prompt|input|request|messages?)\b.{0,40}\btokens?\b.{0,40}\b(?:limit|max\w*|allow\w*|window|capacity|supports?)\b.{0,30}\d/i,
  /maximum number of (?:input )?tokens|(?:input|prompt) token (?:count|limit)|token (?:limit|count)\b.{0,20}\bexceed|exceed\w*\b.{0,30}\btoken (?:limit|count)/i,
  /too many (?:input |prompt |total )*(?:tokens|text bytes)|total number of tokens/i,
  /range of input length|too large for model with|tokens?`? \+ `?max_new_tokens|`?inputs`? must have less than/i,
  /(?:上下文|提示词|输入|对话|消息|请求|prompt|tokens?)[^。；]{0,20}(?:过长|超长|太长|超过|超出|超限)/i,
];

/** Words of the status 413 in proxies. */
const TOO_LARGE = /^$|too (?:large|long|big)|413/i;

/**
 * Words of a limited rate that mean a request too large: even the whole rate is less than such a request, so the request must become shorter,
 * whatever its status.
 */
const LARGER_THAN_A_RATE = /request too large for|must be reduced in order to run/i;

/** `status`: of the response, or the one that the error names. */
export function isOverflow({ kind, words }: ServerError, status: number | undefined): boolean {
  if (LARGER_THAN_A_RATE.test(words)) return true;
  if (status !== undefined && OTHER_MATTER.has(status)) return false;
  return KIND.test(kind) || (status === 413 && TOO_LARGE.test(words)) || WORDS.some(pattern => pattern.test(words));
}

/** Statuses about keys, credit, names or rates. Their words are not searched: limits of a rate are told in tokens, too. */
const OTHER_MATTER: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

/** A number with separators between groups of three digits, or with a letter for thousands or millions. */
const NUMBER = String.raw`(?<![\d.,])(\d{1,3}(?:[,._'’ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:\.\d+)?)(\s?[kKmM](?![A-Za-z]))?`;
const GAP = String.raw`[^\d;]{0,40}?`;
/** The words with which servers name the window, the surest first: several numbers may stand in one sentence. */
const WINDOWS: readonly RegExp[] = [
  `[>＞≤]\\s*=?${GAP}${NUMBER}|<=\\s*${NUMBER}`,
  `range of input length${GAP}\\[\\s*\\d+\\s*,\\s*${NUMBER}`,
  `(?:\\bmax(?:imum)?(?:_model_len|_context_length|_input_tokens)?\\b|(?<!exceeds )limit\\b|allowed|supports?|at most|up to|cannot exceed|less than|only|最大|最多|上限|限制|不能超过|不得超过)(${GAP})${NUMBER}`,
  `${NUMBER}(?:\\s*-?\\s*tokens?)?\\s*(?:max|limit|context)`,
  `(?:context[ _-]?(?:length|size|window)|n_ctx|上下文(?:长度|窗口))(${GAP})${NUMBER}`,
].map(source => new RegExp(source, 'gi'));

/** Words between "window" and a number which mean that the number is the size of the request, or the excess. */
const NOT_THE_WINDOW =
  /request|exceeds limit|got\b|given|gave|sent|actual|received|result|contain|\bby\b|your|has\b|have\b|当前|实际|请求|本次/i;
/** Words behind a number which mean that it does not count tokens. */
const NOT_TOKENS = /^\s*(?:bytes?|characters?|chars?|[kmg]i?b\b|字节|字符|字\b|messages?|images?)/i;
/** No model has fewer or more. */
const PLAUSIBLE = { least: 256, most: 100_000_000 };

/** Returns the context window in tokens that the error names; undefined when it names none. */
export function toldWindow({ words, contextTokens }: ServerError): number | undefined {
  if (contextTokens !== undefined) return contextTokens;
  for (const pattern of WINDOWS) {
    for (const match of words.matchAll(pattern)) {
      const parts = match.slice(1).filter(part => part !== undefined);
      const at = parts.findIndex(part => /^\d/.test(part));
      const gap = parts.slice(0, Math.max(0, at)).join('');
      const behind = words.slice(match.index + match[0].length);
      if (at < 0 || NOT_THE_WINDOW.test(gap) || NOT_TOKENS.test(behind)) continue;
      const tokens = toNumber(parts[at] ?? '', parts[at + 1]);
      if (tokens >= PLAUSIBLE.least && tokens <= PLAUSIBLE.most) return tokens;
    }
  }
  return undefined;
}

function toNumber(digits: string, unit: string | undefined): number {
  const isGrouped = /^\d{1,3}(?:[^\d]\d{3})+$/.test(digits) && unit === undefined;
  const value = Number(isGrouped ? digits.replace(/\D/g, '') : digits.replace(',', '.'));
  const factor = unit === undefined ? 1 : /k/i.test(unit) ? 1_000 : 1_000_000;
  return Math.floor(value * factor);
}
