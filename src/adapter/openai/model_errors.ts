import { AppError } from '../../errors';

/** The timeout that fired. */
export type ModelPhase = 'connect' | 'first_byte' | 'idle' | 'whole';

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

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

/** An error that is usually temporary, in a case where a retry cannot succeed. */
export class LastingError extends AppError {}

/** An error that is usually permanent, in a case where a retry often succeeds. */
export class PassingError extends AppError {}

const PHASE_TEXT: Record<ModelPhase, (seconds: number) => Text> = {
  connect: seconds => [`No connection to the model server within ${seconds} s.`, `${seconds} 秒内未能连接到模型服务器。`],
  first_byte: seconds => [
    `The model server accepted the request but did not begin its answer within ${seconds} s.`,
    `模型服务器接受了请求，但 ${seconds} 秒内没有开始回答。`,
  ],
  idle: seconds => [
    `The model server stopped in the middle of its answer and added nothing to it for ${seconds} s.`,
    `模型服务器在回答中途停住，${seconds} 秒内没有新的内容。`,
  ],
  whole: seconds => [`The model call took longer than its limit of ${seconds} s.`, `模型调用超过了 ${seconds} 秒的时限。`],
};

/** One sentence or clause in English and in Chinese. */
export type Text = readonly [en: string, zhCN: string];

export const inBoth = ([message, messageZh]: Text) => ({ message, messageZh });
const around = (clause: Text, [en, zhCN]: readonly [(what: string) => string, (what: string) => string]) =>
  inBoth([en(clause[0]), zhCN(clause[1])]);

const UNUSABLE = [
  (what: string) => `The model server sent an answer that cannot be used: ${what}.`,
  (what: string) => `模型服务器的回答无法使用：${what}。`,
] as const;
const OVER_LIMITS = [
  (what: string) => `The answer of the model is over the limits: ${what}.`,
  (what: string) => `模型的回答超过了限制：${what}。`,
] as const;

/** The field of models.yaml that sets a time, and the setting with its default. */
const TIME_FIELDS: Record<ModelPhase, readonly [field: string, setting: string]> = {
  connect: ['connectMs', 'NETA_MODEL_CONNECT_MS'],
  first_byte: ['firstByteMs', 'NETA_MODEL_FIRST_BYTE_MS'],
  idle: ['idleMs', 'NETA_MODEL_IDLE_MS'],
  whole: ['totalMs', 'NETA_MODEL_TOTAL_MS'],
};

/** Creates `model_timeout`; `details.phase` names the timeout. `areTimesFixed`: no setting can raise the limit. */
export function timeoutError(phase: ModelPhase, limitMs: number, { areTimesFixed = false } = {}): AppError {
  const [en, zhCN] = PHASE_TEXT[phase](limitMs / 1000);
  const [field, setting] = TIME_FIELDS[phase];
  const texts: Text = areTimesFixed
    ? [en, zhCN]
    : [
        `${en} A slower server needs a larger ${field} in models.yaml, or ${setting}.`,
        `${zhCN}更慢的服务器需要在 models.yaml 中增大 ${field}，或增大 ${setting}。`,
      ];
  return new AppError('model_timeout', { ...inBoth(texts), details: { phase } });
}

/** The error for an unusable answer. `what`: a clause that describes the answer. */
export const badResponse = (what: Text, cause?: unknown): AppError =>
  new AppError('model_bad_response', { ...around(what, UNUSABLE), cause });

/** The stream ended without a finish reason: the connection was cut, often by a proxy. */
export const cutOff = (): AppError =>
  new PassingError('model_bad_response', around(['it ended in the middle', '它在中途结束了'], UNUSABLE));

/** The error for an answer that ended with a word for a failure, or with an unknown word. */
export function endedBy(reason: string): AppError {
  const word = JSON.stringify(reason.slice(0, 60));
  return new PassingError(
    'model_bad_response',
    around([`it ended with ${word} and may be half`, `它以 ${word} 结束，可能不完整`], UNUSABLE),
  );
}

/** The error for an answer over a limit. `what`: a clause that names the limit. */
export const tooLarge = (what: Text): AppError => new AppError('model_too_large', around(what, OVER_LIMITS));

/** Returns true when a retry may help. The caller must also make sure that no part of the answer was shown. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof AppError) || error instanceof LastingError) return false;
  if (error instanceof PassingError) return true;
  // A server that is slow would begin again, and be as slow.
  if (error.code === 'model_timeout') return error.details?.['phase'] === 'connect';
  return error.code === 'model_unreachable' || error.code === 'model_overloaded';
}

/** Returns true when the server refused the request because it does not know `stream_options`. */
export const refusesStreamOptions = (thrown: unknown): boolean =>
  thrown instanceof StatusError && (thrown.status === 400 || thrown.status === 422) && thrown.text.includes('stream_options');
