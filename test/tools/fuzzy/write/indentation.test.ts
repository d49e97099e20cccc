import { tokenize } from '../../../../src/tools/fuzzy/tokens';
import { createIndentMap, indentBySyntax, indentPairs, indentUnit } from '../../../../src/tools/fuzzy/write/indentation';

function translate(pairs: [string, string][], indent: string, samples = { model: [] as string[], file: [] as string[] }): string {
  return createIndentMap(
    pairs.map(([old, file]) => ({ old, file })),
    () => samples,
  ).translate(indent);
}

describe('neta.patch.result: indentation', () => {
  it.each([
    ['a known depth by what the file has there', [['  ', '\t']], '  ', '\t'],
    [
      'a lost common indentation by adding it',
      [
        ['', '    '],
        ['  ', '      '],
      ],
      '    ',
      '        ',
    ],
    [
      'a surplus common indentation by removing it',
      [
        ['    ', ''],
        ['      ', '  '],
      ],
      '        ',
      '    ',
    ],
    [
      'doubled units by halving',
      [
        ['    ', '  '],
        ['        ', '    '],
      ],
      '            ',
      '      ',
    ],
    ['an unchanged indentation as it is', [['  ', '  ']], '      ', '      '],
  ] as [string, [string, string][], string, string][])('translates %s', (_, pairs, indent, expected) => {
    expect(translate(pairs, indent)).toBe(expected);
  });

  it('translates unknown depths by the indentation units of both sides', () => {
    const samples = { model: ['    ', '        ', '            '], file: ['\t', '\t\t'] };
    expect(translate([['    ', '\t']], '            ', samples)).toBe('\t\t\t');
  });

  it('ignores a first line that alone lost its indentation', () => {
    const old = tokenize('a\n  b\n  c');
    const file = tokenize('  a\n  b\n  c');
    expect(indentPairs(old, file, Int32Array.from([0, 1, 2]))).toEqual([
      { old: '  ', file: '  ' },
      { old: '  ', file: '  ' },
    ]);
  });

  it('detects lost indentation and derives the depth from brackets', () => {
    const map = createIndentMap(
      [
        { old: '', file: '' },
        { old: '', file: '  ' },
      ],
      () => ({ model: [], file: ['  '] }),
    );
    expect(map.flattened).toBe(true);
    expect(indentBySyntax({ indent: '  ', text: '  if (a) {' }, 'b();', '  ')).toEqual({ indent: '    ' });
    expect(indentBySyntax({ indent: '    ', text: '    b();' }, '}', '  ')).toEqual({ indent: '  ' });
  });

  it('finds the indentation unit of sample lines', () => {
    expect([indentUnit(['    ', '        ']), indentUnit(['  ', '      ']), indentUnit(['\t\t']), indentUnit([''])]).toEqual([
      '    ',
      '  ',
      '\t',
      undefined,
    ]);
  });
});
