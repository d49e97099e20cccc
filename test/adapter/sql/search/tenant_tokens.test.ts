import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { toMatch, toMessageMatch } from '../../../../src/adapter/sql/search/fts5_expressions';
import { roleToken, sessionToken, tenantPrefix, toIndexedText } from '../../../../src/adapter/sql/search/tenant_tokens';
import { searchTerms } from '../../../../src/utils/search_tokens';

const db = new DatabaseSync(':memory:');
db.exec("create virtual table texts using fts5(scope, tokens, tokenize = 'ascii')");
afterAll(() => db.close());

const insert = db.prepare('insert into texts (scope, tokens) values (?, ?)');
const matches = db.prepare('select rowid from texts where texts match ?');

/** Ids that look like tokens, prefixes and parts of each other too. */
const tenant = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('a', 'A', 'aa', 'acme', 'acme-2', tenantPrefix('a'), tenantPrefix('acme')),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('绿', '茶', 'a', 'A', 'beans', ' ', '"', '*', tenantPrefix('a'), tenantPrefix('acme')), { maxLength: 20 })
    .map(parts => parts.join('')),
);

it('no query of a tenant matches a text of another tenant, and every text is found by its own words', () => {
  fc.assert(
    fc.property(tenant, tenant, text, text, fc.boolean(), (a, b, written, query, lastIsPrefix) => {
      db.exec('delete from texts');
      insert.run(`${sessionToken(b, 'ses_1')} ${roleToken(b, 'user')}`, toIndexedText(b, written).tokens);
      const isFound = (asker: string, words: string) =>
        (['all', 'any'] as const).some(mode => {
          const terms = searchTerms(words, mode, { lastIsPrefix });
          const expression = toMatch(asker, terms, mode);
          if (expression === undefined) return false;
          const scoped = toMessageMatch(asker, terms, { sessionId: 'ses_1', role: 'user' });
          return [expression, scoped].some(match => matches.all(match).length > 0);
        });
      for (const words of [query, written]) expect(isFound(a, words)).toBe(a === b && isFound(b, words));
      const own = written.replaceAll('"', ' ');
      if (searchTerms(own, 'all').length > 0) expect(isFound(b, own)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it('gives every token of a tenant the same 13 letters and digits, and another tenant others', () => {
  fc.assert(
    fc.property(tenant, tenant, text, (a, b, written) => {
      expect(tenantPrefix(a)).toMatch(/^[0-9a-z]{13}$/);
      expect(tenantPrefix(a) === tenantPrefix(b)).toBe(a === b);
      const { tokens, length } = toIndexedText(a, written);
      const words = tokens === '' ? [] : tokens.split(' ');
      expect(words).toHaveLength(length);
      for (const word of words) expect(word.startsWith(tenantPrefix(a)) && word.length > 13).toBe(true);
    }),
  );
});
