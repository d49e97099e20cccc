/** Formulas, task lists, footnotes, links to files, and marks that are not closed yet. */
import { closeUnfinished } from '../../../web/src/markdown/close_unfinished';
import { toCsv } from '../../../web/src/markdown/csv';
import { isFileLink, toFileLink } from '../../../web/src/markdown/file_links';
import { createMarkdownParser } from '../../../web/src/markdown/markdown_parser';

const parser = createMarkdownParser(html => html);
const blocks = (source: string) => parser.parse(source).map(block => (block.kind === 'html' ? block.html : block));
const html = (source: string): string => parser.parse(source).reduce((all, block) => all + (block.kind === 'html' ? block.html : ''), '');
const inline = (source: string): string[] =>
  [...html(source).matchAll(/<span class="formula[^>]*>(.*?)<\/span>/g)].map(match => match[1] ?? '');

describe('formulas', () => {
  it.each([
    ['$\\bar{x} = \\frac{1}{n}\\sum x_i$', '\\bar{x} = \\frac{1}{n}\\sum x_i'],
    ['the area is $\\int f(x)\\,dx$.', '\\int f(x)\\,dx'],
    ['\\(a_1 * b_1 * c\\)', 'a_1 * b_1 * c'],
    ['so \\[x^2\\] holds', 'x^2'],
    ['so $$x^2$$ holds', 'x^2'],
    ['$2x + 3$', '2x + 3'],
    ['$5$', '5'],
    ['$a < b$', 'a &lt; b'],
  ])('reads %s', (source, tex) => expect(inline(source)).toEqual([tex]));

  it.each([
    'It costs $5 and $10.',
    'between $1,000 (or 900$) and more',
    'US$5 to US$10',
    'from $5-$10',
    'paid $20 in cash$ today',
    'echo $HOME and $PATH',
    'a \\$5 note and a \\$10 note',
    '`$x$` is code',
    'an open $x and nothing',
  ])('leaves %s as it is', source => expect(inline(source)).toEqual([]));

  it('reads a formula of several lines as a block, and keeps its backslashes', () => {
    const tex = '\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}';
    expect(blocks(`so\n\n$$\n${tex}\n$$\n\nand\n\\[\n${tex}\n\\]`)).toEqual([
      '<p>so</p>\n',
      expect.objectContaining({ kind: 'formula', tex }),
      '<p>and</p>\n',
      expect.objectContaining({ kind: 'formula', tex }),
    ]);
  });

  it('leaves a shell script and Windows paths alone', () => {
    expect(html('C:\\Users\\me and `\\(x\\)`')).toBe('<p>C:\\Users\\me and <code>\\(x\\)</code></p>\n');
  });
});

it('shows boxes of a task list, and brackets elsewhere as text', () => {
  const shown = html('- [ ] open\n- [x] done\n- [y] neither\n\n[x] text');
  expect(shown.match(/task-mark/g)).toHaveLength(2);
  expect(shown).toContain('task-mark done');
  expect(shown).toContain('[y] neither');
  expect(shown).toContain('<p>[x] text</p>');
});

it('shows footnotes below the text, as one block, and brackets without a note as text', () => {
  const shown = blocks('One[^1] and [^a-z].\n\n[^1]: The note with **bold**.\n\nTwo.');
  expect(shown).toHaveLength(3);
  expect(shown[0]).toContain('<sup class="footnote-ref"><a href="#footnote-1">1</a></sup> and [^a-z]');
  expect(shown[2]).toContain('The note with <strong>bold</strong>.');
});

it('leaves a pattern that begins like an inline footnote in its sentence', () => {
  expect(html('The name matches ^[a-z]+ and ^[0-9] here.')).toBe('<p>The name matches ^[a-z]+ and ^[0-9] here.</p>\n');
});

describe('links to files', () => {
  it.each([
    ['report/summary.md', '/api/v1/files/report/summary.md'],
    ['./a b.txt', '/api/v1/files/a%20b.txt'],
    ['a%20b.txt', '/api/v1/files/a%20b.txt'],
    ['报告/总结.md', `/api/v1/files/${encodeURIComponent('报告')}/${encodeURIComponent('总结')}.md`],
  ])('%s leads to the file', (path, address) => {
    expect(toFileLink(path)).toBe(address);
    expect(isFileLink(address)).toBe(true);
  });

  it.each([
    '../secret.txt',
    'a/../../b.txt',
    'a/%2e%2e/b.txt',
    '/etc/passwd.txt',
    '//host/a.txt',
    'www.example.org',
    'javascript:a.txt',
    'a?b.txt',
    'word',
  ])('%s is none', path => expect(toFileLink(path)).toBeUndefined());

  it('stay text where the files belong to another workspace', () => {
    const [block] = createMarkdownParser(text => text, { hasFiles: false }).parse('[the report](report/a.md), [x](/api/v1/files/a.md)');
    expect(block).toMatchObject({ html: '<p>[the report](report/a.md), [x](/api/v1/files/a.md)</p>\n' });
  });

  it('an address that only begins like one is none', () => {
    for (const address of ['/api/v1/files/../sessions', '/api/v1/files/%2e%2e/keys', '/api/v1/files/a?x=1'])
      expect(isFileLink(address)).toBe(false);
    expect(html('[x](/api/v1/files/../keys)')).not.toContain('<a');
  });
});

describe('text that grows', () => {
  it.each([
    ['some **bold', 'some **bold**'],
    ['some **', 'some '],
    ['some ~~gone', 'some ~~gone~~'],
    ['some `code', 'some `code`'],
    ['an *important', 'an *important*'],
    ['see [the docs](https://exa', 'see the docs'],
    ['first **bold** text', 'first **bold** text'],
    ['done\n\n$$\nx^2', 'done\n\n$$\nx^2\n$$'],
    ['```js\nconst a = "**', '```js\nconst a = "**'],
    ['- one\n- two * three', '- one\n- two * three'],
  ])('%j is shown as %j', (text, closed) => expect(closeUnfinished(text)).toBe(closed));
});

it('writes CSV that a spreadsheet reads as text', () => {
  expect(
    toCsv([
      ['a', 'b,c', 'd"e'],
      ['=1+1', '-5', '@x'],
    ]),
  ).toBe('a,"b,c","d""e"\r\n\'=1+1,-5,\'@x');
});
