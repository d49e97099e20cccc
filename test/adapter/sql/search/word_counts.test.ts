import fc from 'fast-check';
import { countOf, hashOf, packCounts } from '../../../../src/adapter/sql/search/word_counts';

it('tells how often each word of a text occurs, also after a database returned the bytes', () => {
  const word = fc.constantFrom('a', 'b', 'ab', '绿茶', 'tea', 'kitten', 'z'.repeat(64));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), words => {
      const counts = packCounts(words);
      const stored = counts && new Uint8Array(counts);
      for (const one of words) {
        const count = words.filter(other => other === one).length;
        expect(countOf(stored, hashOf(one))).toBe(Math.min(count, 255));
      }
      expect(countOf(stored, hashOf('absent'))).toBe(1);
    }),
  );
});

it('keeps nothing for words that occur once, and the 256 most frequent words of a long text', () => {
  expect(packCounts(['a', 'b', 'c'])).toBeNull();
  const words = Array.from({ length: 600 }, (_, i) => Array.from({ length: i < 10 ? 9 : 2 }, () => `word${i}`)).flat();
  const counts = packCounts(words);
  expect(counts).toHaveLength(256 * 4);
  expect(Array.from({ length: 10 }, (_, i) => countOf(counts, hashOf(`word${i}`)))).toEqual(Array(10).fill(9));
});
