import { findBegunMention, findMentions, toMention } from '../../../web/src/markdown/mentions';

const pathsOf = (text: string) => findMentions(text).map(({ path }) => path);

it.each([
  ['read @a.md', ['a.md']],
  ['@docs/a.md, then @b.csv.', ['docs/a.md', 'b.csv']],
  ['请看 @docs/a.md，然后@b.csv。', ['docs/a.md', 'b.csv']],
  ['（@报告.md）', ['报告.md']],
  ['use @"my report.csv" now', ['my report.csv']],
  ['write to bob@example.com or see https://x.org/@y.z', []],
])('finds the paths in %j', (text, paths) => {
  expect(pathsOf(text)).toEqual(paths);
});

it('finds a path that it has written', () => {
  for (const path of ['a.md', 'docs/v1.2 notes.md', '报告/一.md', 'x-2.tar.gz']) expect(pathsOf(`see ${toMention(path)} `)).toEqual([path]);
});

it('finds the beginning of a path at the end of a text', () => {
  expect(findBegunMention('请看@doc')).toBe('doc');
  expect(findBegunMention('see @')).toBe('');
  expect(findBegunMention('see @docs/a.md ')).toBeUndefined();
  expect(findBegunMention('bob@exam')).toBeUndefined();
});
