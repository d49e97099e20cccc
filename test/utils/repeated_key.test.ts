import { parseDocument } from 'yaml';
import { findRepeatedKey, REPEATED_KEYS_PASS } from '../../src/utils/repeated_key';

const repeatedIn = (text: string) => findRepeatedKey(parseDocument(text, REPEATED_KEYS_PASS));

it.each([
  ['a: 1\nb: 2\na: 3\n', 10],
  ['a: { b: 1, b: 2 }\n', 11],
  ['- x: 1\n- { y: 1, y: 2 }\n', 17],
  ['1: a\n1: b\n', 5],
])('finds the second key in %j', (text, offset) => {
  expect(repeatedIn(text)).toBe(offset);
});

it.each(['a: 1\nb: { a: 1 }\n', '1: a\n"1": b\n', '[a, a]\n', ''])('finds none in %j', text => {
  expect(repeatedIn(text)).toBeUndefined();
});
