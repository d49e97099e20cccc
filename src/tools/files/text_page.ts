import { clipStart } from '../../utils/clip_text';

export interface TextPage {
  text: string;
  /** First line of the next page, counted from 1; absent on the last page. */
  nextLine?: number;
}

/** Returns the whole lines from `firstLine` (counted from 1) that fit, or the beginning of a first line that does not fit. Undefined past the end. */
export function textPage(text: string, firstLine: number, maxBytes: number): TextPage | undefined {
  let start = 0;
  for (let line = 1; line < firstLine; line += 1) {
    const newline = text.indexOf('\n', start);
    if (newline === -1) return undefined;
    start = newline + 1;
  }
  if (start >= text.length && firstLine > 1) return undefined;
  let end = start;
  let bytes = 0;
  let line = firstLine;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    const next = newline === -1 ? text.length : newline + 1;
    bytes += Buffer.byteLength(text.slice(end, next));
    if (bytes > maxBytes) break;
    end = next;
    line += 1;
  }
  if (end >= text.length) return { text: text.slice(start) };
  // A UTF-16 unit takes at most three bytes.
  if (end === start) return { text: clipStart(text.slice(start), Math.floor(maxBytes / 3)), nextLine: line + 1 };
  return { text: text.slice(start, end), nextLine: line };
}
