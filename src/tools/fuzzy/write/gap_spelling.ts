import type { Location } from '../location';
import { gapBefore } from '../tokens';
import { isFullWidth } from './typography';

/** White space as the model writes it between two tokens of one line. */
export interface InlineGap {
  left: string;
  gap: string;
  right: string;
}

/** Rewrites white space within a line that only new_string has in the way the file has it. */
export type GapSpelling = (gap: InlineGap) => string;

const EXOTIC = /[^\t\n\v\f\r ]/;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LATIN = /^[\p{Script=Latin}\p{N}]/u;
const WORD_START = /^[\p{L}\p{N}_$]/u;
const WORD_END = /[\p{L}\p{M}\p{N}_$]$/u;
const WIDE = /^ {2,}$/;

/**
 * Learns from the inline gaps of old and their counterparts in the file. A gap that is never kept as it is beside a
 * certain token is rewritten beside that token; double spaces and no-break spaces that the file never has become plain.
 */
export function learnGaps(location: Location): GapSpelling {
  const counterparts = new Map<string, Map<string, number>>();
  const observe = (key: string, present: string): void => {
    const row = counterparts.get(key) ?? new Map<string, number>();
    row.set(present, (row.get(present) ?? 0) + 1);
    counterparts.set(key, row);
  };
  const observed = observedGaps(location);
  const respelled = new Set(observed.filter(({ gap, present }) => gap !== present).map(({ gap }) => gap));
  const respellsWide = [...respelled].some(gap => WIDE.test(gap));
  for (const pair of observed) {
    // The rows of any other gap could only say "as it is", but for the one that all wide gaps share.
    if (respelled.has(pair.gap)) for (const key of keysOf(pair)) observe(key, pair.present);
    else if (respellsWide && WIDE.test(pair.gap)) observe('wide', pair.present);
  }
  if (counterparts.size === 0) return gap => gap.gap;
  return gap => {
    for (const key of keysOf(gap)) {
      const row = counterparts.get(key);
      if (row && !row.has(gap.gap)) return withoutJoining(gap, commonest(row));
    }
    return gap.gap;
  };
}

/** The inline gaps of old and what the file has in their places. */
function observedGaps({ old, file, oldToFile }: Location): (InlineGap & { present: string })[] {
  const observed: (InlineGap & { present: string })[] = [];
  for (let i = 1; i < old.tokens.length; i++) {
    const gap = gapBefore(old, i);
    const target = oldToFile[i]!;
    if (gap.includes('\n') || target < 1 || oldToFile[i - 1] !== target - 1) continue;
    const present = gapBefore(file, target);
    if (present.includes('\n') || (gap === ' ' && WIDE.test(present))) continue;
    const [left, right] = [i - 1, i].map(index => shapeOf(old.tokens[index]!.text, file.tokens[oldToFile[index]!]!.text));
    observed.push({ left: left!, gap, right: right!, present });
  }
  return observed;
}

/** Full-width punctuation of the file is filed as such: it has other gaps beside it than its ASCII form. */
function shapeOf(old: string, file: string): string {
  return isFullWidth(file) ? file : old;
}

/** What a gap is filed under, the most particular first. Plain single spaces and no space count only beside their token. */
function keysOf({ left, gap, right }: InlineGap): string[] {
  const keys = [`both ${left}|${gap}|${right}`, `left ${left}|${gap}`, `right ${gap}|${right}`];
  if (/^[\p{L}\p{N}_$]/u.test(left)) keys.splice(1, 1);
  if (/^[\p{L}\p{N}_$]/u.test(right)) keys.splice(-1, 1);
  if (isCjkBorder(left, right)) keys.push(`cjk ${gap}`);
  if (EXOTIC.test(gap)) keys.push(`exotic ${gap}`);
  if (WIDE.test(gap)) keys.push('wide');
  return keys;
}

/** Two words stay two words. */
function withoutJoining({ left, gap, right }: InlineGap, present: string): string {
  return present === '' && WORD_END.test(left) && WORD_START.test(right) && !isCjkBorder(left, right) ? gap : present;
}

function isCjkBorder(left: string, right: string): boolean {
  return CJK.test(left) ? LATIN.test(right) : LATIN.test(left) && CJK.test(right);
}

function commonest(row: ReadonlyMap<string, number>): string {
  return [...row].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
