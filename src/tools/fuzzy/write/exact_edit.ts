import type { ExactMatch } from '../locate/exact';
import type { FileView } from '../locate/file_view';

export interface ExactEdit {
  match: ExactMatch;
  /** new_string as it is to be written, line feeds only. */
  text: string;
}

/**
 * What an exact match writes: new_string as it is, with three corrections for text whose quotation began after the
 * indentation or ended before the line end.
 */
export function prepareExactEdit(view: FileView, match: ExactMatch, old: string, next: string): ExactEdit {
  if (next === '' && coversWholeLines(view, match, old)) {
    return { match: { start: match.start, end: match.end + view.lineEndLength(match.end) }, text: '' };
  }
  const lineStart = view.blanksBefore(match.start);
  const indent = view.content.slice(lineStart, match.start);
  if (indent === '' || !view.isLineStart(lineStart) || /^\s/.test(old)) return { match, text: next };
  if (next.startsWith(indent)) return { match, text: next.slice(indent.length) };
  if (!old.includes('\n') && isFlushLeft(next)) return { match, text: next.replace(/\n(?=[^\n])/g, `\n${indent}`) };
  return { match, text: next };
}

/** Taking these lines away must not leave an empty one. */
function coversWholeLines(view: FileView, match: ExactMatch, old: string): boolean {
  return old.trim() !== '' && !old.endsWith('\n') && view.isLineStart(match.start) && view.lineEndLength(match.end) > 0;
}

/** Later lines begin at the margin although the place is indented: the whole text was quoted without its indentation. */
function isFlushLeft(next: string): boolean {
  const [, ...rest] = next.split('\n');
  return rest.some(line => /^[^\s})\]]/.test(line));
}
