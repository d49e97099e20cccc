/**
 * The error table. Every error that leaves the gateway, on any door, has a code from it. docs/errors.md lists the same rows; a test compares
 * the two.
 */

import type { Bilingual } from './utils/bilingual';

/** OpenAI-style family of an error, for clients that know only families. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'model_error'
  | 'run_error'
  | 'server_error';

interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly type: ErrorType;
  readonly text: Bilingual;
}

const rowsOf =
  (type: ErrorType) =>
  (status: number, en: string, zhCN: string): ErrorRow => ({ status, type, retryable: false, text: { en, 'zh-CN': zhCN } });

const retryable = (row: ErrorRow): ErrorRow => ({ ...row, retryable: true });

const invalid = rowsOf('invalid_request_error');
const unauthenticated = rowsOf('authentication_error');
const forbidden = rowsOf('permission_error');
const notFound = rowsOf('not_found_error');
const conflict = rowsOf('conflict_error');
const limited = rowsOf('rate_limit_error');
const modelError = rowsOf('model_error');
const runError = rowsOf('run_error');
const serverError = rowsOf('server_error');

/** Maps each code to its HTTP status, family, whether a retry may succeed, default text in both languages. Errors carry the English text. */
export const ERRORS = {
  invalid_request: invalid(400, 'The request is not valid.', '请求无效。'),
  unauthenticated: unauthenticated(401, 'Send a valid API key as a bearer token.', '请以 bearer 令牌发送有效的 API 密钥。'),
  forbidden: forbidden(403, 'This is not allowed.', '不允许这样做。'),
  approval_by_requester: forbidden(
    403,
    'Your own message caused this call, so your yes does not count: a colleague must allow it.',
    '此次调用由你自己的消息引发，你的同意不算数：需要同事来批准。',
  ),
  risky_in_bulk: forbidden(
    403,
    'This call is risky, so it cannot be allowed together with others: look at it and decide it by itself.',
    '此次调用有风险，不能与其他调用一起批准：请查看后单独决定。',
  ),
  price_not_agreed: forbidden(
    403,
    'This run will likely cost more than may be spent without the yes of a person.',
    '此运行的预计费用超过了无需人同意的上限。',
  ),
  not_found: notFound(404, 'There is no such thing.', '没有这个东西。'),
  method_not_allowed: invalid(405, 'This method is not allowed here.', '这里不允许这个方法。'),
  not_acceptable: invalid(406, 'The route has no answer of a type that Accept allows.', '此路由没有 Accept 所允许类型的响应。'),
  request_timeout: retryable(invalid(408, 'The request did not arrive in time.', '请求没有在时限内到齐。')),
  session_busy: retryable(conflict(409, 'The session already has a run in progress.', '会话中已有运行在进行。')),
  approval_given: conflict(
    409,
    'You have allowed this call already: it waits for the yes of others.',
    '你已经同意过此次调用：它在等待其他人的同意。',
  ),
  clarification_closed: conflict(409, 'The question is no longer open.', '问题已不再开放。'),
  undo_conflict: conflict(
    409,
    'The change cannot be taken back: the file is not as the change left it.',
    '无法撤销：文件已不是改动之后的样子。',
  ),
  not_recorded: conflict(409, 'The run has no recording to replay.', '该运行没有可以重放的录制。'),
  config_changed: conflict(409, 'The file was changed in the meantime: read it again.', '文件在此期间已被修改：请重新读取。'),
  run_cancelled: conflict(409, 'The run was cancelled.', '运行已被取消。'),
  idempotency_mismatch: conflict(409, 'The same key was used before with another request.', '同一个键之前用于了另一个请求。'),
  events_expired: notFound(410, 'The events after this cursor are no longer kept.', '这个游标之后的事件已不再保存。'),
  precondition_failed: conflict(
    412,
    'The file is not the version that If-Match or If-None-Match asks for.',
    '文件不是 If-Match 或 If-None-Match 所要求的版本。',
  ),
  too_large: invalid(413, 'The request is too large.', '请求过大。'),
  unsupported_media_type: invalid(415, 'Send JSON with content-type application/json.', '请以 content-type application/json 发送 JSON。'),
  range_not_satisfiable: invalid(416, 'The range begins behind the end of the file.', '范围的起点超出文件末尾。'),
  rate_limited: retryable(limited(429, 'Too many requests.', '请求过多。')),
  quota_exceeded: limited(429, 'A quota is used up.', '配额已用完。'),
  internal: serverError(500, 'Something went wrong inside the gateway.', '网关内部出错。'),
  draining: retryable(serverError(503, 'The gateway is stopping and takes no new runs.', '网关正在停止，不再接受新的运行。')),
  not_accepting: retryable(
    serverError(503, 'An operator has paused new runs. Runs in progress go on.', '运维人员已暂停新的运行。进行中的运行会继续。'),
  ),
  provider_unreachable: retryable(
    serverError(502, 'The server of the login provider cannot be reached. Try again later.', '无法连接登录服务器。请稍后再试。'),
  ),
  store_unavailable: retryable(
    serverError(503, 'The store cannot be written now; nothing was accepted.', '存储目前不可写，没有接受任何内容。'),
  ),

  model_unreachable: retryable(modelError(502, 'The model server cannot be reached.', '无法连接模型服务器。')),
  model_timeout: retryable(modelError(504, 'The model server did not answer in time.', '模型服务器没有及时响应。')),
  model_overloaded: retryable(modelError(502, 'The model server is overloaded or limits the rate.', '模型服务器过载或限流。')),
  model_refused: modelError(502, 'The model server refused the request.', '模型服务器拒绝了请求。'),
  model_bad_response: retryable(
    modelError(502, 'The model server sent an answer that cannot be understood.', '模型服务器的响应无法理解。'),
  ),
  model_too_large: modelError(502, 'The answer of the model is over the limits.', '模型的回答超出限制。'),

  output_invalid: runError(502, 'The answer of the model does not match the schema of the request.', '模型的回答不符合请求的 schema。'),
  interrupted: retryable(runError(500, 'The run was interrupted by a stop of the gateway.', '网关停止，运行被中断。')),
  tool_timeout: runError(504, 'The tool call took longer than its limit.', '工具调用超过了时间限制。'),
  run_timeout: runError(504, 'The run took longer than its limit.', '运行超过了时间限制。'),
} as const satisfies Record<string, ErrorRow>;

/** The media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

export type ErrorCode = keyof typeof ERRORS;

/** An error as every door sends it. `param` is a JSON pointer into the request; `details` is small and safe to show. */
export interface WireError {
  code: ErrorCode;
  message: string;
  type: ErrorType;
  param?: string;
  retryable: boolean;
  retryAfterMs?: number;
  requestId: string;
  details?: Record<string, unknown>;
}

/** A message is given in both languages. Without one the text of the code counts. */
export type ErrorTexts = { message: string; messageZh: string } | { message?: undefined; messageZh?: undefined };

export type AppErrorOptions = ErrorTexts & {
  param?: string;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
  cause?: unknown;
};

/** An error with a code from the table. Its message is meant for the caller: no stack, path of the host or SQL. */
export class AppError extends Error {
  readonly param?: string;
  readonly retryAfterMs?: number;
  readonly details?: Record<string, unknown>;
  readonly messageZh: string;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? ERRORS[code].text.en, { cause: options.cause });
    this.name = 'AppError';
    if (options.param !== undefined) this.param = options.param;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.details) this.details = options.details;
    this.messageZh = options.messageZh ?? ERRORS[code].text['zh-CN'];
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
}

/** An `invalid_request` about one field of a request: both sentences begin with its name. `param`: a JSON pointer, such as `/limit`. */
export const invalidField = (param: string, en: string, zhCN: string, more: Pick<AppErrorOptions, 'details' | 'cause'> = {}): AppError =>
  new AppError('invalid_request', { param, message: `${param}: ${en}`, messageZh: `${param}：${zhCN}`, ...more });

/** The texts of an error whose message is already in the language of its reader, such as the stored error of a run. */
export const inOneLanguage = (message: string) => ({ message, messageZh: message });

/** Returns the thrown value when it is an AppError; otherwise an `internal` error whose cause is the thrown value, for the log. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('internal', { cause: thrown });
}

/** Returns the message in a language. */
export const messageIn = (error: AppError, locale: keyof Bilingual): string => (locale === 'zh-CN' ? error.messageZh : error.message);

/** Encodes an error for one request, its message in the language of the caller. */
export function toWireError(error: AppError, requestId: string, locale: keyof Bilingual = 'en'): WireError {
  const { type, retryable } = ERRORS[error.code];
  return {
    code: error.code,
    message: messageIn(error, locale),
    type,
    param: error.param,
    retryable,
    retryAfterMs: error.retryAfterMs,
    requestId,
    details: error.details,
  };
}
