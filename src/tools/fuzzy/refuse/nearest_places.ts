import type { Bilingual } from '../../../utils/bilingual';
import type { Budget } from '../budget';
import { diagonalsByEqualLines, diagonalsBySimilarLine, REMOTE_LINES } from '../locate/diagonals';
import type { FileView } from '../locate/file_view';
import { foldText } from '../locate/fold';
import { LineTable, lineBounds } from '../locate/line_table';

const MAX_HINTS = 3;
const SHOWN_BEFORE = 30;
const SHOWN_AFTER = 60;
/** Sizes above which there are no hints. */
const FILE_LIMIT = 16 * 1024 * 1024;
const LINE_LIMIT = 2000;

/**
 * Returns hints for up to three places that are most similar to old_string: line number, first differing column (from 1) and
 * both texts around that column, with white space made visible.
 */
export function nearestPlaces(view: FileView, old: string, budget: Budget): Bilingual[] {
  if (view.content.length > FILE_LIMIT) return [];
  const oldTable = new LineTable(old, foldText(old));
  const fileTable = new LineTable(view.content, view.folded());
  if (oldTable.count === 0 || oldTable.count > LINE_LIMIT || fileTable.count === 0) return [];
  const diagonals = [...diagonalsByEqualLines(oldTable, fileTable, budget), ...diagonalsBySimilarLine(oldTable, fileTable, REMOTE_LINES)];
  const distinct = [...new Set(diagonals)].slice(0, MAX_HINTS);
  return distinct.map(diagonal => describePlace(view, { old, oldTable, fileTable }, diagonal));
}

interface Sides {
  old: string;
  oldTable: LineTable;
  fileTable: LineTable;
}

function describePlace(view: FileView, sides: Sides, diagonal: number): Bilingual {
  for (let i = 0; i < sides.oldTable.count; i++) {
    const k = i + diagonal;
    if (k < 0 || k >= sides.fileTable.count) continue;
    const offset = sides.fileTable.sourceOffsets[k]!;
    const present = view.content.slice(...lineBounds(view, offset));
    const quoted = lineAt(sides.old, sides.oldTable.sourceOffsets[i]!);
    const column = firstDifference(quoted, present);
    if (column < 0) continue;
    const [line, inFile, inOld] = [view.lineNumber(offset), excerpt(present, column), excerpt(quoted, column)];
    return {
      en: `line ${line}, column ${column + 1}: the file has "${inFile}", old_string has "${inOld}"`,
      'zh-CN': `第 ${line} 行第 ${column + 1} 列：文件为 "${inFile}"，old_string 为 "${inOld}"`,
    };
  }
  const line = view.lineNumber(sides.fileTable.sourceOffsets[Math.min(sides.fileTable.count - 1, Math.max(0, diagonal))]!);
  return {
    en: `line ${line}: the lines are the same, but not all of old_string's lines follow each other there`,
    'zh-CN': `第 ${line} 行：各行相同，但 old_string 的行在那里并不全部相连`,
  };
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset) + 1, end === -1 ? text.length : end);
}

/** Returns the index of the first differing unit, or -1. */
function firstDifference(a: string, b: string): number {
  if (a === b) return -1;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** Cuts out the part of a line around a column. Shows spaces as \u00b7, tabs as \u2192 and other white space as its code. */
function excerpt(line: string, column: number): string {
  const from = Math.max(0, column - SHOWN_BEFORE);
  const part = line.slice(from, column + SHOWN_AFTER);
  const shown = part.replace(/[\s\u200b\u2060\u00ad]/g, space => {
    if (space === ' ') return '\u00b7';
    return space === '\t' ? '\u2192' : `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `${from > 0 ? '...' : ''}${shown}${column + SHOWN_AFTER < line.length ? '...' : ''}`;
}
