import fc from 'fast-check';
import { applyPatch, fuzzyFindAll } from '../../../src/tools/fuzzy_match';

/** Text with difficult characters: lone surrogates, marks, joiners, CR, BOM, exotic spaces, typography, escapes. */
const unit = fc.constantFrom(
  ...[
    'a',
    'b',
    'foo',
    'bar1',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    ';',
    '{',
    '}',
    '(',
    ')',
    '-',
    '--',
    '"',
    "'",
    '\\',
    '\\n',
    '...',
  ],
  ...[
    '\u201c',
    '\u2019',
    '\u2014',
    '\u2026',
    '\u00a0',
    '\u3000',
    '\u200b',
    '\ufeff',
    '\uff0c',
    '\u4e2d',
    '\u6587',
    'e\u0301',
    '\u00e9',
    '\u0301',
  ],
  ...['\ud83d\ude00', '\ud83d', '\ude00', '\u200d', '\ufb01', '\u00bd', '&lt;', '1|', '12: '],
);
const text = (maxLength: number): fc.Arbitrary<string> => fc.array(unit, { maxLength }).map(units => units.join(''));

/** A file and an old_string that was cut from it and slightly changed, so that every level is reached. */
const quoted = fc
  .record({ before: text(20), middle: text(15), after: text(20), next: text(15), bend: fc.nat(7) })
  .map(({ before, middle, after, next, bend }) => ({
    content: before + middle + after,
    old: bendText(middle, bend),
    next: bend % 2 ? bendText(middle, 8) + next : next,
  }));

function bendText(value: string, how: number): string {
  switch (how) {
    case 0:
      return value;
    case 1:
      return value.replace(/[ \t]+/g, ' ');
    case 2:
      return value.replace(/^[ \t]+/gm, '');
    case 3:
      return value.replaceAll('\n', '\\n');
    case 4:
      return `\n${value}\n\n`;
    case 5:
      return value.replaceAll('"', '\u201d').normalize('NFC');
    case 6:
      return value.replaceAll('foo', 'fooo');
    default:
      return value.replaceAll('foo', 'bar');
  }
}

describe('neta.patch.nine: properties of fuzzyFindAll', () => {
  it('returns ordered, disjoint matches of one level whose spans slice to the matched text', () => {
    fc.assert(
      fc.property(quoted, ({ content, old }) => {
        let end = 0;
        const matches = fuzzyFindAll(content, old);
        expect(new Set(matches.map(match => match.strategy)).size).toBeLessThanOrEqual(1);
        for (const match of matches) {
          expect(match.startIndex).toBeGreaterThanOrEqual(end);
          expect(match.endIndex).toBeGreaterThan(match.startIndex);
          expect(content.slice(match.startIndex, match.endIndex)).toBe(match.matchedText);
          end = match.endIndex;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never ends a match inside a surrogate pair or inside a CRLF', () => {
    fc.assert(
      fc.property(quoted, ({ content, old }) => {
        for (const match of fuzzyFindAll(content, old)) {
          for (const offset of [match.startIndex, match.endIndex]) {
            expect(content.slice(offset - 1, offset + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
          }
          expect(content.slice(match.endIndex - 1, match.endIndex + 1)).not.toBe(old.endsWith('\r') ? '' : '\r\n');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds a verbatim quotation exactly', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z(){};\n ]{0,40}$/), fc.stringMatching(/^[a-z(){};\n ]{1,40}$/), (before, search) => {
        expect(fuzzyFindAll(before + search, search)[0]?.strategy).toBe('exact');
      }),
    );
  });
});

describe('neta.patch.result: properties of applyPatch', () => {
  it('never throws and always returns the same result', () => {
    fc.assert(
      fc.property(text(30), text(12), text(12), fc.boolean(), (content, old, next, replaceAll) => {
        expect(applyPatch(content, old, next, { replaceAll })).toEqual(applyPatch(content, old, next, { replaceAll }));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on arbitrary UTF-16, lone surrogates included', () => {
    const binary = fc.array(fc.nat(0xffff), { maxLength: 40 }).map(codes => String.fromCharCode(...codes));
    fc.assert(
      fc.property(binary, binary, binary, (content, old, next) => {
        expect(typeof applyPatch(content + old, old, next).ok).toBe('boolean');
      }),
    );
  });

  it('changes no byte outside the spans, which are ordered and disjoint', () => {
    fc.assert(
      fc.property(quoted, fc.boolean(), ({ content, old, next }, replaceAll) => {
        const result = applyPatch(content, old, next, { replaceAll });
        if (!result.ok) return;
        expect(result.spans).toHaveLength(result.count);
        let position = 0;
        let rest = result.content;
        for (const [start, end] of result.spans) {
          expect(start).toBeGreaterThanOrEqual(position);
          const untouched = content.slice(position, start);
          const at = position === 0 ? (rest.startsWith(untouched) ? 0 : -1) : rest.indexOf(untouched);
          expect(at).toBeGreaterThanOrEqual(0);
          rest = rest.slice(at + untouched.length);
          position = end;
        }
        expect(rest.endsWith(content.slice(position))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never writes more than one place without replace_all', () => {
    fc.assert(
      fc.property(quoted, ({ content, old, next }) => {
        const result = applyPatch(content, old, next);
        if (result.ok) expect(result.count).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the byte order mark and writes only CRLF into a file of CRLF', () => {
    const line = fc.stringMatching(/^ {0,4}[a-z]{3,8}\(\d\);$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 4, maxLength: 9 }),
        fc.array(line, { maxLength: 3 }),
        fc.boolean(),
        (lines, added, loose) => {
          const content = `\ufeff${lines.join('\r\n')}\r\n`;
          const old = lines.slice(1, 3).map(text => (loose ? ` ${text}` : text));
          const next = [old[0], ...added.map(text => (loose ? ` ${text}` : text)), 'changed();', old[1]];
          const result = applyPatch(content, old.join('\n'), next.join('\n'));
          if (!result.ok) return;
          expect(result.content.startsWith('\ufeff')).toBe(true);
          expect(result.content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        },
      ),
    );
  });

  /** Lines with unique words, so that an edit has one place, and new text that is not in the file. */
  it('refuses a repeated replacement or insertion as already_applied', () => {
    const word = fc.stringMatching(/^[a-z]{6,10}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 8, maxLength: 12 }), fc.nat(2), (words, kind) => {
        const [added, ...rest] = words;
        const lines = rest.map(name => `  ${name}(1);`);
        const content = `${lines.join('\n')}\n`;
        const old = lines.slice(2, 5);
        const next =
          kind === 0 ? old.with(1, `  ${added}(2);`) : kind === 1 ? old.toSpliced(1, 0, `  ${added}(2);`) : [...old, `  ${added}(2);`];
        const first = applyPatch(content, old.join('\n'), next.join('\n'));
        if (!first.ok) throw new Error(first.error);
        expect(applyPatch(first.content, old.join('\n'), next.join('\n'))).toMatchObject({ ok: false, code: 'already_applied' });
      }),
    );
  });
});
