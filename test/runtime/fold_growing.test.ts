import fc from 'fast-check';
import { foldGrowing } from '../../src/runtime/fold_growing';

/** Joins words, and counts how often one was added. */
function createJoin() {
  let added = 0;
  const join = foldGrowing<string, { text: string }>(
    () => ({ text: '' }),
    (state, word) => {
      added += 1;
      state.text += `${word} `;
    },
  );
  return { join: (words: readonly string[]) => join(words).text, added: () => added };
}

it('folds what a list grew by, and nothing twice', () => {
  const { join, added } = createJoin();
  const words = ['one', 'two'];
  expect(join(words)).toBe('one two ');
  words.push('three');
  expect(join(words)).toBe('one two three ');
  expect(join(words)).toBe('one two three ');
  expect(added()).toBe(3);
});

it('folds another list with the same items on its own', () => {
  const { join } = createJoin();
  expect(join(['one'])).toBe('one ');
  expect(join(['one'])).toBe('one ');
});

it('gives what a fold of the whole list gives, also after the end of the list was replaced', () => {
  const changes = fc.array(fc.record({ keep: fc.nat(12), more: fc.array(fc.uuid(), { maxLength: 4 }) }), { maxLength: 12 });
  fc.assert(
    fc.property(changes, steps => {
      const { join } = createJoin();
      const words: string[] = [];
      for (const { keep, more } of steps) {
        words.splice(keep, Number.POSITIVE_INFINITY, ...more);
        expect(join(words)).toBe(words.map(word => `${word} `).join(''));
      }
    }),
  );
});
