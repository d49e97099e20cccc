/** Counts and reverses text as people see it: a flag or an accented letter is one character, and Chinese is split into words. */

import type { TextStatistics } from '../../port/cpu_tasks';

export const MAX_TEXT_UNITS = 100_000;

/** Measures a text. Takes about 100 ms for the longest text. */
export function measureText(text: string): TextStatistics {
  return { characters: characterCount(text), words: wordCount(text), lines: lineCount(text), bytes: Buffer.byteLength(text) };
}

/** Counts lines. A line end at the end of the text does not begin another line. */
export function lineCount(text: string): number {
  if (text === '') return 0;
  return (text.match(/\r\n|\r|\n/g)?.length ?? 0) + (/[\r\n]$/.test(text) ? 0 : 1);
}

/** Counts words as people see them; Chinese is split into words. */
export function wordCount(text: string): number {
  let count = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) if (isWordLike) count += 1;
  return count;
}

/** Reverses the text by characters as people see them. */
export function reverseText(text: string): string {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    .reverse()
    .join('');
}

function characterCount(text: string): number {
  let count = 0;
  for (const _ of new Intl.Segmenter().segment(text)) count += 1;
  return count;
}
