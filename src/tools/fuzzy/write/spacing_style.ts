import type { Location } from '../location';
import { spacingBefore } from '../tokens';
import { isFullWidth } from './typography';

/** The spacing between two tokens on one line, as the model writes it. */
export interface InlineSpacing {
  left: string;
  spacing: string;
  right: string;
}

/** Rewrites an added spacing in the file's style. */
export type SpacingStyle = (spacing: InlineSpacing) => string;

const EXOTIC = /[^\t\n\v\f\r ]/;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LATIN = /^[\p{Script=Latin}\p{N}]/u;
const WORD_START = /^[\p{L}\p{N}_$]/u;
const WORD_END = /[\p{L}\p{M}\p{N}_$]$/u;
const WIDE = /^ {2,}$/;

/**
 * Learns spacing from aligned tokens of old and the file. If the file never has a spacing of old beside a token, added text gets
 * the file's spacing there. Double spaces and no-break spaces that the file never has become plain spaces.
 */
export function learnSpacing(location: Location): SpacingStyle {
  const counterparts = new Map<string, Map<string, number>>();
  const observe = (key: string, present: string): void => {
    const row = counterparts.get(key) ?? new Map<string, number>();
    row.set(present, (row.get(present) ?? 0) + 1);
    counterparts.set(key, row);
  };
  const observed = observedSpacing(location);
  const rewritten = new Set(observed.filter(({ spacing, present }) => spacing !== present).map(({ spacing }) => spacing));
  const rewritesWide = [...rewritten].some(spacing => WIDE.test(spacing));
  for (const pair of observed) {
    // Other spacings are never rewritten, so they need no entry. All wide spacings share one.
    if (rewritten.has(pair.spacing)) for (const key of keysOf(pair)) observe(key, pair.present);
    else if (rewritesWide && WIDE.test(pair.spacing)) observe('wide', pair.present);
  }
  if (counterparts.size === 0) return spacing => spacing.spacing;
  return spacing => {
    for (const key of keysOf(spacing)) {
      const row = counterparts.get(key);
      if (row && !row.has(spacing.spacing)) return keepWordsApart(spacing, mostFrequent(row));
    }
    return spacing.spacing;
  };
}

/** Pairs each inline spacing of old with the file's. */
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

/** Uses the file's full-width punctuation as the key: it has its own spacing. */
function shapeOf(old: string, file: string): string {
  return isFullWidth(file) ? file : old;
}

/** Returns the lookup keys of a spacing, most specific first. Single spaces and no space are keyed by token only. */
function keysOf({ left, spacing, right }: InlineSpacing): string[] {
  const keys = [`both ${left}|${spacing}|${right}`, `left ${left}|${spacing}`, `right ${spacing}|${right}`];
  if (/^[\p{L}\p{N}_$]/u.test(left)) keys.splice(1, 1);
  if (/^[\p{L}\p{N}_$]/u.test(right)) keys.splice(-1, 1);
  if (isCjkBorder(left, right)) keys.push(`cjk ${spacing}`);
  if (EXOTIC.test(spacing)) keys.push(`exotic ${spacing}`);
  if (WIDE.test(spacing)) keys.push('wide');
  return keys;
}

/** Never joins two words. */
function keepWordsApart({ left, spacing, right }: InlineSpacing, present: string): string {
  return present === '' && WORD_END.test(left) && WORD_START.test(right) && !isCjkBorder(left, right) ? spacing : present;
}

function isCjkBorder(left: string, right: string): boolean {
  return CJK.test(left) ? LATIN.test(right) : LATIN.test(left) && CJK.test(right);
}

function mostFrequent(row: ReadonlyMap<string, number>): string {
  return [...row].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
