import { spacingBefore, type TokenText } from '../tokens';
import type { FileView } from './file_view';

/** A match widened to the white space that belongs to it. */
export interface Region {
  start: number;
  end: number;
  /** The first or last line of the search text covers only part of a file line. */
  partial: boolean;
  partialStart: boolean;
  partialEnd: boolean;
  /** The search text begins or ends with line breaks that the file does not have there. */
  boundaryDiffers: boolean;
}

/**
 * Widens a match: whole lines include their indentation and trailing blanks, and each leading or trailing line break of the
 * search text includes one of the file, as far as the file has them.
 */
export function widenToBoundaries(view: FileView, search: TokenText, core: TokenText): Region {
  const coreStart = core.tokens[0]!.start;
  const coreEnd = core.tokens.at(-1)!.end;
  const before = widenStart(view, coreStart, spacingBefore(search, 0));
  const after = widenEnd(view, coreEnd, spacingBefore(search, search.tokens.length));
  return {
    start: before.offset,
    end: after.offset,
    partial: before.partial || after.partial,
    partialStart: before.partial,
    partialEnd: after.partial,
    boundaryDiffers: before.missing || after.missing,
  };
}

interface Edge {
  offset: number;
  partial: boolean;
  /** The search text has line breaks that the file lacks. */
  missing: boolean;
}

function widenStart(view: FileView, coreStart: number, lead: string): Edge {
  const breaks = lead.split('\n').length - 1;
  const blanks = view.blanksBefore(coreStart);
  if (!view.isLineStart(blanks)) {
    return { offset: lead !== '' && breaks === 0 ? blanks : coreStart, partial: true, missing: breaks > 0 };
  }
  let offset = blanks;
  for (let taken = 0; taken < breaks; taken++) {
    const length = view.lineEndLengthBefore(offset);
    if (length === 0) return { offset, partial: false, missing: true };
    const lineEnd = offset - length;
    const lineStart = view.blanksBefore(lineEnd);
    if (!view.isLineStart(lineStart)) return { offset: lineEnd, partial: false, missing: taken + 1 < breaks };
    offset = lineStart;
  }
  return { offset, partial: false, missing: false };
}

function widenEnd(view: FileView, coreEnd: number, trail: string): Edge {
  const pieces = trail.split('\n');
  const breaks = pieces.length - 1;
  const blanks = view.blanksAfter(coreEnd);
  if (!view.isLineEnd(blanks)) {
    return { offset: trail !== '' && breaks === 0 ? blanks : coreEnd, partial: true, missing: breaks > 0 };
  }
  let offset = blanks;
  for (let taken = 0; taken < breaks; taken++) {
    const lineEnd = view.blanksAfter(offset);
    const length = view.lineEndLength(lineEnd);
    if (length === 0) return { offset, partial: false, missing: true };
    offset = lineEnd + length;
  }
  if (breaks > 0 && pieces.at(-1) !== '') offset = view.blanksAfter(offset);
  return { offset, partial: false, missing: false };
}
