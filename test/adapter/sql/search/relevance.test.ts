import { DatabaseSync } from 'node:sqlite';
import { allTerms, scoreMatches, weighTerm } from '../../../../src/adapter/sql/search/relevance';
import { packCounts } from '../../../../src/adapter/sql/search/word_counts';

const TEXTS = [
  'tea tea honey',
  'tea honey honey honey milk sugar lemon water',
  'honey',
  'tea with milk and sugar and lemon and water and more water than anyone ever drinks in one day',
  'honey tea',
  'coffee with milk',
  'coffee',
  'water with lemon',
  'tea tea tea tea tea tea honey milk milk milk',
];

const term = (word: string) => ({ tokens: [word], isPrefix: false });

/** Ids of the texts that hold all words, best first by `scoreMatches`. */
function ranked(words: readonly string[]): number[] {
  const rows = TEXTS.map((text, id) => ({ id, words: text.split(' ') })).filter(row => words.every(word => row.words.includes(word)));
  const weights = words.map(word => {
    const matches = TEXTS.filter(text => text.split(' ').includes(word)).length;
    return weighTerm(term(word), { matches, total: TEXTS.length });
  });
  const scores = scoreMatches(
    rows.map(row => ({ terms: allTerms(words), length: row.words.length, counts: packCounts(row.words) })),
    weights,
  );
  expect(scores.every(score => score > 0)).toBe(true);
  return rows
    .map(({ id }, i) => ({ id, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id }) => id);
}

it.each([[['tea']], [['honey']], [['coffee']], [['tea', 'honey']], [['milk', 'lemon']]])(
  'ranks %j as bm25 of FTS5 does in an index of one tenant',
  words => {
    const db = new DatabaseSync(':memory:');
    db.exec("create virtual table texts using fts5(tokens, tokenize = 'ascii')");
    for (const [i, text] of TEXTS.entries()) db.prepare('insert into texts (rowid, tokens) values (?, ?)').run(i, text);
    const rows = db.prepare('select rowid as id from texts where texts match ? order by bm25(texts), rowid').all(words.join(' AND '));
    expect(ranked(words)).toEqual(rows.map(({ id }) => id));
    db.close();
  },
);

it('counts only the terms that a text holds, also beyond 32 of them', () => {
  const weights = Array.from({ length: 40 }, (_, i) => weighTerm(term(`w${i}`), { matches: 1, total: 100 }));
  const match = (terms: number) => ({ terms, length: 5, counts: null });
  const [none = 0, last = 0, both = 0] = scoreMatches([match(0), match(2 ** 39), match(2 ** 39 + 1)], weights);
  expect([none, both / last]).toEqual([0, 2]);
});
