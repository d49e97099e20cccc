import fc from 'fast-check';
import { toWellFormedJson, toWellFormedValue, WellFormedPieces } from '../../src/utils/well_formed';

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('\ud83d', '\ude00', '\\', '"', 'u', 'd83d'), fc.string({ minLength: 1, maxLength: 2 })),
});

describe('toWellFormedJson', () => {
  test.each([
    ['{"a":"\\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":"\\uDE00 x"}', '{"a":"\ufffd x"}'],
    ['{"a":"\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":"\\ud83d\\ude00"}', '{"a":"\\ud83d\\ude00"}'],
    ['{"a":"\\\\ud83d"}', '{"a":"\\\\ud83d"}'],
    ['{"a":"\\\\\\ud83d"}', '{"a":"\\\\\ufffd"}'],
    ['{"a":"\\ud83d\\ud83d\\ude00"}', '{"a":"\ufffd\\ud83d\\ude00"}'],
    ['{"a":"😀\\n"}', '{"a":"😀\\n"}'],
  ])('%j', (json, expected) => {
    expect(toWellFormedJson(json)).toBe(expected);
  });

  test('means the same as replacing the halves in the value', () => {
    fc.assert(
      fc.property(text, value => {
        expect(JSON.parse(toWellFormedJson(JSON.stringify(value)))).toBe(value.toWellFormed());
      }),
    );
  });
});

describe('toWellFormedValue', () => {
  test('replaces halves in keys and texts, however deep, and keeps what has none', () => {
    const whole = { a: ['x', { b: '😀', c: 1, d: null }], e: new Date(0) };
    expect(toWellFormedValue(whole)).toBe(whole);
    expect(toWellFormedValue({ 'k\ud83d': [{ b: ['\ude00'] }], c: true })).toEqual({ 'k\ufffd': [{ b: ['\ufffd'] }], c: true });
  });
});

test('a deep value takes a time in proportion to its size', () => {
  let value: unknown = 'x\ud83d';
  for (let i = 0; i < 45; i++) value = { a: [value] };
  expect(JSON.stringify(toWellFormedValue(value))).toContain('x\ufffd');
});

describe('WellFormedPieces', () => {
  test('gives the same text however it was cut, and never half of a character', () => {
    fc.assert(
      fc.property(fc.array(text), pieces => {
        const joiner = new WellFormedPieces();
        const given = [...pieces.map(piece => joiner.push(piece)), joiner.end()];
        expect(given.every(piece => piece.isWellFormed())).toBe(true);
        expect(given.join('')).toBe(pieces.join('').toWellFormed());
      }),
    );
  });
});
