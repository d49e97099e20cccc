/** The log of the gateway itself. What agents do is in the database: runs, events, tool executions. */

/** The levels, the most serious one first. A gateway writes those up to NETA_LOG_LEVEL. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts of a log line: ids that lead from it to a run, a session or an answer, and closed words. No text of a person or a model. */
export interface LogContext {
  runId?: string;
  sessionId?: string;
  /** The `requestId` of an error answer, or of the request that started a run. */
  requestId?: string;
  traceId?: string;
  spanId?: string;
  door?: string;
  agent?: string;
  model?: string;
  tool?: string;
  /** Milliseconds. */
  durMs?: number;
  outcome?: string;
  reason?: string;
  /** The caller, for lines about limits. */
  tenant?: string;
  key?: string;
  /** Name of a limit in limits.yaml. */
  limit?: string;
  /** A code of the error table. */
  code?: string;
  /** Method and status of an HTTP request. */
  method?: string;
  status?: number;
}

/** Writes one line for a fault that an operator should look at. `error` is any thrown value. Never throws. */
export type LogError = (message: string, error: unknown, context?: LogContext) => void;

/** Writes one line for something that is no fault of the gateway, such as the output of a program that it runs. Never throws. */
export type LogInfo = (message: string, text: string) => void;

/** Writes one line about a thing that happens often, such as the end of a run. Never throws. */
export type LogEvent = (level: Exclude<LogLevel, 'error'>, message: string, context: LogContext) => void;

/** One line of the log, without secrets. `n` grows by one with each line, so that a reader notices missing lines. */
export interface LogLine extends LogContext {
  n: number;
  time: string;
  level: LogLevel;
  msg: string;
  error?: string;
  text?: string;
  leftOut?: number;
}

/** The last lines of the log, and the lines that follow, for operators. */
export interface LogTail {
  /** Returns at most 1,000 lines, the oldest first. */
  recent(): LogLine[];
  /** Calls back with each new line until the returned function is called. `onLine` must not throw. */
  watch(onLine: (line: LogLine) => void): () => void;
}

/**
 * @example
 * import type { Logger } from './logger';
 *
 * // Collects messages, so that a test can look at them.
 * export const messages: string[] = [];
 * const collect = (message: string) => void messages.push(message);
 * const tail = { recent: () => [], watch: () => () => {} };
 * export const collectingLogger: Logger = { error: collect, info: collect, event: (_level, message) => collect(message), tail, close: async () => {} };
 */
export interface Logger {
  error: LogError;
  info: LogInfo;
  event: LogEvent;
  tail: LogTail;
  /** Resolves when the log file holds every line; lines that are written later go to stderr alone. Never rejects. */
  close(): Promise<void>;
}
