import type { PatchRefusal } from '../../src/port/patch_engine';
import type { FuzzyMatch, PatchSuccess } from '../../src/tools/fuzzy/types';
import { applyPatch, fuzzyFindAll } from '../../src/tools/fuzzy_match';

const FILE = `import { a } from 'a';

function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

function average(items) {
  if (items.length === 0) {
    return 0;
  }
  // The mean of all the prices in the given list
  const amount = total(items);
  return amount / items.length;
}
`;

function applied(content: string, old: string, next: string, options = {}): PatchSuccess {
  const result = applyPatch(content, old, next, options);
  if (!result.ok) throw new Error(`refused: ${result.code}: ${result.error}`);
  return result;
}

function refused(content: string, old: string, next: string, options = {}): PatchRefusal {
  const result = applyPatch(content, old, next, options);
  if (result.ok) throw new Error(`applied by ${result.strategy}: ${result.content}`);
  return result;
}

function strategies(matches: FuzzyMatch[]): string[] {
  return [...new Set(matches.map(match => match.strategy))];
}

describe('neta.patch.nine: the nine levels of fuzzyFindAll', () => {
  const cases: [string, string, string][] = [
    ['exact', FILE, '  let sum = 0;\n  for'],
    ['line_trimmed', FILE, 'let sum = 0;\n    for (const item of items) {\n  sum += item.price * item.count;  \n}'],
    ['whitespace_normalized', FILE, '  let  sum = 0;\n\n  for (const item of items) {'],
    ['indent_flexible', FILE, 'sum = 0;\nfor (const item of items) {'],
    ['escape_normalized', FILE, '  let sum = 0;\\n  for (const item of items) {'],
    ['trimmed_boundary', FILE, '\n\n\n  let sum = 0;\n  for (const item of items) {'],
    ['unicode_normalized', 'say(“hello”);\n', 'say("hello");'],
    ['block_anchor', FILE, '  let sum = 0;\n    sum += item.price * item.count;\n  }\n  return sum;'],
    ['context_aware', FILE, '  const ammount = total(items);\n  return ammount / items.length;'],
  ];

  it.each(cases)('finds a text at level %s', (strategy, content, search) => {
    const matches = fuzzyFindAll(content, search);
    expect(strategies(matches)).toEqual([strategy]);
    expect(matches).toHaveLength(1);
  });

  it.each(cases)('returns spans of the original text at level %s', (_, content, search) => {
    for (const match of fuzzyFindAll(content, search)) expect(content.slice(match.startIndex, match.endIndex)).toBe(match.matchedText);
  });

  it('uses the first level that matches, so an exact match hides looser ones', () => {
    const content = 'x = 1;\n  x  =  1;\nx = 1;\n';
    const matches = fuzzyFindAll(content, 'x = 1;');
    expect(matches.map(match => [match.strategy, match.startIndex])).toEqual([
      ['exact', 0],
      ['exact', 18],
    ]);
  });

  it('returns ordered matches without overlaps', () => {
    const matches = fuzzyFindAll('aaaaa', 'aa');
    expect(matches.map(match => [match.startIndex, match.endIndex])).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });

  it('finds nothing for an empty search and for text of another file', () => {
    expect(fuzzyFindAll(FILE, '')).toEqual([]);
    expect(fuzzyFindAll(FILE, 'class Elephant {\n  trumpet() {}\n}')).toEqual([]);
    expect(fuzzyFindAll('', 'a')).toEqual([]);
  });

  it('never lets white space join two words or form another operator', () => {
    expect(fuzzyFindAll('returnx;', 'return x;')).toEqual([]);
    expect(fuzzyFindAll('a = b - -c;', 'a = b--c;')).toEqual([]);
  });

  it('treats accented letters as different letters', () => {
    expect(fuzzyFindAll('café au lait, please\n', 'cafe au lait, please')).toEqual([]);
  });
});

describe('neta.patch.result: what a patch writes', () => {
  it('writes new_string at an exact match and reports strategy, count and span', () => {
    const result = applied(FILE, 'return sum;', 'return Math.round(sum);');
    expect(result).toMatchObject({ strategy: 'exact', count: 1 });
    const start = FILE.indexOf('return sum;');
    expect(result.spans).toEqual([[start, start + 'return sum;'.length]]);
    expect(result.content).toBe(FILE.replace('return sum;', () => 'return Math.round(sum);'));
  });

  it('takes dollar signs in new_string literally', () => {
    expect(applied('a b c', 'b', "$& $1 $' $$").content).toBe("a $& $1 $' $$ c");
  });

  it('replaces every match with replace_all', () => {
    expect(applied('a-a-a', 'a', 'bb', { replaceAll: true })).toMatchObject({ content: 'bb-bb-bb', count: 3 });
  });

  it('re-indents added lines like the file', () => {
    const old = 'for (const item of items) {\n  sum += item.price * item.count;\n}';
    const next = 'for (const item of items) {\n  if (!item) continue;\n  sum += item.price * item.count;\n}';
    expect(applied(FILE, old, next).content).toBe(FILE.replace('    sum +=', '    if (!item) continue;\n    sum +='));
  });

  it('translates spaces to the tabs of the file', () => {
    const file = 'if (a) {\n\tif (b) {\n\t\tc();\n\t}\n}\n';
    const next = 'if (a) {\n    if (b) {\n        c();\n        if (d) {\n            e();\n        }\n    }\n}\n';
    expect(applied(file, file.replaceAll('\t', '    '), next).content).toBe(
      'if (a) {\n\tif (b) {\n\t\tc();\n\t\tif (d) {\n\t\t\te();\n\t\t}\n\t}\n}\n',
    );
  });

  it('keeps CRLF, also on lines it adds, and the byte order mark', () => {
    const file = '\ufeffone\r\ntwo\r\nthree\r\n';
    expect(applied(file, 'one\ntwo\n', 'one\nand\ntwo\n').content).toBe('\ufeffone\r\nand\r\ntwo\r\nthree\r\n');
    expect(applied(file, ' one\n  two', ' one\n  2').content).toBe('\ufeffone\r\n2\r\nthree\r\n');
  });

  it('gives an added line the line end of its neighbour in a file with mixed line ends', () => {
    expect(applied('a;\nb;\r\nc;\nd;\n', 'b;', 'b;\nx;').content).toBe('a;\nb;\r\nx;\r\nc;\nd;\n');
  });

  it('adds no final newline to a file without one', () => {
    expect(applied('one\ntwo', ' one\ntwo\n', ' one\n2\n').content).toBe('one\n2');
  });

  it('keeps trailing blanks, typography and alignment of unchanged text', () => {
    const file = 'const a    = “x”;  \nconst b = 1;\n';
    expect(applied(file, 'const a = "x";\nconst b = 1;', 'const a = "x";\nconst b = 2;').content).toBe(
      'const a    = “x”;  \nconst b = 2;\n',
    );
  });

  it('writes new text in the quotes the file uses', () => {
    expect(applied('say(“hi”);\n', 'say("hi");', 'say("hi");\nsay("ho");').content).toBe('say(“hi”);\nsay(“ho”);\n');
  });

  it('unescapes new_string together with old_string', () => {
    expect(applied('a("b");\nc();\n', 'a(\\"b\\");\\nc();', 'a(\\"d\\");\\nc();').content).toBe('a("d");\nc();\n');
  });

  it('removes line numbers from both texts', () => {
    expect(applied('alpha();\nbeta();\n', '1\talpha();\n2\tbeta();', '1\talpha();\n2\tgamma();').content).toBe('alpha();\ngamma();\n');
  });

  it('decodes HTML entities and removes Markdown fences in both texts', () => {
    expect(applied('if (a < b && c) x();\n', 'if (a &lt; b &amp;&amp; c)', 'if (a &lt;= b &amp;&amp; c)').content).toBe(
      'if (a <= b && c) x();\n',
    );
    expect(applied('x();\ny();\n', '```js\nx();\n```', '```js\nz();\n```').content).toBe('z();\ny();\n');
  });

  it('keeps file lines that old_string omits', () => {
    const result = applied(
      FILE,
      'function total(items) {\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return sum;\n}',
      'function total(items) {\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return round(sum);\n}',
    );
    expect(result.strategy).toBe('block_anchor');
    expect(result.content).toBe(FILE.replace('return sum', 'return round(sum)'));
    expect(result.warnings?.[0]).toContain('let sum = 0;');
  });

  it('keeps the spelling of the file where old_string has a typo, also in added lines', () => {
    const old = '  const ammount = total(items);\n  return ammount / items.length;';
    const next = '  const ammount = total(items);\n  log(ammount);\n  return ammount / items.length;';
    expect(applied(FILE, old, next).content).toBe(FILE.replace('  return amount', '  log(amount);\n  return amount'));
  });

  it('keeps a comment that old_string rewords', () => {
    const old = '  }\n  // The mean of all prices in a given list\n  const amount = total(items);\n  return amount / items.length;';
    expect(applied(FILE, old, old.replace('return amount', 'return 2 * amount')).content).toBe(
      FILE.replace('return amount', 'return 2 * amount'),
    );
  });

  it('removes whole lines when new_string is empty', () => {
    expect(applied('a\nb\nc\n', 'b', '').content).toBe('a\nc\n');
    expect(applied('a\n\tb\nc\n', '  b', '').content).toBe('a\nc\n');
  });

  it('does not repeat indentation that precedes the match', () => {
    expect(applied('  a();\n', 'a();', '  b();').content).toBe('  b();\n');
  });

  it('never splits a surrogate pair or a character from its combining mark', () => {
    expect(refused('\ud83d\ude00', '\ud83d', 'x').code).toBe('no_match');
    expect(refused('e\u0301', 'e', 'x').code).toBe('no_match');
  });

  it('prefers the one place with identical indentation', () => {
    const file = '  x();\n  y();\n--\n    x(); \n    y();\n';
    expect(applied(file, '    x();\n    y();', '    x();\n    z();').content).toBe('  x();\n  y();\n--\n    x(); \n    z();\n');
  });
});

describe('neta.patch.result: what a patch refuses', () => {
  it('refuses an empty old_string as empty_old', () => {
    expect(refused(FILE, '', 'x').code).toBe('empty_old');
  });

  it('refuses equal texts as identical', () => {
    expect(refused(FILE, 'sum', 'sum').code).toBe('identical');
  });

  it('refuses texts that differ only in line ends as no_change', () => {
    expect(refused('a\nb\n', 'a\r\nb', 'a\nb').code).toBe('no_change');
  });

  it('refuses several matches as ambiguous, with their number and lines', () => {
    const result = refused('a\nb\na\nc\na\n', 'a', 'x');
    expect(result.code).toBe('ambiguous');
    expect(result.error).toContain('3 places');
    expect(result.error).toContain('1, 3, 5');
  });

  it('counts overlapping matches as ambiguous', () => {
    expect(refused('aaa', 'aa', 'x').code).toBe('ambiguous');
  });

  it('refuses inexact matches in several places as ambiguous', () => {
    expect(refused('  f( 1 );\n  f( 1 );\n', 'f(1);', 'g(1);').code).toBe('ambiguous');
  });

  it('refuses an edit that was made before as already_applied', () => {
    const next = '  return Math.round(amount / items.length);';
    const done = applied(FILE, '  return amount / items.length;', next).content;
    expect(refused(done, '  return amount / items.length;', next).code).toBe('already_applied');
  });

  it('refuses an insertion that was made before, although its old_string is still there', () => {
    expect(refused('alpha\nbeta\n', 'alpha\n', 'alpha\nbeta\n').code).toBe('already_applied');
  });

  it('refuses re-indentation that was made before', () => {
    expect(refused('if (a)\n    b();\n', '  b();\n', '    b();\n').code).toBe('already_applied');
  });

  it.each([
    ['a number', 'sum += item.price * 2;', 'sum += item.price * 3;'],
    ['an operator', 'sum += item.price * 2;', 'sum -= item.price * 2;'],
    ['a name', 'sum += item.price * 2;', 'sum += item.weight * 2;'],
    ['an inflected name', 'sum += item.price * 2;', 'sum += item.prices * 2;'],
    ['a truth value', 'const open = true;', 'const open = false;'],
  ])('refuses to change a line with %s different from the file', (_, present, quoted) => {
    const around = (line: string): string => `function work(item) {\n  prepare(item);\n  ${line}\n  finish(item);\n  return item;\n}\n`;
    const result = refused(around(present), around(quoted), around('done();'));
    expect(['conflict', 'no_match']).toContain(result.code);
  });

  it('refuses as conflict when the file has an unquoted line inside the changed block', () => {
    const file = 'start();\none();\nimportant();\ntwo();\nend();\nafter();\n';
    const result = refused(file, 'start();\none();\ntwo();\nend();\nafter();\n', 'start();\nuno();\ndos();\nend();\nafter();\n');
    expect(result.code).toBe('conflict');
    expect(result.error).toContain('important();');
  });

  it('refuses as conflict when a replaced line is missing', () => {
    const file = 'start();\none();\nend();\nafter();\nlast();\nfinal();\n';
    const result = refused(
      file,
      'start();\none();\ntwo();\nend();\nafter();\nlast();\nfinal();\n',
      'start();\none();\nend();\nafter();\nlast();\nfinal();\nmore();\n',
    );
    expect(result.code).toBe('conflict');
  });

  it('refuses unknown text as no_match with the nearest places, the column and visible white space', () => {
    const result = refused(FILE, '\tconst amount = average(items, weights, 3);', 'x');
    expect(result.code).toBe('no_match');
    expect(result.hints?.length).toBeGreaterThan(0);
    expect(result.hints?.length).toBeLessThanOrEqual(3);
    expect(result.hints?.[0]).toMatch(/line \d+, column \d+/);
    expect(result.hints?.[0]).toMatch(/[·→]/);
  });

  it('refuses an inexact quotation longer than the limit as too_large', () => {
    expect(refused('abc', `${'x y\n'.repeat(300_000)}`, 'x').code).toBe('too_large');
  });

  it('refuses replace_all where only similarity would match', () => {
    const old = '  const ammount = total(items);\n  return ammount / items.length;';
    expect(refused(FILE, old, 'x', { replaceAll: true }).code).toBe('no_match');
  });

  it('refuses adversarial inputs within the work limit', () => {
    expect(refused('a'.repeat(200_000), ' a'.repeat(50_000), 'x').ok).toBe(false);
    expect(refused('}\n'.repeat(50_000), '}\n{\n}\n'.repeat(300), 'x').ok).toBe(false);
  });
});
