import { findKeyProblem } from '../../config/settings/key_problem';

it.each([
  ['sk-abc\u201d123', 'U+201D at position 7'],
  ['sk-abc\u00e9', 'U+00E9 at position 7'],
  ['sk abc', 'U+0020 at position 3'],
  ['sk\nabc', 'U+000A at position 3'],
  ['sk\u200babc', 'U+200B at position 3'],
  ['sk\u{1f600}', 'U+1F600 at position 3'],
  ['Bearer sk-abc', 'begins with the word Bearer'],
  ['"sk-abc"', 'quotation marks'],
])('says what is wrong with %j, without the key', (key, said) => {
  const problem = findKeyProblem(key);
  expect(problem).toContain(said);
  expect(problem).not.toContain(key);
});

it('takes usual keys', () => {
  expect(findKeyProblem('sk-proj_AbC.123+/=:~')).toBeUndefined();
});
