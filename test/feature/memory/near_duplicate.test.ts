import { nearestDuplicate } from '../../../src/feature/memory/near_duplicate';
import { aMemory } from '../../support/store_records';

const memories = (...texts: string[]) => texts.map((text, i) => aMemory({ id: `mem_${i}`, text }));
const nearest = (text: string, ...texts: string[]) => nearestDuplicate(text, memories(...texts))?.id;

it('finds the memory with at least 0.8 of all words in common, and the most similar of several', () => {
  expect(nearest('one two three four', 'one two three four five')).toBe('mem_0');
  expect(nearest('one two three four', 'one two three five')).toBeUndefined();
  expect(nearest('one two three four', 'one two three four five', 'four three two ONE')).toBe('mem_1');
});

it('compares Chinese texts by pairs of characters', () => {
  expect(nearest('用户每天早上喜欢喝一杯热的绿茶。', '用户每天早上喜欢喝一杯热的绿茶吗')).toBe('mem_0');
  expect(nearest('用户喜欢绿茶', '用户喜欢红茶')).toBeUndefined();
});

it('finds nothing for texts without words', () => {
  expect(nearest('🍵', '🍵')).toBeUndefined();
});
