import fc from 'fast-check';
import { Budget } from '../../../../src/tools/fuzzy/budget';
import { FileView } from '../../../../src/tools/fuzzy/locate/file_view';
import { foldText } from '../../../../src/tools/fuzzy/locate/fold';
import { findFolded, toFoldedSearch } from '../../../../src/tools/fuzzy/locate/folded_levels';
import { foldAroundWord, hidesWords } from '../../../../src/tools/fuzzy/locate/word_windows';
import { tokenize } from '../../../../src/tools/fuzzy/tokens';

const piece = fc.constantFrom(
  ...[
    'alpha',
    'beta',
    'gamma',
    'be',
    'alphas',
    'x',
    '1',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '-',
    '--',
    '- -',
    '\u2014',
    '(',
    ')',
    ';',
    '\u2026',
  ],
  ...['\u00a0', '\u200b', '\u0301', '\ufb01', '\uff41', '\u4e2d', '\u{1f600}', '\u{1d41a}', '\ud83d', '\u201c', '"', '\u00e9'],
);
const text = fc.array(piece, { minLength: 1, maxLength: 60 }).map(pieces => pieces.join(''));

function places(view: FileView, search: string) {
  return findFolded(view, toFoldedSearch(search), new Budget()).map(({ start, end, strategy }) => [start, end, strategy]);
}

describe('neta.patch.nine: folding only around a rare word', () => {
  it('finds the same places as folding the whole file', () => {
    let found = 0;
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 40 }), fc.boolean(), (content, from, length, tight) => {
        const start = from % content.length;
        const quoted = content.slice(start, start + length);
        const search = tight ? quoted.replace(/[ \t]+/g, '') : quoted.replace(/ /g, '  ');
        const padded = `${'other words; '.repeat(8)}\n${content}\n${'and more of them; '.repeat(8)}`;
        const whole = new FileView(padded);
        whole.folded();
        const expected = places(whole, search);
        found += expected.length;
        expect(places(new FileView(padded), search)).toEqual(expected);
      }),
      { numRuns: 1500 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it('folds the surroundings of the word like the whole text, also with dashes at the edges', () => {
    const content = `${'a - - b -- c; '.repeat(20)}- - rare - word -- - ${'d -- e; '.repeat(20)}`;
    const around = foldAroundWord(content, tokenize('rare'), 4);
    const whole = foldText(content);
    const at = around?.text.indexOf('rare') ?? -1;
    const there = whole.text.indexOf('rare');
    expect(around?.text.length).toBeLessThan(30);
    for (let k = -4; k < 8; k++) {
      expect(around?.text.charAt(at + k)).toBe(whole.text.charAt(there + k));
      expect(around?.positionOf(at + k)).toBe(whole.positionOf(there + k));
    }
  });

  it('detects characters that may hide an ASCII word, such as full-width letters', () => {
    for (const disguised of ['\uff41', '\ufb01', '\u00b2', '\u212a', '\u{1d41a}', '\uff3f'])
      expect(hidesWords(`plain ${disguised}`)).toBe(true);
    for (const honest of ['\u00e9', '\u4e2d\u6587', '\ud55c', '\u{1f600}', '\u201c\u2014\u2026', '\ud83d'])
      expect(hidesWords(`plain ${honest}`)).toBe(false);
  });

  it('detects every character that folds to an ASCII letter', () => {
    const missed: string[] = [];
    for (let point = 0x80; point < 0x20000; point++) {
      const character = String.fromCodePoint(point);
      if (/[A-Za-z0-9_$]/.test(character.normalize('NFKC')) && !hidesWords(character)) missed.push(point.toString(16));
    }
    expect(missed).toEqual([]);
  });
});
