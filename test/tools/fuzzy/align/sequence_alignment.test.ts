import fc from 'fast-check';
import { alignSequences } from '../../../../src/tools/fuzzy/align/sequence_alignment';
import { Budget, BudgetExceeded } from '../../../../src/tools/fuzzy/budget';

describe('neta.patch.result: alignment', () => {
  it('pairs equal elements in increasing order', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        let previous: [number, number] = [-1, -1];
        for (const [i, j] of alignSequences(a, b, new Budget())) {
          expect(a[i]).toBe(b[j]);
          expect(i).toBeGreaterThan(previous[0]);
          expect(j).toBeGreaterThan(previous[1]);
          previous = [i, j];
        }
      }),
    );
  });

  it('pairs everything around an insertion', () => {
    expect(alignSequences(['a', '}', 'c'], ['a', '}', 'x', 'c'], new Budget())).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
    ]);
  });

  it('stops when the work limit is reached', () => {
    const long = Array.from({ length: 1000 }, (_, i) => String(i % 3));
    expect(() => alignSequences(long, long.toReversed(), new Budget(10_000))).toThrow(BudgetExceeded);
  });
});
