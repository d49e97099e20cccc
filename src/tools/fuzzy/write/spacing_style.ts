import type { Location } from '../location';
import { spacingBefore } from '../tokens';
import { isFullWidth } from './typography';

/** White space as the model writes it between two tokens of one line. */
export interface InlineSpacing {
  left: string;
  spacing: string;
  right: string;
}

/** Rewrites white space within a line that only new_string has in the way the file has it. */
export type SpacingStyle = (spacing: InlineSpacing) => string;

const EXOTIC = /[^\t\n\v\f\r ]/;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LATIN = /^[\p{Script=Latin}\p{N}]/u;
const WORD_START = /^[\p{L}\p{N}_$]/u;
const WORD_END = /[\p{L}\p{M}\p{N}_$]$/u;
const WIDE = /^ {2,}$/;

/**
 * Learns from the inline spacings of old and their counterparts in the file. A spacing that is never kept as it is beside a
 * certain token is rewritten beside that token; double spaces and no-break spaces that the file never has become plain.
 */
export function learnSpacing(location: Location): SpacingStyle {
  const counterparts = new Map<string, Map<string, number>>();
  const observe = (key: string, present: string): void => {
    const row = counterparts.get(key) ?? new Map<string, number>();
    row.set(present, (row.get(present) ?? 0) + 1);
    counterparts.set(key, row);
  };
  const observed = observedSpacing(location);
  const respelled = new Set(observed.filter(({ spacing, present }) => spacing !== present).map(({ spacing }) => spacing));
  const respellsWide = [...respelled].some(spacing => WIDE.test(spacing));
  for (const pair of observed) {
    // The rows of any other spacing could only say "as it is", but for the one that all wide spacings share.
    if (respelled.has(pair.spacing)) for (const key of keysOf(pair)) observe(key, pair.present);
    else if (respellsWide && WIDE.test(pair.spacing)) observe('wide', pair.present);
  }
  if (counterparts.size === 0) return spacing => spacing.spacing;
  return spacing => {
    for (const key of keysOf(spacing)) {
      const row = counterparts.get(key);
      if (row && !row.has(spacing.spacing)) return withoutJoining(spacing, commonest(row));
    }
    return spacing.spacing;
  };
}

/** The inline spacings of old and what the file has in their places. */
function observedSpacing({ old, file, oldToFile }: Location): (InlineSpacing & { present: string })[] {
  const observed: (InlineSpacing & { present: string })[] = [];
  for (let i = 1; i < old.tokens.length; i++) {
    const spacing = spacingBefore(old, i);
    const target = oldToFile[i]!;
    if (spacing.includes('\n') || target < 1 || oldToFile[i - 1] !== target - 1) continue;
    const present = spacingBefore(file, target);
    if (present.includes('\n') || (spacing === ' ' && WIDE.test(present))) continue;
    const [left, right] = [i - 1, i].map(index => shapeOf(old.tokens[index]!.text, file.tokens[oldToFile[index]!]!.text));
    observed.push({ left: left!, spacing, right: right!, present });
  }
  return observed;
}

/** Full-width punctuation of the file is filed as such: it has other spacings beside it than its ASCII form. */
function shapeOf(old: string, file: string): string {
  return isFullWidth(file) ? file : old;
}

/** What a spacing is filed under, the most particular first. Plain single spaces and no space count only beside their token. */
function keysOf({ left, spacing, right }: InlineSpacing): string[] {
  const keys = [`both ${left}|${spacing}|${right}`, `left ${left}|${spacing}`, `right ${spacing}|${right}`];
  if (/^[\p{L}\p{N}_$]/u.test(left)) keys.splice(1, 1);
  if (/^[\p{L}\p{N}_$]/u.test(right)) keys.splice(-1, 1);
  if (isCjkBorder(left, right)) keys.push(`cjk ${spacing}`);
  if (EXOTIC.test(spacing)) keys.push(`exotic ${spacing}`);
  if (WIDE.test(spacing)) keys.push('wide');
  return keys;
}

/** Two words stay two words. */
function withoutJoining({ left, spacing, right }: InlineSpacing, present: string): string {
  return present === '' && WORD_END.test(left) && WORD_START.test(right) && !isCjkBorder(left, right) ? spacing : present;
}

function isCjkBorder(left: string, right: string): boolean {
  return CJK.test(left) ? LATIN.test(right) : LATIN.test(left) && CJK.test(right);
}

function commonest(row: ReadonlyMap<string, number>): string {
  return [...row].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
