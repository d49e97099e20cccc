/** The logger: Midway's, which writes lines to stderr, and to a file when there is one. */
import { type LoggerLevel, type LogMeta, MidwayLogger, Transport } from '@midwayjs/logger';
import { LOG_LEVELS, type LogContext, type Logger, type LogLevel, type LogLine, type LogTail } from '../../../port/logger';
import { LineBatch } from './line_batch';
import { LineRate } from './line_rate';
import { type LogEntry, toJsonLine, toTextLine } from './log_line';

/** The most lines that operators can read again. */
const MAX_KEPT = 1_000;
/** The most characters of an error or text in these lines. */
const MAX_TEXT = 4_000;

export interface LoggerOptions {
  /** Form of the lines on stderr. */
  format: 'json' | 'text';
  level: LogLevel;
  /** The zone of the times in lines for people. */
  timeZone: string;
  /** Removes secrets from a line. */
  redact: (text: string) => string;
  /** Gets every line as JSON, besides stderr. */
  file?: LogFile;
}

/** Takes lines without their end. Must not throw. */
export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are written or given up; later ones are dropped. Never rejects. */
  close(): Promise<void>;
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
export function createLogger({ format, level, timeZone, redact, file }: LoggerOptions): Logger {
  const toLine = format === 'json' ? toJsonLine : (entry: LogEntry) => toTextLine(entry, timeZone);
  // console.error does not throw when stderr is closed.
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
  const logger = new MidwayLogger({ level, transports: toFile ? { stderr, file: toFile } : { stderr } });
  const tail = new Tail(level, redact);
  const rate = new LineRate(() => performance.now());
  const write = (entry: Omit<LogEntry, 'time'>) => {
    const line = { time: new Date().toISOString(), ...entry };
    tail.add(line);
    logger[entry.level](line);
  };
  return {
    tail,
    close: async () => file?.close(),
    error: (msg, thrown, context = {}) => write({ level: 'error', msg, context, error: describe(thrown) }),
    info: (msg, text) => write({ level: 'info', msg, context: {}, text }),
    event(eventLevel, msg, context) {
      // Checked first, because most lines about model calls and tool calls are not written.
      if (LOG_LEVELS.indexOf(eventLevel) > LOG_LEVELS.indexOf(level)) return;
      const leftOut = isRefusal(context) ? rate.take() : 0;
      if (leftOut === undefined) return;
      write({ level: eventLevel, msg, context, leftOut: leftOut > 0 ? leftOut : undefined });
    },
  };
}

/** Keeps the last lines as they were given; they are formatted and cleaned of secrets only when an operator reads them. */
class Tail implements LogTail {
  private entries: { n: number; entry: LogEntry }[] = [];
  private readonly watchers = new Set<(line: LogLine) => void>();
  private last = 0;

  constructor(
    private readonly level: LogLevel,
    private readonly redact: (text: string) => string,
  ) {}

  add(entry: LogEntry): void {
    if (LOG_LEVELS.indexOf(entry.level) > LOG_LEVELS.indexOf(this.level)) return;
    this.last += 1;
    const kept = { n: this.last, entry: isLong(entry) ? shortened(entry) : entry };
    this.entries.push(kept);
    if (this.entries.length >= 2 * MAX_KEPT) this.entries = this.entries.slice(-MAX_KEPT);
    if (this.watchers.size === 0) return;
    const line = this.toLine(kept);
    for (const watcher of this.watchers) watcher(line);
  }

  recent(): LogLine[] {
    return this.entries.slice(-MAX_KEPT).map(kept => this.toLine(kept));
  }

  watch(onLine: (line: LogLine) => void): () => void {
    this.watchers.add(onLine);
    return () => void this.watchers.delete(onLine);
  }

  private toLine({ n, entry }: { n: number; entry: LogEntry }): LogLine {
    return { ...JSON.parse(this.redact(toJsonLine(entry))), n };
  }
}

const isLong = ({ error = '', text = '' }: LogEntry): boolean => error.length > MAX_TEXT || text.length > MAX_TEXT;

const shortened = ({ error, text, ...entry }: LogEntry): LogEntry => ({
  ...entry,
  error: error?.slice(0, MAX_TEXT),
  text: text?.slice(0, MAX_TEXT),
});

/** Returns true for a refused request. Refusals are limited, because a caller chooses how many requests it sends; the end of a run comes once. */
const isRefusal = ({ code, runId }: LogContext): boolean => code !== undefined && runId === undefined;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
