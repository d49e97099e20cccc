import { isInString } from './gap_text';
import type { MergeInput } from './merge_input';
import { gapBefore, type TokenText } from './tokens';

const QUOTE = /^["'`]/;
const SHOWN = 80;

/**
 * Where old_string lost escapes that the file has, new_string has lost its own as well. Returns the first text that only
 * new_string has and that may have been escaped: a quote, a backslash, a tab or line end inside a string. Undefined when
 * what is new cannot have lost any.
 */
export function findLostEscape(input: MergeInput): string | undefined {
  if (!hasLostEscapes(input)) return undefined;
  const { next, script } = input;
  for (let j = 0; j <= next.tokens.length; j++) {
    const isNew = j < next.tokens.length && script.newToOld[j]! < 0;
    if (isNew && QUOTE.test(next.tokens[j]!.text)) return shownLine(next, j);
    const gap = gapBefore(next, j);
    const isOldGap = !isNew && isKeptGap(input, j);
    if (!isOldGap && mayBeEscape(gap, lineBefore(next, j))) return shownLine(next, j);
  }
  return undefined;
}

/** Somewhere the file has more backslashes between two tokens than old. */
function hasLostEscapes({ location: { old, file, oldToFile } }: MergeInput): boolean {
  return old.tokens.some(
    (_, i) => oldToFile[i]! >= 0 && countBackslashes(gapBefore(file, oldToFile[i]!)) > countBackslashes(gapBefore(old, i)),
  );
}

/** Old has the same two tokens with the same gap. */
function isKeptGap({ location, next, script }: MergeInput, j: number): boolean {
  const right = j < next.tokens.length ? script.newToOld[j]! : location.old.tokens.length;
  const left = j > 0 ? script.newToOld[j - 1]! : -1;
  if (j > 0 && left < 0) return false;
  return right === left + 1 && gapBefore(location.old, right) === gapBefore(next, j);
}

function mayBeEscape(gap: string, line: string): boolean {
  if (gap.includes('\\')) return true;
  return gap.includes('\n') ? isInString(line) : gap.includes('\t') && line.trim() !== '';
}

/** The line of token `j` up to the gap before it. */
function lineBefore(view: TokenText, j: number): string {
  const end = j === 0 ? view.from : view.tokens[j - 1]!.end;
  return view.source.slice(view.source.lastIndexOf('\n', end - 1) + 1, end);
}

function countBackslashes(gap: string): number {
  return gap.split('\\').length - 1;
}

function shownLine(view: TokenText, j: number): string {
  const token = view.tokens[Math.min(j, view.tokens.length - 1)]!;
  const { first, last } = view.lines[token.line]!;
  return JSON.stringify(view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end).slice(0, SHOWN));
}
