/** Reads the lines that a server writes for people, and bounds how much of them gets into the log. */
import type { Readable } from 'node:stream';
import { toPlainText } from '../../utils/plain_text';

const MAX_LINE_UNITS = 1_000;
const WINDOW_MS = 10_000;
const MAX_LINES = 50;

export class StderrLines {
  private rest = '';
  private windowStart = 0;
  private count = 0;
  private leftOut = 0;
  /** The last line that was read: it often says why a server ended. */
  lastLine = '';

  constructor(private readonly options: { redact: (text: string) => string; onLine: (line: string) => void; now: () => number }) {}

  read(stream: Readable): void {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const lines = (this.rest + chunk).split('\n');
      // A line without end must not grow without limit.
      this.rest = (lines.pop() ?? '').slice(-2 * MAX_LINE_UNITS);
      for (const line of lines) this.add(line);
    });
    stream.on('end', () => this.add(this.rest));
    stream.on('error', () => {});
  }

  add(text: string): void {
    // Redact before clipping: half a secret would not be found.
    const line = toPlainText(this.options.redact(text.slice(0, 4 * MAX_LINE_UNITS)))
      .slice(0, MAX_LINE_UNITS)
      .replaceAll('\n', ' ');
    if (line === '') return;
    this.lastLine = line;
    if (!this.isWithinRate()) return;
    this.options.onLine(line);
  }

  private isWithinRate(): boolean {
    const now = this.options.now();
    if (now - this.windowStart >= WINDOW_MS) {
      if (this.leftOut > 0) this.options.onLine(`[${this.leftOut} lines left out]`);
      this.windowStart = now;
      this.count = 0;
      this.leftOut = 0;
    }
    this.count += 1;
    if (this.count <= MAX_LINES) return true;
    this.leftOut += 1;
    return false;
  }
}
