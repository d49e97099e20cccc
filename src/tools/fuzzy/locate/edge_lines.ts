import { isComment } from '../align/line_comparison';
import { isOtherBlockHead, isStale } from '../align/line_differences';
import { isWord, type Token, tokenize } from '../tokens';
import type { FileView } from './file_view';
import { foldText } from './fold';
import { lineBounds } from './line_table';

/** old_string and new_string without their common first or last line. */
export interface ShortenedQuotation {
  old: string;
  next: string;
  /** The removed line. */
  line: string;
  side: 'first' | 'last';
}

/** Minimum size of the remaining quotation: non-blank lines, and characters without white space. */
const MIN_LINES = 3;
const MIN_CHARACTERS = 24;
/** A neighbouring file line with a larger share of common words counts as the quoted line. */
const MAX_SHARED_WORDS = 0.4;

/**
 * Removes the first or the last quoted line where both texts share it, for files that lack this line. The line next to it must
 * be shared too, so that the change never ends up at the edge of the quotation.
 */
export function withoutEdgeLine(old: string, next: string): ShortenedQuotation[] {
  const found: ShortenedQuotation[] = [];
  const firstEnd = old.indexOf('\n', old.length - old.trimStart().length);
  const head = firstEnd < 0 ? undefined : old.slice(0, firstEnd + 1);
  if (head !== undefined && next.startsWith(head))
    found.push({ old: old.slice(head.length), next: next.slice(head.length), line: head, side: 'first' });
  const lastStart = old.trimEnd().lastIndexOf('\n') + 1;
  const tail = lastStart === 0 ? undefined : old.slice(lastStart);
  if (tail !== undefined && next.endsWith(`\n${tail}`))
    found.push({ old: old.slice(0, -tail.length), next: next.slice(0, -tail.length), line: tail, side: 'last' });
  return found.filter(isLongEnough);
}

function isLongEnough({ old, next, side }: ShortenedQuotation): boolean {
  const [a, b] = [nonBlankLines(old), nonBlankLines(next)];
  const edge = side === 'first' ? 0 : -1;
  return a.length >= MIN_LINES && a.join('').length >= MIN_CHARACTERS && a.at(edge) === b.at(edge);
}

/** Returns the non-blank lines without white space. */
function nonBlankLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replace(/\s+/g, ''))
    .filter(line => line !== '');
}

/** Returns true when the file contains the line nowhere. If it did, another place could be meant. */
export function isAbsent(view: FileView, line: string): boolean {
  return !view.folded().text.includes(foldText(line).text);
}

/**
 * Returns true when the file line next to the place resembles the quoted line: the same with other values, or with many common
 * words. Then the quotation is out of date or from a similar place.
 */
export function resemblesNeighbour(view: FileView, line: string, place: { before: number } | { after: number }): boolean {
  const neighbour = 'before' in place ? lastNonSpace(view.content.slice(0, place.before)) : firstNonSpace(view.content, place.after);
  if (neighbour < 0) return false;
  const quoted = tokenize(line).tokens;
  const present = tokenize(view.content, ...lineBounds(view, neighbour)).tokens;
  if (isComment(quoted) && isComment(present)) return false;
  return isStale(quoted, present) || isOtherBlockHead(quoted, present) || sharedWords(quoted, present) > MAX_SHARED_WORDS;
}

/** Returns the share of characters in words that both lines have, 0 to 1. */
function sharedWords(a: readonly Token[], b: readonly Token[]): number {
  const [left, right] = [a, b].map(tokens => tokens.filter(isWord).map(token => token.key));
  const sizeOf = (words: readonly string[]): number => words.join('').length;
  const common = left!.filter(word => right!.includes(word));
  return (2 * sizeOf(common)) / Math.max(1, sizeOf(left!) + sizeOf(right!));
}

function lastNonSpace(text: string): number {
  return text.trimEnd().length - 1;
}

function firstNonSpace(text: string, from: number): number {
  const at = text.slice(from).search(/\S/);
  return at < 0 ? -1 : from + at;
}
