import { isComment } from '../align/line_comparison';
import { isOtherBlockHead, isStale } from '../align/line_differences';
import { isWord, type Token, tokenize } from '../tokens';
import type { FileView } from './file_view';
import { foldText } from './fold';
import { lineBounds } from './line_table';

/** A quotation without its first or its last line, which new_string keeps as well. */
export interface ShortenedQuotation {
  old: string;
  next: string;
  /** The line that was taken away, and on which side. */
  line: string;
  side: 'first' | 'last';
}

/** Minimum of the remaining quotation: lines that are not blank, and characters that are not white space. */
const FEWEST_LINES = 3;
const FEWEST_CHARACTERS = 24;
/** A neighbour that shares more of its words is taken for the quoted line. */
const ALIKE = 0.4;

/**
 * The quotation without an outermost line that both texts have, for files that do not have this line. Only where the
 * next line is in both texts too, so that a change never comes to stand at the edge.
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
  return found.filter(isEnough);
}

function isEnough({ old, next, side }: ShortenedQuotation): boolean {
  const [a, b] = [writtenLines(old), writtenLines(next)];
  const edge = side === 'first' ? 0 : -1;
  return a.length >= FEWEST_LINES && a.join('').length >= FEWEST_CHARACTERS && a.at(edge) === b.at(edge);
}

/** Lines that are not blank, without their white space. */
function writtenLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replace(/\s+/g, ''))
    .filter(line => line !== '');
}

/** The file has this line nowhere; then it is no other place that was meant. */
export function isAbsent(view: FileView, line: string): boolean {
  return !view.folded().text.includes(foldText(line).text);
}

/**
 * Returns true when the file's line right before or after the place looks like the quoted line: the same with other values, or much of it. Then
 * the quotation is out of date, or of another place that looks alike.
 */
export function resemblesNeighbour(view: FileView, line: string, place: { before: number } | { after: number }): boolean {
  const neighbour = 'before' in place ? lastWritten(view.content.slice(0, place.before)) : firstWritten(view.content, place.after);
  if (neighbour < 0) return false;
  const quoted = tokenize(line).tokens;
  const present = tokenize(view.content, ...lineBounds(view, neighbour)).tokens;
  if (isComment(quoted) && isComment(present)) return false;
  return isStale(quoted, present) || isOtherBlockHead(quoted, present) || sharedShare(quoted, present) > ALIKE;
}

/** Share of the characters in words of both lines that stand in words which both have, 0 to 1. */
function sharedShare(a: readonly Token[], b: readonly Token[]): number {
  const [left, right] = [a, b].map(tokens => tokens.filter(isWord).map(token => token.key));
  const sizeOf = (words: readonly string[]): number => words.join('').length;
  const common = left!.filter(word => right!.includes(word));
  return (2 * sizeOf(common)) / Math.max(1, sizeOf(left!) + sizeOf(right!));
}

function lastWritten(text: string): number {
  return text.trimEnd().length - 1;
}

function firstWritten(text: string, from: number): number {
  const at = text.slice(from).search(/\S/);
  return at < 0 ? -1 : from + at;
}
