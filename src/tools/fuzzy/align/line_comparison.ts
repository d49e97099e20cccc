import type { Budget } from '../budget';
import type { ComparedLineKind } from '../location';
import { isWord, sameToken, type Token } from '../tokens';
import { editDistance } from './edit_distance';
import { isRestyled } from './line_differences';
import { alignSequences } from './sequence_alignment';

/** How two lines compare, and which of their tokens correspond (indexes into the given arrays; -1 or nothing for none). */
export interface LineComparison {
  kind: ComparedLineKind;
  partners: Int32Array;
}

export interface ComparisonContext {
  /** True when the file has this word somewhere: then it is a name of its own, not a misspelling of another. */
  knowsWord(word: string): boolean;
  budget: Budget;
}

const NO_PARTNERS = new Int32Array(0);
const SHORTEST_TYPO = 4;
const TWO_EDITS_FROM = 6;
const COMMENT = /^(\/\/|\/\*|\*|#(?!#|[a-z]+\b.*[{;])|<!--|--(?= |$)|;;|%)/;
const COMMENT_START = /^[/*#<;%-]/;
const SHARED_COMMENT_WORDS = 0.4;
const PROSE = /^(?:[\p{L}\p{M}_]+|[.,;:'"`()-])$/u;
const CODE = /^[{}[\];=<>]$/;
const LOWER_LETTERS = /^\p{Ll}*$/u;
const LETTERS = /^\p{L}+$/u;

/** Compares line `old` of the quotation with line `file`; see LineMatchKind. */
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

export function isComment(tokens: readonly Token[]): boolean {
  if (!COMMENT_START.test(tokens[0]?.text ?? '')) return false;
  const head = tokens.slice(0, 4).map((token, i) => (i > 0 && token.start > tokens[i - 1]!.end ? ` ${token.text}` : token.text));
  return COMMENT.test(head.join(''));
}

/** For lines that differ: equal tokens correspond; between them, as many tokens on one side as on the other correspond one by one. */
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

/** Each token of old with the token of the file at the same index, as far as both go. */
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
 * A slip inside one word of letters: two letters swapped, one doubled, or one or two others that are neither the first
 * letter, a capital nor an ending. Never a number, and never a word that the file knows.
 */
function isTypo(old: Token, file: Token, context: ComparisonContext): boolean {
  if (!isWord(old) || !isWord(file)) return false;
  const [a, b] = [old.key, file.key];
  const longest = Math.max(a.length, b.length);
  if (longest < SHORTEST_TYPO || Math.min(a.length, b.length) < SHORTEST_TYPO - 1) return false;
  if (isSwap(a, b)) return !context.knowsWord(old.text);
  if (isInflection(a, b)) return false;
  return (isDoubling(a, b) || isOtherSlip(a, b, context)) && !context.knowsWord(old.text);
}

function isOtherSlip(a: string, b: string, { budget }: ComparisonContext): boolean {
  if (a[0] !== b[0] || !differsInLowerLetters(a, b)) return false;
  const limit = Math.max(a.length, b.length) >= TWO_EDITS_FROM ? 2 : 1;
  return editDistance(a, b, limit, budget) <= limit;
}

/** Two letters beside each other have changed places. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = firstDifference(a, b);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) && LETTERS.test(a.slice(at, at + 2));
}

/** One of the words has a letter twice that the other has once. */
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

/** One word is the other with an ending: a different name, not a slip. */
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

/** Two comments without code that share enough words and differ in nothing but words and light punctuation. */
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
    shared >= SHARED_COMMENT_WORDS * Math.max(sizeOf(old), sizeOf(file)) && file.every((token, k) => kept.has(k) || PROSE.test(token.key))
  );
}
