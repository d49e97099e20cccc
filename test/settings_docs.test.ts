/** Every setting that config/ reads from the environment stands in the tables of README and of the operating guide, in both languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const sources = readdirSync(join(ROOT, 'config')).filter(name => name.endsWith('.ts'));
const names = new Set(
  sources.flatMap(name =>
    [...read(`config/${name}`).matchAll(/'((?:NETA|OPENAI)_[A-Z_]+|[A-Z]+_API_KEY|PORT|HOST)'/g)].map(([, found]) => found),
  ),
);

it('config/ reads settings', () => {
  expect([...names]).toEqual(expect.arrayContaining(['PORT', 'NETA_SANDBOX', 'NETA_DEBUG_POINTS', 'BRAVE_API_KEY']));
});

it.each(['README.md', 'README.zh-CN.md', 'docs/guides/operate.md', 'docs/guides/operate.zh-CN.md'])(
  '%s has a row for each setting',
  page => {
    const rows = read(page)
      .split('\n')
      .filter(line => line.startsWith('| `'));
    const missing = [...names].filter(name => !rows.some(row => row.split(' | ')[0]?.includes(`\`${name}\``)));
    expect(missing).toEqual([]);
  },
);
