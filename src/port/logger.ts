/** The log of the gateway itself. What agents do is in the database: runs, events, tool executions. */

/** Ids that lead from a log line to a run, a session or the answer that a client got. */
export interface LogContext {
  runId?: string;
  sessionId?: string;
  /** The `requestId` of an error answer. */
  requestId?: string;
  /** The trace that the caller named in `traceparent`. */
  traceId?: string;
}

/** Writes one line for a fault that an operator should look at. `error` is any thrown value. Never throws. */
export type LogError = (message: string, error: unknown, context?: LogContext) => void;

/** Writes one line for something that is no fault of the gateway, such as the output of a program that it runs. Never throws. */
export type LogInfo = (message: string, text: string) => void;

/**
 * @example
 * import type { Logger } from './logger';
 *
 * // Collects messages, so that a test can look at them.
 * export const messages: string[] = [];
 * const collect = (message: string) => void messages.push(message);
 * export const collectingLogger: Logger = { error: collect, info: collect };
 */
export interface Logger {
  error: LogError;
  info: LogInfo;
}
