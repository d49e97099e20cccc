import { editDistance } from '../../../../src/tools/fuzzy/align/edit_distance';
import { Budget } from '../../../../src/tools/fuzzy/budget';

describe('neta.patch.nine: edit distance', () => {
  it.each([
    ['amount', 'ammount', 1],
    ['return', 'retrun', 1],
    ['value', 'vaule', 1],
    ['same', 'same', 0],
    ['', 'ab', 2],
    ['completely', 'different!', 4],
  ])('from %s to %s is %d with a limit of 3', (a, b, distance) => {
    expect(editDistance(a, b, 3, new Budget())).toBe(distance);
  });
});
