import type { LocatedEdit } from '../located_edit';
import { spacingBefore, type TokenText } from '../tokens';
import { isInString } from '../write/spacing';

const QUOTE = /^["'`]/;
/** A backslash that may be an escape of white space, a quote or a backslash. Before any other character it is literal. */
const AMBIGUOUS_ESCAPE = /\\(?:[ntr\\"'`\s]|$)/;
const MAX_SHOWN = 80;

/**
 * Finds text of new_string whose escapes are in doubt. If old_string lost escapes that the file has, new_string lost its own
 * too. If old_string has escapes that the file lacks, the escapes of new_string may be wrong as well. Returns the first
 * added text that may need an escape, or undefined when the added text needs none.
 */
export function findLostEscape(input: LocatedEdit): string | undefined {
  const { next, script } = input;
  const lost = hasLostEscapes(input);
  if (!lost && !hasEscapes(input)) return undefined;
  const isSplit = createLineCheck(next);
  for (let j = 0; j <= next.tokens.length; j++) {
    const isNew = j < next.tokens.length && script.newToOld[j]! < 0;
    if (lost && isNew) {
      const { text, line } = next.tokens[j]!;
      if (QUOTE.test(text) || isSplit(line)) return shownLine(next, j);
    }
    if ((isNew || !isKeptSpacing(input, j)) && mayBeEscape(input, j, lost)) return shownLine(next, j);
  }
  return undefined;
}

/** Returns true when the file has more backslashes than old between two tokens. */
function hasLostEscapes({ location: { old, file, oldToFile } }: LocatedEdit): boolean {
  return old.tokens.some(
    (_, i) => oldToFile[i]! >= 0 && countBackslashes(spacingBefore(file, oldToFile[i]!)) > countBackslashes(spacingBefore(old, i)),
  );
}

/** Returns true when the file has backslashes at this place. */
function hasEscapes({ location: { file } }: LocatedEdit): boolean {
  return file.tokens.some((_, i) => spacingBefore(file, i).includes('\\'));
}

/** Checks a line once for all its tokens; a check costs as much as the line is long. */
function createLineCheck(view: TokenText): (line: number) => boolean {
  const known = new Map<number, boolean>();
  return line => {
    const isSplit = known.get(line) ?? isSplitLine(view, line);
    known.set(line, isSplit);
    return isSplit;
  };
}

/** Returns true when brackets or slashes of a line do not balance: an unescaped \n split a string or pattern here. */
function isSplitLine(view: TokenText, line: number): boolean {
  const { first, last } = view.lines[line]!;
  const texts = view.tokens.slice(first, last + 1).map(token => token.text);
  const count = (text: string): number => texts.filter(other => other === text).length;
  return count('(') !== count(')') || count('[') !== count(']') || count('/') % 2 === 1;
}

/** Returns true when old has the same two tokens with the same spacing. */
function isKeptSpacing({ location, next, script }: LocatedEdit, j: number): boolean {
  const right = j < next.tokens.length ? script.newToOld[j]! : location.old.tokens.length;
  const left = j > 0 ? script.newToOld[j - 1]! : -1;
  if (j > 0 && left < 0) return false;
  return right === left + 1 && spacingBefore(location.old, right) === spacingBefore(next, j);
}

/** Returns true when the spacing before token `j` of new, or the spacing that it replaces, may be an escape. */
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
  if (!lost)
    return spacings.some(text => AMBIGUOUS_ESCAPE.test(text)) && isUnclosed(lineBefore(next, j).slice(lineEndEscapeBefore(input, j)));
  if (spacings.some(text => text.includes('\\'))) return true;
  if (!spacing.includes('\n')) return spacing.includes('\t') && lineBefore(next, j).trim() !== '';
  return isInString(lineBefore(next, j));
}

/** Returns the spacing before a token plus the token's first character, which a backslash may escape. */
function escapeBefore(view: TokenText, index: number): string {
  return spacingBefore(view, index) + (view.tokens[index]?.text.charAt(0) ?? '');
}

/** Returns true when a string, bracket or pattern is open at the end of the text. */
function isUnclosed(line: string): boolean {
  const code = line.replace(/(?:^|\s)(?:\/\/|\/?\*|#) .*$/, '');
  const count = (text: string): number => code.split(text).length;
  return isInString(code) || count('[') !== count(']') || count('/') % 2 === 0;
}

/** Returns the offset, in the line before token `j`, after the last `\\n` that is a line end in the file; 0 if there is none. */
function lineEndEscapeBefore({ location, next, script }: LocatedEdit, j: number): number {
  const from = lineStart(next, j);
  for (let k = j - 1; k >= 0 && next.tokens[k]!.start > from; k--) {
    if (!spacingBefore(next, k).includes('\\n')) continue;
    const target = location.oldToFile[script.newToOld[k]!] ?? -1;
    if (target < 0 || spacingBefore(location.file, target).includes('\n')) return next.tokens[k]!.start - from;
  }
  return 0;
}

/** Returns the line of token `j` up to the spacing before it. */
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
  return JSON.stringify(view.source.slice(view.tokens[first]!.start, view.tokens[last]!.end).slice(0, MAX_SHOWN));
}
