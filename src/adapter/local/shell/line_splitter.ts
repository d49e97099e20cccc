import type { OutputSink } from './running_command';

const NEWLINE = 0x0a;

export interface LineSplitterOptions {
  /** Limit of bytes in one line, and in all lines since the last `renew`. */
  maxBytes: number;
  onLine: (line: string) => void;
  onErrorOutput: (text: string) => void;
}

/** Splits stdout into lines and hands stderr on. stderr beyond the limit is dropped. */
export class LineSplitter implements OutputSink {
  private pending: Buffer[] = [];
  private bytes = { stdout: 0, stderr: 0 };

  constructor(private readonly options: LineSplitterOptions) {}

  add(chunk: Buffer, stream: 'stdout' | 'stderr'): boolean {
    const { maxBytes, onErrorOutput } = this.options;
    this.bytes[stream] += chunk.length;
    if (this.bytes[stream] > maxBytes) return stream === 'stderr';
    if (stream === 'stderr') onErrorOutput(chunk.toString('utf8'));
    else this.addToLine(chunk);
    return true;
  }

  /** Delivers the last line when its end is missing. */
  finish(): void {
    if (this.pending.length > 0) this.deliver();
  }

  renew(): void {
    this.bytes = { stdout: this.pending.reduce((sum, { length }) => sum + length, 0), stderr: 0 };
  }

  private addToLine(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.pending.push(chunk.subarray(start, end));
      this.deliver();
      start = end + 1;
    }
    if (start < chunk.length) this.pending.push(chunk.subarray(start));
  }

  private deliver(): void {
    const line = Buffer.concat(this.pending).toString('utf8');
    this.pending = [];
    this.options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
