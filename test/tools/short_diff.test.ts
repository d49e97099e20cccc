import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { shortDiff } from '../../src/tools/short_diff';

describe('shortDiff', () => {
  it('returns a diff that turns the old text into the new one', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', '  d');
    const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.boolean()).map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { text: diff } = shortDiff('f', before, after);
        if (before === after) expect(diff).toBe('');
        else expect(applyPatch(before, parsePatch(diff)[0] ?? '')).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  it('numbers the changed lines of the new text', () => {
    const before = 'one\ntwo\nthree\nfour\n';
    expect(shortDiff('f', before, 'one\n2\nthree\nfour\n').lines).toEqual([2, 2]);
    expect(shortDiff('f', before, 'one\ntwo\nthree\nfour\nfive\nsix\n').lines).toEqual([5, 6]);
    expect(shortDiff('f', before, 'one\nfour\n').lines).toEqual([2, 2]);
  });

  it('diffs a small change in a large text quickly and correctly', () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i}`);
    const before = lines.join('\n');
    const { text, lines: changed } = shortDiff('f', before, before.replace('line 100000', 'LINE'));
    expect(changed).toEqual([100_001, 100_001]);
    expect(text).toContain('@@ -99998,7 +99998,7 @@');
    expect(text).toContain('-line 100000\n+LINE');
  });

  it('counts the whole change, also where the diff is clipped, and nothing that is too large to compare', () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `a long line of the text, with the number ${from + i}\n`).join('');
    const clipped = shortDiff('f', lines(0, 400), lines(0, 100) + lines(1000, 1120) + lines(180, 400));
    expect(clipped).toMatchObject({ text: expect.stringContaining('more lines of diff'), added: 120, removed: 80 });
    expect(shortDiff('f', '', lines(0, 5_000))).toMatchObject({ added: 5_000, removed: 0 });
    const rewritten = shortDiff('f', lines(0, 5_000), lines(5_000, 10_000));
    expect([rewritten.added, rewritten.removed]).toEqual([undefined, undefined]);
  });

  it('shows the beginning when all of a large text changes', () => {
    const before = 'old\n'.repeat(200_000);
    const { text } = shortDiff('f', before, before.replaceAll('old', 'new'));
    expect(text).toContain('-old');
    expect(text).toContain('more changes follow');
    expect(text.length).toBeLessThan(9_000);
  });
});
