import { StringDecoder } from 'node:string_decoder';
import type { Bilingual } from '../../../utils/bilingual';
import { clipMiddle } from '../../../utils/clip_text';
import { createRedactor, PieceRedactor } from '../../redact';

const HEAD_SHARE = 0.25;

/**
 * Collects the output of a command within bounds. Live delivery stops at `maxBytes`; twice as many bytes are kept. The result shows a quarter from
 * the start and the rest from the end, where errors usually are. Neither live output nor the result shows one of `secrets`.
 */
export class OutputCollector {
  private readonly chunks: Buffer[] = [];
  private readonly decoder = new StringDecoder('utf8');
  private readonly pieces: PieceRedactor;
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onOutput?: (chunk: string) => void,
    private readonly secrets: readonly string[] = [],
  ) {
    this.pieces = new PieceRedactor(secrets);
  }

  /** Returns false once more than twice the limit has come. */
  add(chunk: Buffer): boolean {
    const room = this.maxBytes * 2 - this.bytes;
    if (room > 0) this.chunks.push(chunk.subarray(0, room));
    this.deliver(chunk.subarray(0, Math.max(0, this.maxBytes - this.bytes)));
    this.bytes += chunk.length;
    return this.bytes <= this.maxBytes * 2;
  }

  /** `language`: of the line that says how much is missing. */
  result(language?: keyof Bilingual): { output: string; truncated: boolean } {
    const rest = this.pieces.finish();
    if (rest) this.onOutput?.(rest);
    const whole = createRedactor(this.secrets)(Buffer.concat(this.chunks).toString('utf8'));
    return { output: clipMiddle(whole, this.maxBytes, HEAD_SHARE, language), truncated: this.bytes > this.maxBytes };
  }

  private deliver(chunk: Buffer): void {
    if (!this.onOutput || chunk.length === 0) return;
    const text = this.pieces.add(this.decoder.write(chunk));
    if (text) this.onOutput(text);
  }
}
