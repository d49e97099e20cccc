/** The logger: Midway's, which writes lines to stderr, and to a file when there is one. */
import { type LoggerInfo, type LoggerLevel, type LogMeta, MidwayLogger, Transport } from '@midwayjs/logger';
import type { LogContext, Logger, LogLevel } from '../../port/logger';
import { LineRate } from './line_rate';
import { type LogEntry, toJsonLine, toTextLine } from './log_line';

export interface LoggerOptions {
  /** Form of the lines on stderr. */
  format: 'json' | 'text';
  level: LogLevel;
  /** Removes secrets from a line. */
  redact: (text: string) => string;
  /** Gets every line as JSON, besides stderr. */
  file?: LogFile;
}

/** Takes lines without their end. Must not throw. */
export interface LogFile {
  write(line: string): void;
}

type Info = LoggerInfo<object>;

/** Replaces Midway's console transport, which writes most levels to stdout, where only the line that announces the address may stand. */
class LineTransport extends Transport<Record<string, unknown>> {
  constructor(
    private readonly write: (line: string) => void,
    toLine: (entry: LogEntry) => string,
  ) {
    super({ format: ({ args }: Info) => toLine(args[0]) });
  }

  log(level: LoggerLevel | false, meta: LogMeta, ...args: unknown[]): void {
    this.write(String(this.format(level, meta, args)));
  }

  close(): void {}
}

/** Each line has time, level and message. Lines about refusals are limited in number, and the next one counts those that were left out. */
export function createLogger({ format, level, redact, file }: LoggerOptions): Logger {
  const toLine = format === 'json' ? toJsonLine : toTextLine;
  // console.error ignores a closed stderr; a write to the stream would end the process.
  const stderr = new LineTransport(
    line => console.error(line),
    entry => redact(toLine(entry)),
  );
  const toFile =
    file &&
    new LineTransport(
      line => file.write(line),
      entry => redact(toJsonLine(entry)),
    );
  const logger = new MidwayLogger({ level, transports: { stderr, ...(toFile && { file: toFile }) } });
  const rate = new LineRate(() => performance.now());
  const write = (entry: Omit<LogEntry, 'time'>) => logger[entry.level]({ time: new Date().toISOString(), ...entry });
  return {
    error: (msg, thrown, context = {}) => write({ level: 'error', msg, context, error: describe(thrown) }),
    info: (msg, text) => write({ level: 'info', msg, context: {}, text }),
    event(eventLevel, msg, context) {
      const leftOut = isRefusal(context) ? rate.take() : 0;
      if (leftOut === undefined) return;
      write({ level: eventLevel, msg, context, ...(leftOut > 0 && { leftOut }) });
    },
  };
}

/** A caller chooses how many requests it sends, but the gateway ends each run once. */
const isRefusal = ({ code, runId }: LogContext): boolean => code !== undefined && runId === undefined;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
