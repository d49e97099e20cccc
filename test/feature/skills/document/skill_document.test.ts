import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readDocument, type SkillDocument } from '../../../../src/feature/skills/document/skill_document';
import { expectChinese } from '../../../support/chinese';
import { cpuTime } from '../../../support/cpu_time';

const read = (text: string | Buffer, folder = 'pdf-tools') => readDocument(Buffer.from(text), { file: 'SKILL.md', folder });

function documentOf(text: string | Buffer, folder?: string): SkillDocument {
  const result = read(text, folder);
  if (!result.ok) throw new Error(result.problems.map(({ en }) => en).join('\n'));
  return result.document;
}

function problemsOf(text: string | Buffer, folder?: string): readonly string[] {
  const result = read(text, folder);
  return result.ok ? [] : result.problems.map(({ en }) => en);
}

const fields = (lines: string) => `---\nname: pdf-tools\n${lines}\n---\nText.`;

describe('a SKILL.md as people publish them', () => {
  it.each<[string, string, Partial<SkillDocument>]>([
    [
      'the least',
      '---\nname: pdf-tools\ndescription: Reads PDF.\n---\n# PDF\n',
      { description: 'Reads PDF.', instructions: '# PDF', tools: [] },
    ],
    ['Windows line ends', '---\r\nname: pdf-tools\r\ndescription: Reads PDF.\r\n---\r\nOne\r\nTwo\r\n', { instructions: 'One\nTwo' }],
    ['a byte order mark', '\ufeff---\nname: pdf-tools\ndescription: Reads PDF.\n---\n', { description: 'Reads PDF.' }],
    ['empty lines before and spaces after the fence', '\n\n---  \nname: pdf-tools\ndescription: x\n--- \nText', { instructions: 'Text' }],
    ['a rule of dashes in the text', `${fields('description: x')}\n\n---\n\nMore`, { instructions: 'Text.\n\n---\n\nMore' }],
    ['an alias', fields('license: &l MIT\ndescription: *l'), { description: 'MIT' }],
    ['single quotes', fields("description: 'It''s here: now'"), { description: "It's here: now" }],
    ['double quotes', fields('description: "A \\"quoted\\" word"'), { description: 'A "quoted" word' }],
    ['a folded text', fields('description: >-\n  One line\n  and another\n\n  third'), { description: 'One line and another third' }],
    ['a literal text', fields('description: |\n  One\n  Two'), { description: 'One Two' }],
    ['a plain text over several lines', fields('description: One\n  two\n  three'), { description: 'One two three' }],
    ['an unquoted colon', fields('description: Use it when: someone asks'), { description: 'Use it when: someone asks' }],
    [
      'an unquoted colon over several lines',
      fields('description: Use it when: someone\n  asks: now\nallowed-tools: [Read]\nwhen: a: b'),
      { description: 'Use it when: someone asks: now', tools: ['Read'] },
    ],
    ['an unquoted bracket', fields('description: [beta] reads PDF\nargument-hint: [file] [page]'), { description: '[beta] reads PDF' }],
    ['Chinese', fields('description: 处理 PDF：合并、拆分。'), { description: '处理 PDF：合并、拆分。' }],
    ['1,024 characters', fields(`description: ${'界'.repeat(1_024)}`), { description: '界'.repeat(1_024) }],
    ['fields that the format does not have', fields('description: x\nversion: 2\ntags: [a, b]\nmodel: opus'), { description: 'x' }],
    [
      'tools separated by spaces',
      fields('description: x\nallowed-tools: read_file Bash(git log *) bash'),
      { tools: ['read_file', 'Bash', 'bash'] },
    ],
    ['tools separated by commas', fields('description: x\nallowed-tools: Read, Grep,Bash(npm:*)'), { tools: ['Read', 'Grep', 'Bash'] }],
    ['a list of tools', fields('description: x\nallowed-tools:\n  - Read\n  - Bash(git:*)\n  - Read'), { tools: ['Read', 'Bash'] }],
    ['an empty list of tools', fields('description: x\nallowed-tools:'), { tools: [] }],
    [
      'license and compatibility',
      fields('description: x\nlicense: MIT\ncompatibility: Needs git'),
      { license: 'MIT', compatibility: 'Needs git' },
    ],
    [
      'metadata',
      fields('description: x\nmetadata:\n  version: 1.10\n  author: me\n  nested: {a: 1}\n  beta: yes\n  2: two'),
      { metadata: { version: '1.10', author: 'me', beta: 'yes', 2: 'two' } },
    ],
    ['a name that looks like a number', '---\nname: 0x10\ndescription: 1.0\n---\n', { name: '0x10', description: '1.0' }],
    ['a name that is a number', '---\nname: 2024\ndescription: x\n---\n', { name: '2024' }],
  ])('is read with %s', (what, text, expected) => {
    expect(documentOf(text, what.includes('number') ? expected.name : undefined)).toMatchObject(expected);
  });

  it('loads the skills that this project ships', () => {
    const bytes = readFileSync(join(__dirname, '../../../../config/skills/data-report/SKILL.md'));
    expect(documentOf(bytes, 'data-report')).toMatchObject({ tools: ['read_file', 'bash', 'write_file'], license: 'MIT' });
  });

  it('has no invisible character in its description', () => {
    const hidden = String.fromCodePoint(0xe0041, 0x202e, 0x200b, 0x2066);
    expect(documentOf(fields(`description: "Reads${hidden} PDF"`)).description).toBe('Reads PDF');
  });
});

describe('a broken SKILL.md', () => {
  it.each([
    ['an empty file', '', 'SKILL.md:1: must begin with front matter: a line of ---, then name and description.'],
    ['text alone', '# PDF\n', 'SKILL.md:1: must begin with front matter: a line of ---, then name and description.'],
    ['no closing fence', '\n---\nname: pdf-tools\n', 'SKILL.md:2: the front matter has no closing line of ---.'],
    ['an empty front matter', '---\n---\n', 'SKILL.md:2: the front matter must consist of fields such as `name: ...`.'],
    ['a list', '---\n- name\n---\n', 'SKILL.md:2: the front matter must consist of fields such as `name: ...`.'],
    ['no description', '---\nname: pdf-tools\n---\n', 'SKILL.md:1: description is required.'],
    ['a blank description', fields('description: "  "'), 'SKILL.md:3: description is required.'],
    ['a list as description', fields('description: {a: 1}'), 'SKILL.md:3: description is required.'],
    ['a field twice', fields('description: x\nname: again'), 'SKILL.md:4: Map keys must be unique.'],
    ['bytes that are no text', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), 'SKILL.md: is not UTF-8 text.'],
    ['more than 256 KiB', fields(`description: x`) + 'x'.repeat(262_144), 'SKILL.md: has more than 256 KiB.'],
    [
      'a mistake after an unquoted colon',
      fields('description: Use: it\n  here\nlicense: "open'),
      'SKILL.md:3: Nested mappings are not allowed in compact mappings.',
    ],
    ['a long front matter', fields(`description: x\nother: ${'x'.repeat(70_000)}`), 'SKILL.md:1: the front matter has more than 64 KiB.'],
  ])('says file and line for %s', (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
    const result = read(text);
    if (!result.ok) for (const told of result.problems) expectChinese(told['zh-CN']);
  });

  it.each([
    ['a tag of JavaScript', 'description: !!js/function "() => process.exit()"'],
    ['a tag of its own', 'description: !run whoami'],
    ['a tab as indentation', 'metadata:\n\ta: b'],
    ['deep nesting', `other: ${'['.repeat(30_000)}`],
  ])('names a line for %s', (_what, lines) => {
    expect(problemsOf(fields(lines))).toEqual([expect.stringMatching(/^SKILL\.md:\d+: ./)]);
  });

  it('does not expand aliases without limit', () => {
    const bomb = ['a0: &a0 x', ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)];
    const started = cpuTime();
    expect(documentOf(fields(`description: x\nmetadata: {a: 1}\n${bomb.join('\n')}\nallowed-tools: *a30`)).tools).toEqual([]);
    expect(cpuTime() - started).toBeLessThan(1_000);
  });

  it('does not compare every key with every other', () => {
    const keys = Array.from({ length: 12_000 }, (_, i) => `k${i.toString(36)}`).join();
    const started = cpuTime();
    expect(documentOf(fields(`description: x\nmetadata: {${keys}}`)).description).toBe('x');
    expect(cpuTime() - started).toBeLessThan(3_000);
    expect(problemsOf(fields('description: x\ndescription: y'))).toEqual(['SKILL.md:4: Map keys must be unique.']);
  });

  it('never throws, and every problem names the file', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '---',
        '---\n',
        'name: pdf-tools\n',
        'description: ',
        '&a [*a]',
        '!!binary ',
        '? ',
        '- ',
        '{',
        '}',
        ': ',
        '"',
        "'",
        '|\n',
        '\t',
        '%YAML 1.1\n',
        '\r',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
        const result = read(`---\n${pieces.join('')}\n---\n`);
        if (result.ok) expect(result.document.name).toBe('pdf-tools');
        else for (const { en } of result.problems) expect(en).toMatch(/^SKILL\.md/);
        JSON.stringify(result);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a published folder whose front matter is not quite right', () => {
  it.each([
    ['no name', '---\ndescription: x\n---\n', 'SKILL.md:1: name is missing; the skill has the name of its folder, pdf-tools.'],
    [
      'another name',
      '---\ndescription: x\nname: PDF 工具\n---\n',
      'SKILL.md:3: name is "PDF 工具"; the skill has the name of its folder, pdf-tools.',
    ],
    [
      'a long description',
      fields(`description: ${'x'.repeat(1_025)}`),
      'SKILL.md:3: description has more than 1,024 characters; its end is left out.',
    ],
  ])('is used under the name of its folder, with a warning, for %s', (_what, text, warning) => {
    expect(read(text)).toMatchObject({ ok: true, document: { name: 'pdf-tools' }, warnings: [{ en: warning }] });
  });

  it('may have capitals, spaces and other scripts in the name of its folder', () => {
    for (const folder of ['PDF_Tools', '数据报告', 'a b', 'v1.2']) expect(read('---\ndescription: x\n---\n', folder).ok).toBe(true);
  });

  it.each(['a\u202eb', '-x', 'a\nb', 'x'.repeat(65)])('is refused with the folder name %j', folder => {
    expect(problemsOf('---\ndescription: x\n---\n', folder)).toEqual([
      'SKILL.md:1: the name of the folder must consist of letters, digits, spaces and . _ + -, at most 64.',
    ]);
  });
});

describe('a text that is about to be written', () => {
  const written = (text: string) => readDocument(Buffer.from(text), { file: 'SKILL.md', folder: 'pdf-tools', isNew: true });
  it.each([
    ['no name', '---\ndescription: x\n---\n', 'SKILL.md:1: name is required.'],
    ['another name', '---\ndescription: x\nname: other\n---\n', 'SKILL.md:3: name must be the name of the folder, pdf-tools.'],
    [
      'capitals',
      '---\nname: PDF\ndescription: x\n---\n',
      'SKILL.md:2: name must consist of lower-case letters, digits and single hyphens, at most 64.',
    ],
    ['a long description', fields(`description: ${'x'.repeat(1_025)}`), 'SKILL.md:3: description has more than 1,024 characters.'],
  ])('is refused with %s', (_what, text, problem) => {
    const result = written(text);
    expect(result).toMatchObject({ ok: false, problems: [{ en: problem }] });
    if (!result.ok) for (const told of result.problems) expectChinese(told['zh-CN']);
  });
});
