import { createYielder } from './yield_to_event_loop';

/** UTF-16 units that are searched at once. */
const PART_UNITS = 64 * 1024;

/**
 * Counts the places of the words in a text, in upper or lower case and without overlaps, and resolves with the offsets of the first `most`. Lets other
 * work run between parts of a long text.
 */
export async function findAll(text: string, words: string, most: number): Promise<{ count: number; offsets: number[] }> {
  const offsets: number[] = [];
  let count = 0;
  if (words === '') return { count, offsets };
  // Not made lower-case: that would move the places behind some letters.
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
  const giveWay = createYielder();
  for (let start = 0; start < text.length; ) {
    const end = start + PART_UNITS;
    // A match may begin in this part and end in the next one.
    const part = text.slice(start, end + words.length - 1);
    let next = end;
    for (const { index } of part.matchAll(pattern)) {
      count += 1;
      if (offsets.length < most) offsets.push(start + index);
      next = Math.max(next, start + index + words.length);
    }
    start = next;
    await giveWay();
  }
  return { count, offsets };
}
