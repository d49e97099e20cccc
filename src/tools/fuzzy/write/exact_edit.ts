import type { ExactMatch } from '../locate/exact';
import type { FileView } from '../locate/file_view';

/** The range to replace and its replacement. */
export interface ExactEdit {
  match: ExactMatch;
  /** The text to write, with line feeds only. */
  text: string;
}

/**
 * Returns what an exact match writes: new_string as given, except when the quotation starts after the indentation or ends
 * before the line end.
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

/** Returns true when whole lines are removed: their line end must go too, or an empty line would stay. */
function coversWholeLines(view: FileView, match: ExactMatch, old: string): boolean {
  return old.trim() !== '' && !old.endsWith('\n') && view.isLineStart(match.start) && view.lineEndLength(match.end) > 0;
}

/** Returns true when later lines start at the margin: the model quoted an indented place without its indentation. */
function isFlushLeft(next: string): boolean {
  const [, ...rest] = next.split('\n');
  return rest.some(line => /^[^\s})\]]/.test(line));
}
