/** The logger: Midway's, with one JSON object a line on stderr. */
import { type LoggerInfo, type LoggerLevel, type LogMeta, MidwayLogger, Transport } from '@midwayjs/logger';
import type { LogContext, Logger } from '../../port/logger';
import { createRedactor, redactMadeKeys } from '../../utils/redact';

/** Replaces Midway's console transport, which writes most levels to stdout, where only the line that announces the address may stand. */
class StderrTransport extends Transport<Record<string, unknown>> {
  log(level: LoggerLevel | false, meta: LogMeta, ...args: unknown[]): void {
    // console.error ignores a closed stderr; a write to the stream would end the process.
    console.error(this.format(level, meta, args));
  }

  close(): void {}
}

/**
 * No line holds one of `secrets`. Each line has `level`, `time` and `message`. A line of the level `error` has the ids that the caller knows, and `error` with the stack; one of
 * the level `info` has `text`.
 */
export function createStderrLogger(secrets: readonly string[]): Logger {
  const redact = createRedactor(secrets);
  const format = (info: LoggerInfo<{ context?: LogContext }>) => redactMadeKeys(redact(toLine(info)));
  const logger = new MidwayLogger({ transports: { stderr: new StderrTransport({ format }) } });
  return {
    error: (message, error, context = {}) => logger.getChild({ context }).error(message, error),
    info: (message, text) => logger.info(message, text),
  };
}

function toLine({ level, args, meta }: LoggerInfo<{ context?: LogContext }>): string {
  const [message, detail] = args;
  const details = level === 'info' ? { text: String(detail) } : { ...meta?.context, error: describe(detail) };
  return JSON.stringify({ level, time: new Date().toISOString(), message, ...details });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
