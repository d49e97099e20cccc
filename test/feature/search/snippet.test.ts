import { snippetOf } from '../../../src/feature/search/snippet';

const filler = (words: number) => 'lorem ipsum '.repeat(words / 2);

it('returns a short text whole, on one line', () => {
  expect(snippetOf('Beans\n\n  need\tsun.', 'sun')).toBe('Beans need sun.');
  expect(snippetOf('', 'sun')).toBe('');
});

it('shows the place with the most words of the query, between whole words', () => {
  const text = `${filler(200)}only beans here. ${filler(200)}beans and sun here. ${filler(400)}`;
  const snippet = snippetOf(text, 'sun beans');
  expect(snippet).toContain('beans and sun here.');
  expect(snippet).toMatch(/^…(lorem|ipsum) .* (lorem|ipsum)…$/);
  expect(snippet.length).toBeLessThanOrEqual(202);
});

it('finds a word by another case, accent, plural and beginning', () => {
  for (const query of ['GARTEN', 'buro', 'büros', 'gart'])
    expect(snippetOf(`${filler(300)}Büro im Garten`, query)).toMatch(/Büro im Garten$/);
});

it('finds Chinese words of two characters and of one', () => {
  const text = `${'今天很好。'.repeat(100)}上海天气预报说有雨。${'明天也很好。'.repeat(100)}`;
  expect(snippetOf(text, '天气')).toContain('上海天气预报');
  expect(snippetOf(text, '雨')).toContain('有雨');
  expect(snippetOf(text, '雨 雪')).toContain('有雨');
  // A pair of characters beside the hit is no hit.
  expect(snippetOf(text, '天气')).not.toBe(snippetOf(text, '今天'));
});

it('finds a hit far inside a long text, and splits no character', () => {
  const text = `${'😀'.repeat(15_000)} zucchini ${'😀'.repeat(1_000)}`;
  const snippet = snippetOf(text, 'zucchini');
  expect(snippet).toContain('zucchini');
  expect(snippet).toBe(snippet.toWellFormed());
});

it('shows the start when no word of the query is in the text', () => {
  expect(snippetOf(`Start here. ${filler(300)}`, 'nothing')).toMatch(/^Start here\. lorem/);
});

it('takes time proportional to a text that repeats the word all the time', () => {
  const text = '哈'.repeat(32_000);
  const before = process.cpuUsage();
  for (let i = 0; i < 5; i += 1) expect(snippetOf(text, '哈哈')).toHaveLength(201);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
});
