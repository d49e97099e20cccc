/** The tables of the metrics guide against the table of metrics. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from '../src/feature/telemetry/metric_table';

const ROOT = join(__dirname, '..');

it('npm run docs:metrics would change no page', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/metric_docs.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each(['docs/guides/metrics.md', 'docs/guides/metrics.zh-CN.md'])('%s has one row for each metric', page => {
  const names = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name = '']) => name);
  expect(names).toEqual(Object.keys(METRICS));
});

it.each(Object.entries(METRICS))('%s is described in both languages, and has the suffix of its type', (name, { type, help }) => {
  expect(help.en).toMatch(/\w/);
  expect(help['zh-CN']).toMatch(/\p{Script=Han}/u);
  expect(name.endsWith('_total')).toBe(type === 'counter');
});
