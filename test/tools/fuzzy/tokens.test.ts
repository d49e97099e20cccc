import fc from 'fast-check';
import { indentBefore, lineText, spacingBefore, tokenize } from '../../../src/tools/fuzzy/tokens';

describe('neta.patch.result: tokens', () => {
  it('splits words, CJK characters, runs of dashes and dots, and other characters', () => {
    expect(tokenize('foo_1 + \u4e2d\u6587ab -- ...x\ud83d\ude00').tokens.map(token => token.text)).toEqual([
      ...['foo_1', '+', '\u4e2d', '\u6587', 'ab', '--', '...', 'x', '\ud83d\ude00'],
    ]);
  });

  it('keeps combining marks with their base character', () => {
    expect(tokenize('cafe\u0301 !\u0301').tokens.map(token => token.text)).toEqual(['cafe\u0301', '!\u0301']);
  });

  it('treats escapes as white space with escapesAreSpace', () => {
    expect(tokenize('a\\nb \\"c\\"', 0, 10, { escapesAreSpace: true }).tokens.map(token => token.text)).toEqual(['a', 'b', '"', 'c', '"']);
  });

  it('finds lines and indentation; blank lines belong to the spacing', () => {
    const view = tokenize('  a b\n\n\tc');
    expect(view.lines.map((_, line) => lineText(view, line))).toEqual(['a b', 'c']);
    expect([indentBefore(view, 0), indentBefore(view, 1), indentBefore(view, 2)]).toEqual(['  ', undefined, '\t']);
    expect(spacingBefore(view, 2)).toBe('\n\n\t');
  });

  it('loses nothing: spacing and tokens together are the source', () => {
    const source = fc.array(
      fc.constantFrom('a', '1', ' ', '\n', '\r\n', '-', '.', '\u00e9', '\u4e2d', '\ud83d\ude00', '\ud83d', '\u0301', '\u200b', '"'),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(source, units => {
        const view = tokenize(units.join(''));
        const parts = view.tokens.map((token, i) => spacingBefore(view, i) + token.text);
        expect(parts.join('') + spacingBefore(view, view.tokens.length)).toBe(view.source);
      }),
    );
  });
});
