import type { LocatedEdit } from '../located_edit';
import { spacingBefore, type TokenText } from '../tokens';
import { isInString } from '../write/spacing';

const QUOTE = /^["'`]/;
/** A backslash that may stand for white space, a quote or a backslash; before any other character it means itself. */
const DOUBTFUL = /\\(?:[ntr\\"'`\s]|$)/;
const SHOWN = 80;

/**
 * If old_string lost escapes that the file has, new_string has lost its own as well. If old_string has escapes that the
 * file lacks, it is open which escapes of new_string are meant. Returns the first text that only new_string has and that
 * may be wrong for one of these reasons; undefined when the new text can hold no such escape.
 */
export function findLostEscape(input: LocatedEdit): string | undefined {
  const { next, script } = input;
  const lost = hasLostEscapes(input);
  if (!lost && !hasEscapes(input)) return undefined;
  for (let j = 0; j <= next.tokens.length; j++) {
    const isNew = j < next.tokens.length && script.newToOld[j]! < 0;
    if (lost && isNew && (QUOTE.test(next.tokens[j]!.text) || isTornLine(next, j))) return shownLine(next, j);
    if ((isNew || !isKeptSpacing(input, j)) && mayBeEscape(input, j, lost)) return shownLine(next, j);
  }
  return undefined;
}

/** True when the file has more backslashes than old between two tokens. */
function hasLostEscapes({ location: { old, file, oldToFile } }: LocatedEdit): boolean {
  return old.tokens.some(
    (_, i) => oldToFile[i]! >= 0 && countBackslashes(spacingBefore(file, oldToFile[i]!)) > countBackslashes(spacingBefore(old, i)),
  );
}

/** The place in the file has escapes of its own. */
function hasEscapes({ location: { file } }: LocatedEdit): boolean {
  return file.tokens.some((_, i) => spacingBefore(file, i).includes('\\'));
}

/** Part of a string or pattern that an undone line end has torn: brackets or slashes without their counterpart. */
function isTornLine(view: TokenText, j: number): boolean {
  const { first, last } = view.lines[view.tokens[j]!.line]!;
  const texts = view.tokens.slice(first, last + 1).map(token => token.text);
  const count = (text: string): number => texts.filter(other => other === text).length;
  return count('(') !== count(')') || count('[') !== count(']') || count('/') % 2 === 1;
}

/** Old has the same two tokens with the same spacing. */
function isKeptSpacing({ location, next, script }: LocatedEdit, j: number): boolean {
  const right = j < next.tokens.length ? script.newToOld[j]! : location.old.tokens.length;
  const left = j > 0 ? script.newToOld[j - 1]! : -1;
  if (j > 0 && left < 0) return false;
  return right === left + 1 && spacingBefore(location.old, right) === spacingBefore(next, j);
}

/** The spacing before token `j` of new, or what old has in its place, may be an escape. */
function mayBeEscape(input: LocatedEdit, j: number, lost: boolean): boolean {
  const { next, script } = input;
  const { old } = input.location;
  const spacing = spacingBefore(next, j);
  const [left, right] = [j > 0 ? script.newToOld[j - 1]! : -1, script.newToOld[j] ?? -1];
  const spacings = [
    escapeBefore(next, j),
    ...(left >= 0 ? [escapeBefore(old, left + 1)] : []),
    ...(right >= 0 ? [escapeBefore(old, right)] : []),
  ];
  const line = lineBefore(next, j);
  if (!lost) return spacings.some(text => DOUBTFUL.test(text)) && isOpen(line.slice(breakBefore(input, j)));
  if (spacings.some(text => text.includes('\\'))) return true;
  return spacing.includes('\n') ? isInString(line) : spacing.includes('\t') && line.trim() !== '';
}

/** The spacing before a token together with the first character of the token, which a backslash may belong to. */
function escapeBefore(view: TokenText, index: number): string {
  return spacingBefore(view, index) + (view.tokens[index]?.text.charAt(0) ?? '');
}

/** A string, a bracket or a pattern is open at the end of this part of a line. */
function isOpen(line: string): boolean {
  const code = line.replace(/(?:^|\s)(?:\/\/|\/?\*|#) .*$/, '');
  const count = (text: string): number => code.split(text).length;
  return isInString(code) || count('[') !== count(']') || count('/') % 2 === 0;
}

/** Offset, in the line before token `j`, after the last escape that the file has as a line end; 0 if there is none. */
function breakBefore({ location, next, script }: LocatedEdit, j: number): number {
  const from = lineStart(next, j);
  for (let k = j - 1; k >= 0 && next.tokens[k]!.start > from; k--) {
    if (!spacingBefore(next, k).includes('\\n')) continue;
    const target = location.oldToFile[script.newToOld[k]!] ?? -1;
    if (target < 0 || spacingBefore(location.file, target).includes('\n')) return next.tokens[k]!.start - from;
  }
  return 0;
}

/** The line of token `j` up to the spacing before it. */
function lineBefore(view: TokenText, j: number): string {
  return view.source.slice(lineStart(view, j), endBefore(view, j));
}

function lineStart(view: TokenText, j: number): number {
  return view.source.lastIndexOf('\n', endBefore(view, j) - 1) + 1;
}

function endBefore(view: TokenText, j: number): number {
  return j === 0 ? view.from : view.tokens[j - 1]!.end;
}

function countBackslashes(spacing: string): number {
  return spacing.split('\\').length - 1;
}

function shownLine(view: TokenText, j: number): string {
  const token = view.tokens[Math.min(j, view.tokens.length - 1)]!;
  const { first, last } = view.lines[token.line]!;
  return JSON.stringify(view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end).slice(0, SHOWN));
}
