import fc from 'fast-check';
import { clipMiddle, clipStart } from '../../src/utils/clip_text';

describe('clipStart', () => {
  it('never splits a surrogate pair', () => {
    expect(clipStart('a\u{1F600}b', 2)).toBe('a');
    expect(clipStart('a\u{1F600}b', 3)).toBe('a\u{1F600}');
    expect(clipStart('abc', 3)).toBe('abc');
  });
});

describe('clipMiddle', () => {
  it('returns a text that fits unchanged', () => {
    expect(clipMiddle('你好', 6, 0.5)).toBe('你好');
  });

  it('keeps whole characters of both ends, within the limit, and says how many bytes are missing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '你', '\u{1F600}'), minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 9 }), (whole, limit) => {
        const clipped = clipMiddle(whole, limit, 0.25);
        const bytes = Buffer.byteLength(whole);
        if (bytes <= limit) return expect(clipped).toBe(whole);
        const [, head = '', missing, tail = ''] = /^(.*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n(.*)$/su.exec(clipped) ?? [];
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(missing)).toBe(bytes);
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(limit + 3);
      }),
    );
  });
});
