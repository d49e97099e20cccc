import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { toMatch } from '../../src/adapter/sql/search/fts5_expressions';
import { toIndexedText } from '../../src/adapter/sql/search/tenant_tokens';
import { searchTerms, searchTokens } from '../../src/utils/search_tokens';

const tokensOf = (text: string) => searchTokens(text).map(token => token.text);

const TENANT = 'acme';

/** A real FTS5 table, as the store has it: what is tested is the pair of index text and match expression. */
const db = new DatabaseSync(':memory:');
db.exec("create virtual table texts using fts5(tokens, tokenize = 'ascii')");

function found(text: string, query: string, mode: 'all' | 'any', options?: { lastIsPrefix?: boolean }): boolean {
  const expression = toMatch(TENANT, searchTerms(query, mode, options), mode);
  if (expression === undefined) return false;
  db.exec('delete from texts');
  db.prepare('insert into texts (tokens) values (?)').run(toIndexedText(TENANT, text).tokens);
  return db.prepare('select rowid from texts where texts match ?').all(expression).length > 0;
}

afterAll(() => db.close());

it.each([
  ['我喜欢绿茶', ['我喜', '喜欢', '欢绿', '绿茶', '茶']],
  ['使用Node 24版本', ['使用', '用', 'node', '24', '版本', '本']],
  ["The user's Cats don't like CAFÉS", ['the', 'user', 'cat', 'dont', 'like', 'cafe']],
  ['bus glass memories boxes', ['bus', 'glass', 'memory', 'boxe']],
  ['NETA_DATA_DIR ＡＢＣ foo.ts', ['neta', 'data', 'dir', 'abc', 'foo', 'ts']],
  ['データベース 한국어 ｶﾅ', ['デー', 'ータ', 'タベ', 'ベー', 'ース', 'ス', '한국', '국어', '어', 'カナ', 'ナ']],
  ['𠮷野家', ['𠮷野', '野家', '家']],
  ['"*-() :^ 🍵', []],
])('splits %j', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

it('keeps the place of each token in the source', () => {
  const text = 'Él 使用 Cafés';
  expect(searchTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual(['Él', '使用', '用', 'Cafés']);
});

it.each([
  ['用户喜欢绿茶', '绿茶'],
  ['用户喜欢绿茶', '茶'],
  ['用户喜欢绿茶', '喜'],
  ['内存使用率很高', '使用'],
  ['The deploy script is in tools/deploy.sh', 'deploy.sh'],
  ['The deploy script is in tools/deploy.sh', '"deploy script"'],
  ['Prefers cafés in 上海', 'CAFE 上海'],
  ['A cat named Miso', 'cats'],
])('finds in %j what is asked with %j', (text, query) => {
  expect(found(text, query, 'all')).toBe(true);
});

it.each([
  ['用户喜欢绿茶', '红茶'],
  ['绿色的茶', '绿茶'],
  ['script to deploy', '"deploy script"'],
  ['deploy', 'deploy AND missing'],
  ['anything', '"*-()'],
])('does not find in %j what is asked with %j', (text, query) => {
  expect(found(text, query, 'all')).toBe(false);
});

it('matches the last word as a prefix when asked', () => {
  expect(found('production database', 'production datab', 'all')).toBe(false);
  expect(found('production database', 'production datab', 'all', { lastIsPrefix: true })).toBe(true);
});

it('finds with one token of a question in mode any', () => {
  expect(found('用户喜欢绿茶', '我喜欢喝什么？', 'any')).toBe(true);
  expect(found('Prefers green tea', 'which teas do I drink', 'any')).toBe(true);
});

/** Letters of several scripts, accents, FTS5 syntax, quotes, emoji, lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '绿',
        '茶',
        '使',
        '用',
        'ー',
        'カ',
        '한',
        'a',
        'É',
        'ss',
        '9',
        '𠮷',
        ' ',
        '"',
        '*',
        "'s",
        ' OR ',
        ' NEAR(',
        ':',
        '\u0301',
        '\ud800',
        'ﷺ',
      ),
      { maxLength: 30 },
    )
    .map(parts => parts.join('')),
);

it('finds every text by each of its parts, whatever it holds', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
      const characters = Array.from(text);
      const [from, to] = [a % (characters.length + 1), b % (characters.length + 1)].sort((x, y) => x - y) as [number, number];
      // A part that begins or ends inside a word is another word, so the part is widened to whole words.
      const isInside = (i: number) => /[^\s]/.test(characters[i - 1] ?? ' ') && /[^\s]/.test(characters[i] ?? ' ');
      let [start, end] = [from, to];
      while (isInside(start)) start -= 1;
      while (isInside(end)) end += 1;
      const part = characters.slice(start, end).join('').replaceAll('"', ' ');
      if (searchTerms(part, 'all').length === 0) return;
      expect(found(text, part, 'all')).toBe(true);
      expect(found(text, part, 'any')).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it('makes a valid expression of every query', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (query, lastIsPrefix) => {
      expect(() => [found('x', query, 'all', { lastIsPrefix }), found('x', query, 'any')]).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

it('gives tokens of letters, digits and marks with ascending places', () => {
  fc.assert(
    fc.property(anyText, text => {
      let last = -1;
      for (const token of searchTokens(text)) {
        expect(token.text).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(token.start).toBeGreaterThan(last);
        expect(token.end).toBeGreaterThan(token.start);
        last = token.start;
      }
    }),
  );
});

it('splits a megabyte of one word and one of Chinese in linear time', () => {
  const started = process.cpuUsage();
  expect(tokensOf('a'.repeat(1_000_000))).toEqual(['a'.repeat(64)]);
  expect(tokensOf('绿茶'.repeat(175_000))).toHaveLength(350_000);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
});
