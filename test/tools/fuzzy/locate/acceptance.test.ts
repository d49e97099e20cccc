import { acceptedLevel } from '../../../../src/tools/fuzzy/locate/acceptance';
import type { LineMatch, LineMatchKind } from '../../../../src/tools/fuzzy/location';

const KINDS: Record<string, LineMatchKind> = { e: 'equal', t: 'typo', r: 'reworded', s: 'stale', d: 'different', m: 'missing' };

/** One letter for each line of the quotation; a dot is a line of the file that the quotation leaves out. */
function levelOf(pattern: string, length = 30): string | undefined {
  const lines: LineMatch[] = [];
  let fileLine = 0;
  for (const letter of pattern) {
    if (letter !== '.') lines.push({ kind: KINDS[letter] ?? 'different', fileLine: letter === 'm' ? -1 : fileLine });
    if (letter !== 'm') fileLine += 1;
  }
  return acceptedLevel(
    lines,
    lines.map(() => length),
  );
}

describe('a quotation is accepted', () => {
  it.each([
    ['equal at both ends, with most of its middle', 'eeeddeee', 'block_anchor'],
    ['that leaves out two lines of the file', 'ee..ee', 'block_anchor'],
    ['with one wrong line', 'eeedeeet', 'context_aware'],
    ['with one missing line', 'eeemeeet', 'context_aware'],
    ['with two wrong lines among twenty', 'eeeeeeeeeddeeeeeeeet', 'context_aware'],
    ['with typos in each line', 'tttttttt', 'context_aware'],
    ['of two lines with typos', 'tt', 'context_aware'],
  ])('%s: %s', (_what, pattern, level) => {
    expect(levelOf(pattern)).toBe(level);
  });
});

describe('a quotation is refused', () => {
  it.each([
    ['with two wrong lines among eight, when an end differs', 'eeeddeet'],
    ['with a wrong and a missing line among eight, when an end differs', 'eeedmeet'],
    ['with most of its middle wrong', 'eedde'],
    ['with a stale line', 'eeseeee'],
    ['with a wrong line at an end', 'eeeeeeed'],
    ['of two lines with a wrong one', 'ed'],
    ['with typos in each line and other words in one', 'ttttttrt'],
    ['that leaves out three of seven lines', 'ee...ee'],
  ])('%s: %s', (_what, pattern) => {
    expect(levelOf(pattern)).toBeUndefined();
  });

  it('with one wrong line when the others are too short to tell the place', () => {
    expect([levelOf('eede', 5), levelOf('eede', 10)]).toEqual([undefined, 'context_aware']);
  });
});
