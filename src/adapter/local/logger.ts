/** The logger: Midway's, which writes lines to stderr, and to a file when there is one. */
import { type LoggerLevel, type LogMeta, MidwayLogger, Transport } from '@midwayjs/logger';
import { LOG_LEVELS, type LogContext, type Logger, type LogLevel } from '../../port/logger';
import { LineBatch } from './line_batch';
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

/** Replaces Midway's console transport, which writes most levels to stdout, where only the line that announces the address may stand. */
class LineTransport extends Transport<Record<string, unknown>> {
  constructor(
    private readonly write: (line: string, level: LogLevel) => void,
    private readonly toLine: (entry: LogEntry) => string,
  ) {
    super();
  }

  /** Midway's own formatting would describe the line as an object with seven getters first. */
  log(_level: LoggerLevel | false, _meta: LogMeta, entry: LogEntry): void {
    this.write(this.toLine(entry), entry.level);
  }

  close(): void {}
}

/** Each line has time, level and message. Lines about refusals are limited in number, and the next one counts those that were left out. */
export function createLogger({ format, level, redact, file }: LoggerOptions): Logger {
  const toLine = format === 'json' ? toJsonLine : toTextLine;
  // console.error ignores a closed stderr; a write to the stream would end the process.
  const batch = new LineBatch(lines => console.error(lines));
  const stderr = new LineTransport(
    (line, lineLevel) => batch.add(line, lineLevel === 'error'),
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
      // Most lines about model calls and tool calls are not written.
      if (LOG_LEVELS.indexOf(eventLevel) > LOG_LEVELS.indexOf(level)) return;
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
