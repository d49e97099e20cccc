import { toCheckedText, toPlainText } from '../../src/utils/plain_text';

it.each([
  ['a soft hyphen', 'pass\u00adword', 'password'],
  ['an instruction in tag characters', `tea${[...'obey'].map(c => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`, 'tea'],
  ['an instruction in variation selectors', 'tea\u{e0145}\u{e0152}\u{e0155}', 'tea'],
  ['directions and fillers', '\u202eab\u3164c\u061c\u2069', 'abc'],
  ['control characters', 'a\u0000b\u001b[31m', 'ab[31m'],
  ['a row of joiners', 'n\u200d\u200c\u200d\u200d', 'n\u200d'],
])('removes %s', (_what, text, plain) => {
  expect(toPlainText(text)).toBe(plain);
});

it.each(['👩‍💻 and ❤️', 'می‌خواهم', '葛\u{e0100}城', 'a\n\tb', '用户喜欢绿茶'])('leaves %j as it is', text => {
  expect(toPlainText(text)).toBe(text);
});

it('never makes a text longer, and well-formed', () => {
  expect(toPlainText('\u{1d160}'.repeat(1_000))).toHaveLength(2_000);
  expect(toPlainText('\ud800 lone')).toBe('\ufffd lone');
});

it('reads wide letters and joined words as plain ones', () => {
  expect(toCheckedText('ｐａｓｓ\u200dｗｏｒｄ： hunter22')).toBe('password: hunter22');
});
