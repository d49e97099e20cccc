import fc from 'fast-check';
import { findOccurrences } from '../../../../src/tools/fuzzy/locate/text_search';

function naive(text: string, pattern: string): number[] {
  const found: number[] = [];
  for (let i = 0; i + pattern.length <= text.length; i++) if (text.startsWith(pattern, i)) found.push(i);
  return found;
}

describe('neta.patch.nine: search for a text', () => {
  it('finds overlapping occurrences', () => {
    expect(findOccurrences('aaaa', 'aa')).toEqual([0, 1, 2]);
  });

  it('finds the same as a naive search, for short and long patterns', () => {
    const letters = fc.stringMatching(/^[ab]{1,6}$/);
    fc.assert(
      fc.property(letters, fc.constantFrom(1, 40, 120), fc.constantFrom(1, 50, 150), letters, (piece, times, copies, tail) => {
        const pattern = piece.repeat(times);
        const text = piece.repeat(copies) + tail + piece.repeat(copies);
        expect(findOccurrences(text, pattern)).toEqual(naive(text, pattern));
      }),
    );
  });

  it('stops at the limit and finds nothing for an empty pattern', () => {
    expect(findOccurrences('aaaa', 'a', 2)).toEqual([0, 1]);
    expect(findOccurrences('aaaa', '')).toEqual([]);
  });
});
