/** Turns errors that a model server reports, with any status, into AppErrors with a `model_*` code and the server's own words. */
import { AppError, type ErrorCode } from '../../errors';
import type { WireTool } from '../../port/llm';
import { clipStart } from '../../utils/clip_text';
import { definedFields } from '../../utils/defined_fields';
import { readServerError, type ServerError } from './error_shapes';
import { inBoth, LastingError, PassingError, type ResponseHeaders, StatusError, type Text } from './model_errors';
import { toldWindow } from './overflow_words';
import { type Meaning, meaningOf } from './refusal_meaning';
import { retryAfterMs, toldWaitMs } from './retry_after';
import { refusedTools } from './tool_refusal';

/** The key to hide in error texts, and the time that Retry-After dates are compared with. */
export interface ErrorContext {
  apiKey: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
  maxRetryAfterMs: number;
  /** The tools of the request, which a server names by their place. */
  tools?: readonly WireTool[];
}

const MAX_SERVER_TEXT = 300;
/** A shorter key, such as the `x` or `none` of local servers, is hidden only after `Bearer`, `=` or `:`. */
const LEAST_PLAIN_KEY = 8;

/** Converts what a call threw into an AppError with a `model_*` code. */
export function toModelError(thrown: unknown, context: ErrorContext): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!(thrown instanceof StatusError)) return new AppError('internal', { cause: thrown });
  const { status, headers, text } = thrown;
  return toRefusal(readServerError(text), context, { status, headers });
}

/** Converts an error that came with status 200, alone or inside the stream. `error`: a text or JSON. */
export const toStreamedError = (error: unknown, context: ErrorContext): AppError => toRefusal(readServerError(error), context);

function toRefusal(error: ServerError, context: ErrorContext, response?: { status: number; headers: ResponseHeaders }): AppError {
  // A proxy that fails with 500 may quote the status of the server behind it, so a quoted status counts then.
  const status = response && (response.status < 500 || error.status === undefined) ? response.status : error.status;
  const meaning = meaningOf(error, status);
  const code = codeOf(meaning, status);
  const told = retryAfterMs(response?.headers ?? {}, context.now) ?? error.waitMs ?? toldWaitMs(error.words);
  const wait = code === 'model_overloaded' ? told : undefined;
  const details = definedFields({ status: response?.status, ...detailsOf(meaning, error, context) });
  const advice = response || !VAGUE.has(meaning) ? adviceFor(meaning, response?.status) : REPORTED;
  // No cause: the server may quote the key.
  return new (errorClassOf(response?.status, meaning, wait, context.maxRetryAfterMs))(code, {
    ...withText(advice, behind(shownWords(error.words, context)), response?.status),
    retryAfterMs: wait === undefined ? undefined : Math.min(wait, context.maxRetryAfterMs),
    details: Object.keys(details).length > 0 ? details : undefined,
  });
}

/** Meanings about which an answer with status 200 says no more than that there was an error. */
const VAGUE: ReadonlySet<Meaning> = new Set(['timeout', 'server', 'request', 'unknown']);
/** The key, the account, the model name or the address is wrong, not the content of the request. */
const OF_ENDPOINT: ReadonlySet<Meaning> = new Set(['key', 'balance', 'model', 'moved']);

function detailsOf(meaning: Meaning, error: ServerError, context: ErrorContext): Record<string, unknown> {
  if (OF_ENDPOINT.has(meaning)) return { fault: 'endpoint' };
  if (meaning === 'tool') return { reason: 'tool_refused', tools: refusedTools(error, context.tools ?? []) };
  if (meaning !== 'too_long') return {};
  const contextTokens = toldWindow(error);
  const said = shownWords(error.words, context);
  return { reason: 'context_length', contextTokens, said: said || undefined };
}

function codeOf(meaning: Meaning, status: number | undefined): ErrorCode {
  if (meaning === 'rate' || meaning === 'overloaded') return 'model_overloaded';
  if (meaning === 'timeout') return status === 408 ? 'model_timeout' : 'model_unreachable';
  if (meaning === 'server') return 'model_unreachable';
  return meaning === 'unknown' ? 'model_bad_response' : 'model_refused';
}

/** Proxies say so about a model server that has not answered for a minute: a repetition would begin from the start. */
const SLOW_SERVER: ReadonlySet<number | undefined> = new Set([504, 524]);

/** A server sends 408 also when a kept connection was idle for too long (RFC 9110, 15.5.9). */
const errorClassOf = (status: number | undefined, meaning: Meaning, wait: number | undefined, maxWait: number): typeof AppError =>
  SLOW_SERVER.has(status)
    ? LastingError
    : meaning === 'timeout'
      ? PassingError
      : wait !== undefined && wait > maxWait
        ? LastingError
        : AppError;

const REPORTED: Text = ['The model server reported an error', '模型服务器报告了错误'];
const OVERLOADED: Text = ['The model server is overloaded or limits the rate', '模型服务器过载或限制了请求速率'];
const CHECK_MODEL: Text = ['check the model name and what it supports', '请检查模型名称及其支持的功能'];
const SENTENCES: Readonly<Partial<Record<Meaning, Text>>> = {
  too_long: ['The conversation is too long for the model', '对话对模型来说太长'],
  rate: OVERLOADED,
  overloaded: OVERLOADED,
  timeout: ['The model server waited too long for something', '模型服务器等待超时'],
  server: ['The model server failed', '模型服务器出错'],
  moved: ['The model server points to another address: check the base URL', '模型服务器指向另一个地址：请检查基础地址'],
};
/** Stand behind "The model server refused the request". */
const CHECKS: Readonly<Partial<Record<Meaning, Text>>> = {
  key: ['check the API key', '请检查 API 密钥'],
  balance: ['check the plan and the billing of the account', '请检查账户的套餐和计费'],
  model: ['check the model name and the base URL', '请检查模型名称和基础地址'],
  tool: ['it does not take the definition of a tool', '它不接受某个工具的定义'],
};
const STATUS_CHECKS: Readonly<Record<number, Text>> = {
  402: ['check the credit of the account', '请检查账户余额'],
  403: ['check what the API key may use', '请检查 API 密钥的权限'],
  413: ['the conversation is too large for it', '对话对它来说太大'],
};

function adviceFor(meaning: Meaning, status: number | undefined): Text {
  const sentence = SENTENCES[meaning];
  if (sentence) return sentence;
  const [en, zhCN] = STATUS_CHECKS[status ?? 0] ?? CHECKS[meaning] ?? CHECK_MODEL;
  return [`The model server refused the request: ${en}`, `模型服务器拒绝了请求：${zhCN}`];
}

/** Puts the server's words behind our sentence; they stay in the server's language. `text`: made by `behind`. */
function withText([en, zhCN]: Text, text: string, status?: number) {
  const [httpEn, httpZh] = status === undefined ? ['', ''] : [` (HTTP ${status})`, `（HTTP ${status}）`];
  return inBoth([`${en}${httpEn}${text}`, `${zhCN}${httpZh}${text === '.' ? '。' : text.replace(/^: /, '：')}`]);
}

/** Returns the text behind our sentence: the server's words, or a full stop when there are none. */
function behind(words: string): string {
  return words === '' ? '.' : `: ${words}`;
}

/** Formats the server's words as one short line without keys. */
function shownWords(words: string, { apiKey }: ErrorContext): string {
  const hidden = apiKey ? hideKey(words, apiKey) : words;
  // Servers quote keys back, often with stars in the middle.
  const line = hidden.replace(/\bsk-[\w*.-]{4,}/g, '[key]').toWellFormed();
  return line.length > MAX_SERVER_TEXT ? `${clipStart(line, MAX_SERVER_TEXT - 3)}...` : line;
}

/** Replaces the key in the text. A short key may be an ordinary word, so it is replaced only after `Bearer`, `=` or `:`. */
function hideKey(text: string, apiKey: string): string {
  const key = apiKey.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const before = apiKey.length >= LEAST_PLAIN_KEY ? '(?<![\\w-])' : '(?<=(?:\\bBearer\\s{1,4}|[=:]\\s{0,4})["\']?)';
  return text.replace(new RegExp(`${before}${key}(?![\\w-])`, 'g'), '[key]');
}
