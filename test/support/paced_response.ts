import type { ServerResponse } from 'node:http';

export interface Pace {
  /** Milliseconds before each piece. */
  delayMs: number;
  /** Number of pieces (writes with text, reasoning or arguments) before the stream pauses; undefined: no pause. */
  pauseAfter?: number;
}

type Write = { kind: 'write'; chunk: string } | { kind: 'end' };

/**
 * Slows down a streamed response, one write at a time, and can pause it until `resume` is called. All waiting ends when the client
 * disconnects, so nothing leaks. Replaces `response.write` and `response.end`, because the mock server library writes a whole answer
 * at once and cannot pause.
 */
export class PacedResponse {
  private readonly queue: Write[] = [];
  private readonly write: (chunk: string) => boolean;
  private readonly end: (chunk?: string) => unknown;
  private timer: NodeJS.Timeout | undefined;
  private sentPieces = 0;
  private paused = false;
  private resumed = false;
  private busy = false;

  constructor(
    response: ServerResponse,
    private readonly pace: Pace,
  ) {
    this.write = response.write.bind(response) as (chunk: string) => boolean;
    this.end = response.end.bind(response);
    response.write = ((chunk: string) => this.push({ kind: 'write', chunk })) as ServerResponse['write'];
    response.end = ((chunk?: string) => {
      if (chunk !== undefined) this.push({ kind: 'write', chunk });
      this.push({ kind: 'end' });
      return response;
    }) as ServerResponse['end'];
    response.once('close', () => this.drop());
  }

  /** Resumes a paused stream; it does not pause again. */
  resume(): void {
    this.resumed = true;
    if (!this.paused) return;
    this.paused = false;
    this.pump();
  }

  private push(write: Write): boolean {
    this.queue.push(write);
    this.pump();
    return true;
  }

  private pump(): void {
    while (!this.busy && !this.paused && this.queue.length > 0) {
      const next = this.queue[0] as Write;
      const isPiece = next.kind === 'write' && carriesPiece(next.chunk);
      if ((isPiece || this.pace.pauseAfter === 0) && !this.resumed && this.sentPieces === this.pace.pauseAfter) {
        this.paused = true;
        return;
      }
      this.queue.shift();
      if (isPiece && this.pace.delayMs > 0) this.sendLater(next);
      else this.send(next, isPiece);
    }
  }

  private sendLater(write: Write): void {
    this.busy = true;
    this.timer = setTimeout(() => {
      this.busy = false;
      this.send(write, true);
      this.pump();
    }, this.pace.delayMs);
  }

  private send(write: Write, isPiece: boolean): void {
    if (isPiece) this.sentPieces++;
    if (write.kind === 'end') this.end();
    else this.write(write.chunk);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.queue.length = 0;
    this.paused = true;
  }
}

const carriesPiece = (chunk: string): boolean => /"(?:content|reasoning_content|arguments)":"(?!")/.test(chunk);
