import type { Budget } from './budget';
import { editDistance } from './edit_distance';
import type { LineLikeness } from './location';
import { alignSequences } from './sequence_alignment';
import { isWord, sameToken, type Token } from './tokens';

/** How two lines compare, and which of their tokens correspond (indexes into the given arrays; -1 for none). */
export interface LineComparison {
  likeness: Exclude<LineLikeness, 'missing'>;
  partners: Int32Array;
}

export interface ComparisonContext {
  /** True when the file has this word somewhere: then it is a name of its own, not a misspelling of another. */
  knowsWord(word: string): boolean;
  budget: Budget;
}

const SHORTEST_TYPO = 4;
const TWO_EDITS_FROM = 6;
const COMMENT = /^(\/\/|\/\*|\*|#(?![a-z]+\b.*[{;])|<!--|--|;;|%)/;
const SHARED_COMMENT_WORDS = 0.4;
const PROSE = /^(?:[\p{L}\p{M}_]+|[.,;:'"`()-])$/u;
const LOWER_LETTERS = /^\p{Ll}*$/u;

/** equal: the same tokens. close: only typos, or a comment in other words with the same numbers. different: all else. */
export function compareLines(old: readonly Token[], file: readonly Token[], context: ComparisonContext): LineComparison {
  const partners = matchTokens(old, file, context.budget);
  const comment = isComment(old) && isComment(file);
  let likeness: LineComparison['likeness'] = 'equal';
  let shared = 0;
  for (let i = 0; i < old.length; i++) {
    const target = file[partners[i]!];
    if (target && sameToken(old[i]!, target)) shared += old[i]!.text.length;
    else if (target && isTypo(old[i]!, target, context)) likeness = 'close';
    else if (!comment) return { likeness: 'different', partners };
    else likeness = 'close';
  }
  if (comment && (likeness === 'close' || old.length !== file.length)) {
    return { likeness: isSameRemark(old, file, { partners, shared }) ? 'close' : 'different', partners };
  }
  return { likeness: old.length === file.length ? likeness : 'different', partners };
}

export function isComment(tokens: readonly Token[]): boolean {
  const head = tokens.slice(0, 4).map((token, i) => (i > 0 && token.start > tokens[i - 1]!.end ? ` ${token.text}` : token.text));
  return COMMENT.test(head.join(''));
}

/** Equal tokens correspond; between them, as many tokens on one side as on the other correspond one by one. */
function matchTokens(old: readonly Token[], file: readonly Token[], budget: Budget): Int32Array {
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

function looseKey(token: Token): string {
  return /^-+$/.test(token.key) ? '-' : token.key;
}

/** A slip inside one word of letters: never a number, a capital, a plural, or a word the file knows. */
function isTypo(old: Token, file: Token, context: ComparisonContext): boolean {
  if (!isWord(old) || !isWord(file)) return false;
  const [a, b] = [old.key, file.key];
  if (Math.min(a.length, b.length) < SHORTEST_TYPO || isInflection(a, b) || !differsInLowerLetters(a, b)) return false;
  const limit = Math.max(a.length, b.length) >= TWO_EDITS_FROM ? 2 : 1;
  return editDistance(a, b, limit, context.budget) <= limit && !context.knowsWord(old.text);
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

/** Two comments that share enough words and differ in nothing but words and light punctuation. */
function isSameRemark(
  old: readonly Token[],
  file: readonly Token[],
  { partners, shared }: { partners: Int32Array; shared: number },
): boolean {
  const size = (tokens: readonly Token[]): number => tokens.reduce((sum, token) => sum + token.text.length, 0);
  if (shared < SHARED_COMMENT_WORDS * Math.max(size(old), size(file))) return false;
  const kept = new Set<number>();
  for (let i = 0; i < old.length; i++) {
    const target = partners[i]!;
    if (target >= 0 && sameToken(old[i]!, file[target]!)) kept.add(target);
    else if (!PROSE.test(old[i]!.key)) return false;
  }
  return file.every((token, k) => kept.has(k) || PROSE.test(token.key));
}
