import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { applyPatch } from '../../../src/tools/fuzzy_match';

const ROOT = join(__dirname, '../../..');
const PYTHON = ['tool-helpers/neta_tool.py', 'clients/examples/ask.py'];
const BRACKETS = ['clients/examples/ask.go', 'clients/examples/Ask.java', 'web/src/styles/cards.css', 'src/tools/builtin/patch.ts'];
const YAML = ['config/tools/file_operator.yaml', 'deploy/prometheus/alerts.yml'];
const FILES = [...PYTHON, ...BRACKETS, ...YAML];
const linesOf = new Map(FILES.map(path => [path, readFileSync(join(ROOT, path), 'utf8').split('\n')]));

/** How a model writes the quoted lines, and what it writes behind the last one of old_string and of new_string. */
interface Misquotation {
  write: (line: string, index: number, lines: readonly string[]) => string;
  behindOld?: string;
  behindNew?: string;
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const commonIndent = (lines: readonly string[]): string =>
  lines.map(indentOf).reduce((common, indent) => (indent.length < common.length ? indent : common));
const dedent = (line: string, _: number, lines: readonly string[]): string => line.slice(commonIndent(lines).length);
const indentMore = (line: string): string => `   ${line}`;
const PART = '\n  ';

const TAILS: Record<string, Misquotation> = {
  'of a dedented quotation': { write: dedent, behindOld: PART, behindNew: PART },
  'of a quotation that is indented too far': { write: indentMore, behindOld: PART, behindNew: PART },
  'of a quotation without indentation': { write: line => line.trim(), behindOld: PART, behindNew: PART },
  'that new_string alone quotes': { write: indentMore, behindOld: '\n', behindNew: PART },
  'that new_string alone lacks': { write: indentMore, behindOld: PART },
};
const TRAILING: Record<string, Misquotation> = {
  'of every line': { write: line => `${line}  ` },
  'of the last line': { write: (line, index, lines) => (index === lines.length - 1 ? `${line} \t` : line) },
  'of every line, with a line end behind the last one': { write: line => `${line} `, behindOld: '\n', behindNew: '\n' },
};

const changes: Record<string, (line: string) => string[]> = {
  'changes a word': line => [line.replace(/[a-z]{3}/, word => `${word}_x`)],
  'replaces the line': line => (isPlain(line) ? [`${indentOf(line)}parts = compute(17)`] : [line]),
};

/** Lines that neither begin nor end a block. */
const isPlain = (line: string): boolean => !/[:{([,\\]$|^\s*([\])}]|else|elif|except|finally|"""|-)/.test(line);

interface Edit {
  path: string;
  at: number;
  count: number;
  /** The number of the quoted line that changes, from 0. */
  line: number;
}

const editOf = (paths: readonly string[]): fc.Arbitrary<Edit> =>
  fc
    .record({ path: fc.constantFrom(...paths), place: fc.nat(10_000), count: fc.integer({ min: 2, max: 5 }), line: fc.nat(4) })
    .map(({ path, place, count, line }) => ({
      path,
      at: place % ((linesOf.get(path)?.length ?? 0) - count),
      count,
      line: line % count,
    }));

const standsTwice = (quoted: readonly string[], lines: readonly string[]): boolean => {
  const trimmed = (texts: readonly string[]): string => texts.map(text => text.trim()).join('\n');
  return trimmed(lines).split(trimmed(quoted)).length > 2;
};

/** Replaces one quoted line by `added`, misquotes both texts, and returns what came out: the file that was meant, a refusal, or another file. */
function outcomeOf(
  { path, at, count, line }: Edit,
  change: (line: string) => string[],
  { write, behindOld = '', behindNew = '' }: Misquotation,
) {
  const lines = linesOf.get(path) ?? [];
  const quoted = lines.slice(at, at + count);
  const next = quoted.flatMap((text, index) => (index === line ? change(text) : [text]));
  if (!quoted[0]?.trim() || !quoted.at(-1)?.trim() || !quoted[line]?.trim() || next.join() === quoted.join()) return 'skipped';
  const file = lines.join('\n');
  const oldString = quoted.map(write).join('\n') + behindOld;
  if (file.includes(oldString) || standsTwice(quoted, lines)) return 'skipped';
  const result = applyPatch(file, oldString, next.map((text, index) => write(text, index, quoted)).join('\n') + behindNew);
  if (!result.ok) return 'refused';
  expect(result.content).toBe([...lines.slice(0, at), ...next, ...lines.slice(at + count)].join('\n'));
  return 'exact';
}

/** Fails when an edit gives another file than was meant, or when more than one in ten is refused. */
function expectExact(paths: readonly string[], change: (line: string) => string[], misquotation: Misquotation): void {
  const outcomes = { exact: 0, refused: 0, skipped: 0 };
  fc.assert(
    fc.property(editOf(paths), edit => {
      outcomes[outcomeOf(edit, change, misquotation)] += 1;
    }),
    { numRuns: 300 },
  );
  expect(outcomes.refused).toBeLessThan(outcomes.exact / 9);
}

describe('neta.patch.fuzzy: an inexact quotation of a real file', () => {
  describe.each(Object.entries(changes))('that %s', (_, change) => {
    it.each(Object.entries(TAILS))('never re-indents the line behind it: indentation %s', (_name, misquotation) => {
      expectExact(FILES, change, misquotation);
    });

    it.each(Object.entries(TRAILING))('never writes trailing blanks that only the model has: %s', (_name, misquotation) => {
      expectExact(FILES, change, misquotation);
    });

    it('gives a replaced line its own indentation when the model dropped all of it', () => {
      expectExact(FILES, change, { write: line => line.trim() });
    });
  });

  it.each([
    ['a line behind the changed one', (line: string) => [line, `${indentOf(line)}parts = compute(17)`]],
    ['two lines in place of one', (line: string) => [`${indentOf(line)}first = 1`, `${indentOf(line)}parts = compute(17)`]],
    [
      'a block',
      (line: string) => [line, `${indentOf(line)}if ready:`, `${indentOf(line)}    parts = compute(17)`, `${indentOf(line)}last = 2`],
    ],
  ])('adds %s to Python and YAML without indentation where its depth is known, and refuses elsewhere', (what, change) => {
    const outcomes = { exact: 0, refused: 0, skipped: 0 };
    fc.assert(
      fc.property(editOf([...PYTHON, ...YAML]), edit => {
        const { path, at, count, line } = edit;
        // The line behind the quotation could be as deep or less deep than a line that is added at its end.
        if (line === count - 1 || !isPlain(linesOf.get(path)?.[at + line] ?? '')) return;
        outcomes[outcomeOf(edit, change, { write: text => text.trim() })] += 1;
      }),
      { numRuns: 300 },
    );
    expect(outcomes.refused).toBeGreaterThan(0);
    // Lines behind a head that ends with a colon may stand inside or behind its block.
    if (what !== 'a block') expect(outcomes.exact).toBeGreaterThan(0);
  });
});

describe('neta.patch.fuzzy: the end of an inexact quotation', () => {
  const file = 'def f(a):\n    if a:\n        x = 1\n        y = 2\n    return a\n';
  it.each([
    ['removes whole lines', '   x = 1\n   y = 2\n   ', '', 'def f(a):\n    if a:\n    return a\n'],
    [
      'keeps blank lines of new_string free of blanks',
      '   x = 1\n   y = 2',
      '   x = 1\n   y = 3\n  ',
      'def f(a):\n    if a:\n        x = 1\n        y = 3\n\n    return a\n',
    ],
    [
      'keeps the line break that new_string lacks',
      '   x = 1\n   y = 2\n',
      '   x = 1\n   y = 3',
      'def f(a):\n    if a:\n        x = 1\n        y = 3\n    return a\n',
    ],
  ])('%s', (_, old, next, expected) => {
    expect(applyPatch(file, old, next)).toMatchObject({ ok: true, content: expected });
  });

  it('leaves nothing behind the end of a file without a final newline', () => {
    expect(applyPatch('a {\n    b;\n}', 'b;\n}\n  ', 'c;\n}\n  ')).toMatchObject({ ok: true, content: 'a {\n    c;\n}' });
  });

  it('refuses a line of unknown depth and says how to quote', () => {
    const result = applyPatch(file, 'x = 1\ny = 2\nreturn a', 'x = 1\ny = 2\nz = 3\nreturn a');
    expect(result).toMatchObject({ ok: false, code: 'conflict', error: expect.stringContaining('indentation') });
  });
});
