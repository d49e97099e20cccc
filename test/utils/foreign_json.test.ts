import { readForeignJson } from '../../src/utils/foreign_json';

describe('JSON of other servers', () => {
  it('is parsed', () => {
    const padded = Buffer.from('xx{"a":["灯",1]}xx');
    expect(readForeignJson(padded.subarray(2, -2))).toEqual({ a: ['灯', 1] });
  });

  it.each([
    ['no JSON', '<html>', /JSON/],
    ['a text that is cut', '{"a":', /JSON/],
    ['nesting without end', `${'['.repeat(65)}${']'.repeat(65)}`, /nested more than 64 deep/],
    ['more than 512 KiB', `"${'x'.repeat(512 * 1024)}"`, /more than 512 KiB/],
  ])('refuses %s', (_, text, words) => {
    expect(() => readForeignJson(Buffer.from(text))).toThrow(words);
  });
});
