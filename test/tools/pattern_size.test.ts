import { patternSize } from '../../src/tools/pattern_size';

describe('the size of a pattern', () => {
  it.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['a{10}', 10],
    ['a{2,5}b', 6],
    ['a{3,}', 3],
    ['[a-z]{1,63}', 63],
    ['(ab){100}', 300],
    ['((a{10}){10}){10}', 1_110],
    ['\\{10\\}', 4],
    ['[{5}]', 1],
    ['\\p{L}{10}', 200],
    [')))(((', 3],
  ])('of %j is %i', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size);
  });
});
