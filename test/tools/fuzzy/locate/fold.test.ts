import fc from 'fast-check';
import { canonicalText } from '../../../../src/tools/fuzzy/characters';
import { characterEnd, dropEscapes, foldText } from '../../../../src/tools/fuzzy/locate/fold';

describe('neta.patch.nine: folding', () => {
  it.each([
    ['white space of every kind', 'a \t\r\n\u00a0\u3000\u200b\ufeffb', 'ab'],
    ['smart quotes', '\u201ca\u201d \u2018b\u2019', '"a"\'b\''],
    ['runs of dashes', 'a \u2014 b -- c\u2011d', 'a-b-c-d'],
    ['ellipses and full-width forms', '\u2026\uff0c\uff08\uff21\uff09\u3002', '...,(A).'],
    ['combining marks, composed or not', '\u00e9e\u0301', 'ee'],
  ])('folds %s', (_, source, folded) => {
    expect(foldText(source).text).toBe(folded);
  });

  it('maps every folded unit to the character it came from', () => {
    const { text, positionOf } = foldText(' a \u2026\ud83d\ude00 \ufb01');
    expect(text).toBe('a...\ud83d\ude00fi');
    expect([...Array(text.length).keys()].map(positionOf)).toEqual([1, 3, 3, 3, 4, 4, 7, 7]);
    expect([positionOf(-1), positionOf(text.length)]).toEqual([-1, -1]);
  });

  it('returns increasing positions within the source for any text', () => {
    const source = fc.array(fc.nat(0xffff), { maxLength: 60 }).map(codes => String.fromCharCode(...codes));
    fc.assert(
      fc.property(source, value => {
        const { text, positionOf } = foldText(value);
        for (let i = 0; i < text.length; i++) {
          expect(positionOf(i)).toBeGreaterThanOrEqual(i === 0 ? 0 : positionOf(i - 1));
          expect(positionOf(i)).toBeLessThan(value.length);
        }
      }),
    );
  });

  it('drops escapes and still maps to the source', () => {
    const folded = dropEscapes(foldText('a\\n b\\"c \\d'));
    expect(folded.text).toBe('ab"cd');
    expect([0, 1, 2, 3, 4].map(folded.positionOf)).toEqual([0, 4, 6, 7, 10]);
  });

  it('keeps the letter after a backslash that ends a line', () => {
    expect(dropEscapes(foldText('a \\\nnext')).text).toBe('anext');
  });

  it('includes marks and joiners in a character', () => {
    expect(characterEnd('e\u0301\u0301x', 0)).toBe(3);
    expect(characterEnd('\ud83d\ude00\u200dx', 0)).toBe(3);
  });
});

describe('neta.patch.nine: strict comparison', () => {
  it('unifies typography and compatibility forms but not accents', () => {
    expect(canonicalText('\u201c\uff21\u2019')).toBe('"A\'');
    expect(canonicalText('cafe\u0301')).toBe('caf\u00e9');
    expect(canonicalText('caf\u00e9')).not.toBe('cafe');
  });
});
