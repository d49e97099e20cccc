import type { FileView } from './file_view';
import type { FoldedText } from './fold';

/** The non-blank lines of a folded text with a hash of each. Line numbers here do not count blank lines. */
export class LineTable {
  readonly count: number;
  readonly hashes: Int32Array;
  /** Source offset of the first character of each line that is not white space. */
  readonly sourceOffsets: Int32Array;
  /** Line k is folded.text[foldedStarts[k], foldedStarts[k + 1]). */
  private readonly foldedStarts: Int32Array;

  constructor(
    source: string,
    private readonly folded: FoldedText,
  ) {
    const starts = lineStarts(source, folded);
    this.count = starts.length - 1;
    this.foldedStarts = starts;
    this.hashes = new Int32Array(this.count);
    this.sourceOffsets = new Int32Array(this.count);
    for (let line = 0; line < this.count; line++) {
      this.hashes[line] = hashRange(folded.text, starts[line]!, starts[line + 1]!);
      this.sourceOffsets[line] = folded.positionOf(starts[line]!);
    }
  }

  text(line: number): string {
    return this.folded.text.slice(this.foldedStarts[line], this.foldedStarts[line + 1]);
  }

  length(line: number): number {
    return this.foldedStarts[line + 1]! - this.foldedStarts[line]!;
  }

  /** The folded text and the range of `line` in it, for scans that avoid slicing. */
  range(line: number): { text: string; start: number; end: number } {
    return { text: this.folded.text, start: this.foldedStarts[line]!, end: this.foldedStarts[line + 1]! };
  }
}

/** Returns [start, end) of the file line at `offset`, with its indentation and without its line end. */
export function lineBounds(view: FileView, offset: number): [number, number] {
  const { content } = view;
  const start = Math.max(view.start, content.lastIndexOf('\n', offset - 1) + 1);
  const newline = content.indexOf('\n', offset);
  if (newline === -1) return [start, content.length];
  return [start, content.charAt(newline - 1) === '\r' ? newline - 1 : newline];
}

/** Returns the folded offsets where non-blank lines begin, followed by the folded length. */
function lineStarts(source: string, folded: FoldedText): Int32Array {
  const starts: number[] = [];
  const count = folded.text.length;
  let nextBreak = -1;
  for (let k = 0; k < count; k++) {
    const position = folded.positionOf(k);
    if (k > 0 && position < nextBreak) continue;
    starts.push(k);
    nextBreak = source.indexOf('\n', position);
    if (nextBreak === -1) break;
  }
  starts.push(count);
  return Int32Array.from(starts);
}

function hashRange(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
