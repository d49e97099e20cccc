import { distinctName, foldName, visibleName } from '../../src/utils/look_alike_names';

it.each([
  ['4.42\u202fPM.txt', '4.42 PM.txt'],
  ['v\u00a013.txt', 'v 13.txt'],
  ['a\u3000b', 'a b'],
  ['a\u1680b', 'a b'],
  ['Resume\u0301', 'Resum\u00e9'],
  ['\u1112\u1161\u11ab.txt', '한.txt'],
  ['it\u2019s \u201cmine\u201d', 'it\'s "mine"'],
  ['1\u20132', '1-2'],
  ['ａｂ（１）.txt', 'ab(1).txt'],
  ['a\u200bb\ufeff\u00ad\u200e.txt', 'ab.txt'],
  ['\u2764\ufe0f.txt', '\u2764.txt'],
  ['notes.txt ', 'notes.txt'],
  ['4.42\\u202fPM.txt', '4.42\u202fPM.txt'],
])('finds that %j looks like %j, and shows the difference', (name, other) => {
  expect(foldName(name)).toBe(foldName(other));
  expect(distinctName(name)).not.toBe(distinctName(other));
});

it.each([
  ['a.txt', 'A.txt'],
  ['a.txt', 'а.txt'],
  ['a b', 'ab'],
  ['résumé', 'resume'],
])('tells %j from %j', (name, other) => expect(foldName(name)).not.toBe(foldName(other)));

it('shows odd blanks, invisible characters and controls as escapes, and leaves other names as they are', () => {
  for (const name of ['plain name.txt', 'Résumé.txt', '报告（最终）.md', '👩\u200d👧.txt', 'نامه\u200cها.txt', 'it’s.txt'])
    expect(visibleName(name)).toBe(name);
  expect(visibleName('4.42\u202fPM')).toBe('"4.42\\u202fPM"');
  expect(visibleName('a\u200b"b"\n\u2028')).toBe('"a\\u200b\\"b\\"\\n\\u2028"');
  expect(visibleName('\u{e0041}x')).toBe('"\\udb40\\udc41x"');
});
