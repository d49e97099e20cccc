import type { Budget } from '../budget';
import type { ComparedLineKind } from '../location';
import { isWord, sameToken, type Token } from '../tokens';
import { editDistance } from './edit_distance';
import { isRestyled } from './line_differences';
import { alignSequences } from './sequence_alignment';

/** The result of comparing two lines. `partners` maps indexes of old tokens to file tokens, -1 for none; empty for different lines. */
export interface LineComparison {
  kind: ComparedLineKind;
  partners: Int32Array;
}

export interface ComparisonContext {
  /** Returns true when the file contains this word. A word of the file is a name, not a typo of another one. */
  knowsWord(word: string): boolean;
  budget: Budget;
}

const NO_PARTNERS = new Int32Array(0);
const MIN_TYPO_LENGTH = 4;
const MIN_TWO_EDIT_LENGTH = 6;
const COMMENT = /^(\/\/|\/\*|\*|#(?!#|[a-z]+\b.*[{;])|<!--|--(?= |$)|;;|%)/;
const COMMENT_START = /^[/*#<;%-]/;
const MIN_SHARED_COMMENT = 0.4;
const PROSE = /^(?:[\p{L}\p{M}_]+|[.,;:'"`()-])$/u;
const CODE = /^[{}[\];=<>]$/;
const LOWER_LETTERS = /^\p{Ll}*$/u;
const LETTERS = /^\p{L}+$/u;

/** Compares a quoted line with a line of the file; see LineMatchKind. */
export function compareLines(old: readonly Token[], file: readonly Token[], context: ComparisonContext): LineComparison {
  const kind = compareOneByOne(old, file, context);
  if (kind !== 'different') return { kind, partners: Int32Array.from(old.keys()) };
  const areComments = isComment(old) && isComment(file);
  if (isRestyled(old, file, areComments)) return { kind: 'restyled', partners: toIndexes(old, file) };
  if (!areComments) return { kind: 'different', partners: NO_PARTNERS };
  const partners = matchTokens(old, file, context.budget);
  return { kind: isSameComment(old, file, partners) ? 'reworded' : 'different', partners };
}

function compareOneByOne(old: readonly Token[], file: readonly Token[], context: ComparisonContext): 'equal' | 'typo' | 'different' {
  if (old.length !== file.length) return 'different';
  let kind: 'equal' | 'typo' = 'equal';
  for (let i = 0; i < old.length; i++) {
    if (sameToken(old[i]!, file[i]!)) continue;
    if (!isTypo(old[i]!, file[i]!, context)) return 'different';
    kind = 'typo';
  }
  return kind;
}

/** Returns true when a line begins with a comment marker of a common language. A Markdown heading of level 2 or deeper is no comment. */
export function isComment(tokens: readonly Token[]): boolean {
  if (!COMMENT_START.test(tokens[0]?.text ?? '')) return false;
  const head = tokens.slice(0, 4).map((token, i) => (i > 0 && token.start > tokens[i - 1]!.end ? ` ${token.text}` : token.text));
  return COMMENT.test(head.join(''));
}

/** Aligns the tokens of two different lines. Equal tokens are paired; between them, runs of equal length are paired one to one. */
export function matchTokens(old: readonly Token[], file: readonly Token[], budget: Budget): Int32Array {
  const partners = new Int32Array(old.length).fill(-1);
  let [i, j] = [0, 0];
  const aligned = alignSequences(old.map(looseKey), file.map(looseKey), budget);
  for (const [a, b] of [...aligned, [old.length, file.length] as const]) {
    if (a - i === b - j) for (let k = 0; k < a - i; k++) partners[i + k] = j + k;
    if (a < old.length) partners[a] = b;
    i = a + 1;
    j = b + 1;
  }
  return partners;
}

/** Pairs tokens at equal indexes, as far as both lines go. */
function toIndexes(old: readonly Token[], file: readonly Token[]): Int32Array {
  return Int32Array.from(old, (_, i) => (i < file.length ? i : -1));
}

function sizeOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + token.text.length, 0);
}

function looseKey(token: Token): string {
  return /^-+$/.test(token.key) ? '-' : token.key;
}

/**
 * Returns true for a typo in a word: two letters swapped, one doubled, or one or two other lower-case letters changed.
 * A changed number, first letter, capital or ending is another name, and so is a word that the file contains.
 */
function isTypo(old: Token, file: Token, context: ComparisonContext): boolean {
  if (!isWord(old) || !isWord(file)) return false;
  const [a, b] = [old.key, file.key];
  const longest = Math.max(a.length, b.length);
  if (longest < MIN_TYPO_LENGTH || Math.min(a.length, b.length) < MIN_TYPO_LENGTH - 1) return false;
  if (isSwap(a, b)) return !context.knowsWord(old.text);
  if (isInflection(a, b)) return false;
  return (isDoubling(a, b) || isOtherTypo(a, b, context)) && !context.knowsWord(old.text);
}

function isOtherTypo(a: string, b: string, { budget }: ComparisonContext): boolean {
  if (a[0] !== b[0] || !differsInLowerLetters(a, b)) return false;
  const limit = Math.max(a.length, b.length) >= MIN_TWO_EDIT_LENGTH ? 2 : 1;
  return editDistance(a, b, limit, budget) <= limit;
}

/** Returns true when two adjacent letters are swapped. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = firstDifference(a, b);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) && LETTERS.test(a.slice(at, at + 2));
}

/** Returns true when one word doubles a letter of the other. */
function isDoubling(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length !== short.length + 1) return false;
  const at = firstDifference(long, short);
  const twice = at > 0 && long[at]!.toLowerCase() === long[at - 1]!.toLowerCase() && LETTERS.test(long[at]!);
  return twice && long.slice(at + 1) === short.slice(at);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Returns true when one word is the other with an ending: another name, not a typo. */
function isInflection(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && long.length > short.length && (long.endsWith('s') || long.length - short.length > 1);
}

function differsInLowerLetters(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return LOWER_LETTERS.test(a.slice(start, a.length - end)) && LOWER_LETTERS.test(b.slice(start, b.length - end));
}

/** Returns true when two comments without code share enough words and differ only in words and light punctuation. */
function isSameComment(old: readonly Token[], file: readonly Token[], partners: Int32Array): boolean {
  if ([...old, ...file].some(token => CODE.test(token.key))) return false;
  const kept = new Set<number>();
  let shared = 0;
  for (let i = 0; i < old.length; i++) {
    const target = partners[i]!;
    if (target >= 0 && sameToken(old[i]!, file[target]!)) {
      kept.add(target);
      shared += old[i]!.text.length;
    } else if (!PROSE.test(old[i]!.key) || old[i - 1]?.text === '@') return false;
  }
  return (
    shared >= MIN_SHARED_COMMENT * Math.max(sizeOf(old), sizeOf(file)) && file.every((token, k) => kept.has(k) || PROSE.test(token.key))
  );
}
