/** A log file that is rotated by size: the newest lines are in `<name>`, older ones in `<name>.1`, `<name>.2` ... */
import { basename, dirname } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import type { LogFile } from './logger';

export interface LogFileOptions {
  /** Absolute. Its directory is created. */
  path: string;
  /** Size of one file in MiB. */
  maxMiB: number;
  /** Number of older files beside the newest file. */
  maxFiles: number;
  /** Milliseconds after a failed write during which no other is tried. Default: 30 s. */
  retryMs?: number;
}

export interface LogFileEvents {
  /** Called once for each time that the file cannot be written, with a sentence. */
  onProblem: (sentence: string) => void;
  /** Called once when the file can be written again. */
  onRecovery: (sentence: string) => void;
}

/** Lines that the disk does not take in time are dropped beyond this size, so that a full disk does not fill the memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 30_000;

export function openLogFile(options: LogFileOptions, events: LogFileEvents): LogFile {
  return new RotatedFile(options, events);
}

class RotatedFile implements LogFile {
  private stream: RotatingFileStream | undefined;
  /** Time at which the file could not be written, on the clock of `performance.now()`. */
  private failedAt: number | undefined;
  private missedLines = 0;
  private isClosed = false;

  constructor(
    private readonly options: LogFileOptions,
    private readonly events: LogFileEvents,
  ) {
    this.stream = this.open();
  }

  write(line: string): void {
    if (this.isClosed) return;
    if (!this.stream && performance.now() - (this.failedAt ?? 0) >= (this.options.retryMs ?? RETRY_MS)) this.stream = this.open();
    const { stream } = this;
    if (!stream || stream.writableLength >= MAX_WAITING_BYTES) {
      this.missedLines += 1;
      return;
    }
    stream.write(`${line}\n`, error => {
      if (error) this.missedLines += 1;
      else if (stream === this.stream) this.noteSuccess();
    });
  }

  close(): Promise<void> {
    const { stream } = this;
    this.isClosed = true;
    this.stream = undefined;
    return new Promise(resolve => (stream ? stream.end(() => resolve()) : resolve()));
  }

  private open(): RotatingFileStream {
    const { path, maxMiB, maxFiles } = this.options;
    const stream = createStream(basename(path), { path: dirname(path), size: `${maxMiB}M`, rotate: maxFiles });
    // The listener is not removed: a stream may fail again while it closes.
    stream.on('error', error => {
      if (stream !== this.stream) return;
      this.stream = undefined;
      stream.destroy();
      if (this.failedAt === undefined) this.events.onProblem(`the log file ${path} cannot be written: ${error.message}`);
      this.failedAt = performance.now();
    });
    return stream;
  }

  private noteSuccess(): void {
    if (this.failedAt === undefined) return;
    this.events.onRecovery(`the log file ${this.options.path} is written again; it lacks ${this.missedLines} lines`);
    this.failedAt = undefined;
    this.missedLines = 0;
  }
}
