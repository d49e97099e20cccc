import { AppError, type ErrorCode } from '../../errors';
import { isRecord } from './json_value';

/** The timeout that fired. */
export type ModelPhase = 'connect' | 'first_byte' | 'idle' | 'whole';

/** Names in lower case. */
type ResponseHeaders = Readonly<Record<string, string>>;

/** The server answered with a status other than 2xx. */
export class StatusError extends Error {
  /** `text`: the beginning of the body. */
  constructor(
    readonly status: number,
    readonly headers: ResponseHeaders,
    readonly text: string,
  ) {
    super(`HTTP ${status}`);
  }
}

/** The server sent bytes that are not an HTTP response. `what`: a noun phrase. */
export class InvalidHttpError extends Error {
  constructor(what: string) {
    super(`The server sent ${what}, which is not valid HTTP.`);
  }
}

/** The key to hide in error texts, and the time that Retry-After dates are compared with. */
export interface ErrorContext {
  apiKey: string | undefined;
  /** Milliseconds since 1970. */
  now: number;
  maxRetryAfterMs: number;
}

/** An error that is usually temporary, in a case where a retry cannot succeed. */
class LastingError extends AppError {}

/** An error that is usually permanent, in a case where a retry often succeeds. */
class PassingError extends AppError {}

const MAX_SERVER_TEXT = 300;
/** A shorter key, such as the `x` or `none` of local servers, is hidden only after `Bearer`, `=` or `:`. */
const LEAST_PLAIN_KEY = 8;
const MAX_READ_UNITS = 2_000;

const PHASE_TEXT: Record<ModelPhase, (seconds: number) => Text> = {
  connect: seconds => [`No connection to the model server within ${seconds} s.`, `${seconds} 秒内未能连接到模型服务器。`],
  first_byte: seconds => [
    `The model server accepted the request but sent nothing within ${seconds} s.`,
    `模型服务器接受了请求，但 ${seconds} 秒内没有发送任何内容。`,
  ],
  idle: seconds => [
    `The model server stopped in the middle of its answer and added nothing to it for ${seconds} s.`,
    `模型服务器在回答中途停住，${seconds} 秒内没有新的内容。`,
  ],
  whole: seconds => [`The model call took longer than its limit of ${seconds} s.`, `模型调用超过了 ${seconds} 秒的时限。`],
};

/** One sentence or clause in English and in Chinese. */
export type Text = readonly [en: string, zhCN: string];

const inBoth = ([message, messageZh]: Text) => ({ message, messageZh });
/** A clause in English alone stays without a Chinese sentence around it: it goes to the log, and no person reads it. */
const around = (clause: string | Text, [en, zhCN]: readonly [(what: string) => string, (what: string) => string]) =>
  typeof clause === 'string' ? { message: en(clause) } : { message: en(clause[0]), messageZh: zhCN(clause[1]) };

const UNUSABLE = [
  (what: string) => `The model server sent an answer that cannot be used: ${what}.`,
  (what: string) => `模型服务器的回答无法使用：${what}。`,
] as const;
const OVER_LIMITS = [
  (what: string) => `The answer of the model is over the limits: ${what}.`,
  (what: string) => `模型的回答超过了限制：${what}。`,
] as const;

/** Creates `model_timeout`; `details.phase` names the timeout. */
export const timeoutError = (phase: ModelPhase, limitMs: number): AppError =>
  new AppError('model_timeout', { ...inBoth(PHASE_TEXT[phase](limitMs / 1000)), details: { phase } });

/** `what`: a clause. */
export const badResponse = (what: string | Text, cause?: unknown): AppError =>
  new AppError('model_bad_response', { ...around(what, UNUSABLE), cause });

/** The stream ended without a finish reason: the connection was cut, often by a proxy. */
export const cutOff = (): AppError =>
  new PassingError('model_bad_response', around(['it ended in the middle', '它在中途结束了'], UNUSABLE));

/** `what`: a clause. */
export const tooLarge = (what: string | Text): AppError => new AppError('model_too_large', around(what, OVER_LIMITS));

export const connectionLost = (cause?: unknown): AppError =>
  new AppError('model_unreachable', {
    ...inBoth(['The connection to the model server broke before the answer was complete.', '回答尚未完成，与模型服务器的连接就中断了。']),
    cause,
  });

/** Returns true when a retry may help. The caller must also make sure that no part of the answer was shown. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof AppError) || error instanceof LastingError) return false;
  if (error instanceof PassingError) return true;
  if (error.code === 'model_timeout') return error.details?.['phase'] === 'connect' || error.details?.['phase'] === 'first_byte';
  return error.code === 'model_unreachable' || error.code === 'model_overloaded';
}

/** Converts what a call threw into an AppError with a `model_*` code. */
export function toModelError(thrown: unknown, context: ErrorContext): AppError {
  if (thrown instanceof AppError) return thrown;
  return thrown instanceof StatusError ? toRefusal(thrown, context) : new AppError('internal', { cause: thrown });
}

/** Converts the error of a connection that failed before a response. Returns an AppError unchanged. */
export function toConnectionError(cause: Error & { code?: unknown }): AppError {
  if (cause instanceof AppError) return cause;
  const code = typeof cause.code === 'string' ? cause.code : 'unknown';
  // The probe goes over node:http, whose parser has codes of its own.
  if (cause instanceof InvalidHttpError || code.startsWith('HPE_')) return badResponse(['it is not valid HTTP', '不是有效的 HTTP'], cause);
  const closed: Text = ['it closed the connection', '它关闭了连接'];
  const reasons: Record<string, Text> = {
    ECONNREFUSED: ['nothing listens at its address', '它的地址上没有服务'],
    ENOTFOUND: ['its host name is not known', '找不到它的主机名'],
    EAI_AGAIN: ['its host name cannot be looked up now', '暂时无法解析它的主机名'],
    ECONNRESET: closed,
    EPIPE: closed,
  };
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
  const other: Text = isCertificate ? ['its certificate is not trusted', '它的证书不受信任'] : ['the network failed', '网络出错'];
  const [en, zhCN] = reasons[code] ?? other;
  const texts = inBoth([`The model server cannot be reached: ${en} (${code}).`, `无法连接模型服务器：${zhCN}（${code}）。`]);
  return new (isCertificate ? LastingError : AppError)('model_unreachable', { ...texts, cause });
}

/** Converts an `error` object that came with status 200, alone or inside the stream. */
export function toStreamedError(error: unknown, context: ErrorContext): AppError {
  const fields = isRecord(error) ? error : { message: error };
  const kind = `${String(fields['code'] ?? '')} ${String(fields['type'] ?? '')}`.toLowerCase();
  const status = Number(fields['status'] ?? fields['code']);
  const text = serverText(fields['message'], context);
  const overflow = overflowOf(fields, kind, status);
  if (overflow) return new AppError('model_refused', { ...withText(TOO_LONG, text), details: overflow });
  const code = Number.isInteger(status) && status >= 400 && status <= 599 ? codeOfStatus(status, kind) : codeOfKind(kind);
  const details = isEndpointFault(fields, kind, status) ? ENDPOINT_FAULT : undefined;
  const texts = withText(['The model server reported an error', '模型服务器报告了错误'], text);
  return new AppError(code, { ...texts, ...(details && { details }) });
}

/** Returns true when the server refused the request because it does not know `stream_options`. */
export const refusesStreamOptions = (thrown: unknown): boolean =>
  thrown instanceof StatusError && (thrown.status === 400 || thrown.status === 422) && thrown.text.includes('stream_options');

function toRefusal({ status, headers, text: body }: StatusError, context: ErrorContext): AppError {
  const fields = errorFieldsOf(body);
  const kind = `${String(fields['code'] ?? '')} ${String(fields['type'] ?? '')}`.toLowerCase();
  const overflow = overflowOf(fields, kind, status);
  if (overflow) {
    const text = serverText(fields['message'] ?? fields['detail'], context);
    return new AppError('model_refused', { ...withText(TOO_LONG, text, status), details: { status, ...overflow } });
  }
  const code = codeOfStatus(status, kind);
  const wait = code === 'model_overloaded' ? retryAfterMs(headers, context.now) : undefined;
  // No cause: the server may quote the key.
  return new (refusalClass(status, wait, context))(code, {
    ...withText(adviceForStatus(status, code), serverText(fields['message'] ?? fields['detail'], context), status),
    ...(wait !== undefined && { retryAfterMs: Math.min(wait, context.maxRetryAfterMs) }),
    details: { status, ...(isEndpointFault(fields, kind, status) && ENDPOINT_FAULT) },
  });
}

/** A server sends 408 also when a kept connection was idle for too long (RFC 9110, 15.5.9). */
const refusalClass = (status: number, wait: number | undefined, { maxRetryAfterMs }: ErrorContext): typeof AppError =>
  status === 408 ? PassingError : wait !== undefined && wait > maxRetryAfterMs ? LastingError : AppError;

/** Returns the object `error` of a JSON body, or the body itself, which vLLM sends; empty when it is not JSON or truncated. */
function errorFieldsOf(body: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body);
    const error = isRecord(answer) ? (answer['error'] ?? answer) : undefined;
    return isRecord(error) ? error : {};
  } catch {
    return {};
  }
}

/** Puts the server's own words behind ours; they stay in the language of the server. `text`: as `serverText` gives it. */
function withText([en, zhCN]: Text, text: string, status?: number) {
  const [httpEn, httpZh] = status === undefined ? ['', ''] : [` (HTTP ${status})`, `（HTTP ${status}）`];
  return inBoth([`${en}${httpEn}${text}`, `${zhCN}${httpZh}${text === '.' ? '。' : text.replace(/^: /, '：')}`]);
}

const TOO_LONG: Text = ['The conversation is too long for the model', '对话对模型来说太长'];
/** Context overflow messages of OpenAI, vLLM, llama.cpp, Ollama, LM Studio, Groq, Anthropic and Gemini. */
const OVERFLOW_KIND = /context_length|exceed_context_size|string_above_max_length/;
const OVERFLOW_TEXT =
  /context[ _](?:length|size|window)|maximum model length|max_model_len|prompt (?:is )?too long|input (?:is )?too long|reduce the length of the (?:messages|prompt|input)|maximum number of tokens allowed/i;
const TOLD_TOKENS = /(?:context[ _](?:length|size|window)|model length|tokens allowed)\D{0,40}?(\d{3,8})/i;
/** Statuses about keys, credit, names or rates; their error text is not searched for an overflow. */
const OTHER_MATTER = new Set([401, 402, 403, 404, 429]);

/** Recognises that the request is longer than the context window; older llama.cpp reports it with status 500. */
function overflowOf(fields: Record<string, unknown>, kind: string, status: number) {
  const text = String(fields['message'] ?? fields['detail'] ?? '').slice(0, MAX_READ_UNITS);
  if (OTHER_MATTER.has(status) || !(OVERFLOW_KIND.test(kind) || OVERFLOW_TEXT.test(text))) return undefined;
  const told = Number(fields['n_ctx'] ?? TOLD_TOKENS.exec(text)?.[1]);
  return { reason: 'context_length' as const, ...(Number.isSafeInteger(told) && told > 0 && { contextTokens: told }) };
}

const ENDPOINT_FAULT = { fault: 'endpoint' };
const ENDPOINT_KIND = /insufficient_quota|billing|authentication|permission|api_key|not_found/;
/** Some servers answer 400 for a wrong key or an unknown model. */
const ENDPOINT_TEXT = /api[ _-]?key|\bmodel\b.{0,120}\b(?:not (?:exist|found)|does not exist|no such)\b/i;

/** Returns true when the key, the account, the model name or the address is wrong, not the content of the request. */
function isEndpointFault(fields: Record<string, unknown>, kind: string, status: number): boolean {
  if (OTHER_MATTER.has(status) || status === 405 || (status >= 300 && status < 400) || ENDPOINT_KIND.test(kind)) return true;
  return ENDPOINT_TEXT.test(String(fields['message'] ?? fields['detail'] ?? '').slice(0, MAX_READ_UNITS));
}

function codeOfStatus(status: number, kind: string): ErrorCode {
  if (/insufficient_quota|billing/.test(kind)) return 'model_refused';
  if (status === 408) return 'model_timeout';
  if ([409, 425, 429, 503, 529].includes(status)) return 'model_overloaded';
  return status >= 500 ? 'model_unreachable' : 'model_refused';
}

function codeOfKind(kind: string): ErrorCode {
  if (/insufficient_quota|billing|invalid_request|authentication|permission|not_found|context_length/.test(kind)) return 'model_refused';
  if (/rate_limit|overloaded|unavailable|too_many/.test(kind)) return 'model_overloaded';
  if (/server_error|internal|timeout|upstream/.test(kind)) return 'model_unreachable';
  return 'model_bad_response';
}

function adviceForStatus(status: number, code: ErrorCode): Text {
  if (code === 'model_overloaded') return ['The model server is overloaded or limits the rate', '模型服务器过载或限制了请求速率'];
  if (status >= 500) return ['The model server failed', '模型服务器出错'];
  if (status < 400) return ['The model server points to another address: check the base URL', '模型服务器指向另一个地址：请检查基础地址'];
  const checks: Record<number, Text> = {
    401: ['check the API key', '请检查 API 密钥'],
    402: ['check the credit of the account', '请检查账户余额'],
    403: ['check what the API key may use', '请检查 API 密钥的权限'],
    404: ['check the model name and the base URL', '请检查模型名称和基础地址'],
    413: ['the conversation is too large for it', '对话对它来说太大'],
    429: ['check the plan and the billing of the account', '请检查账户的套餐和计费'],
  };
  const [en, zhCN] = checks[status] ?? ['check the model name and what it supports', '请检查模型名称及其支持的功能'];
  return [`The model server refused the request: ${en}`, `模型服务器拒绝了请求：${zhCN}`];
}

/** Formats the server's message as one short line without keys; '.' when there is none. */
function serverText(message: unknown, { apiKey }: ErrorContext): string {
  if (typeof message !== 'string' || message.trim() === '') return '.';
  const hidden = apiKey ? hideKey(message, apiKey) : message;
  // Servers quote keys back, often with stars in the middle.
  const line = hidden
    .replace(/\bsk-[\w*.-]{4,}/g, '[key]')
    .replace(/\s+/g, ' ')
    .trim();
  return `: ${line.length > MAX_SERVER_TEXT ? `${line.slice(0, MAX_SERVER_TEXT - 3)}...` : line}`;
}

/** Replaces the key in the text. A short key may be an ordinary word, so it is replaced only after `Bearer`, `=` or `:`. */
function hideKey(text: string, apiKey: string): string {
  const key = apiKey.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const before = apiKey.length >= LEAST_PLAIN_KEY ? '(?<![\\w-])' : '(?<=(?:\\bBearer\\s{1,4}|[=:]\\s{0,4})["\']?)';
  return text.replace(new RegExp(`${before}${key}(?![\\w-])`, 'g'), '[key]');
}

/** A date has a comma itself. */
const FIRST_DATE = /^\w+, [^,]+/;

function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const exact = firstNumber(headers['retry-after-ms']);
  if (exact !== undefined) return exact;
  const value = headers['retry-after'];
  if (!value) return undefined;
  const seconds = firstNumber(value);
  const wait = seconds === undefined ? Date.parse(FIRST_DATE.exec(value)?.[0] ?? '') - now : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** Reads the first of the values of a header that came several times. Returns undefined when it is not a number of at least 0. */
function firstNumber(value: string | undefined): number | undefined {
  const first = Number(value?.split(',', 1)[0] || Number.NaN);
  return first >= 0 && Number.isFinite(first) ? first : undefined;
}
