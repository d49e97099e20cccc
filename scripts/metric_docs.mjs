/**
 * `npm run docs:metrics`: writes the tables of docs/guides/metrics, in both languages, from the built table of metrics. With --check it writes nothing
 * and names each page that differs, with exit code 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
const { METRIC_SECTIONS } = require('../dist/src/feature/telemetry/metric_table.js');

const BEGIN = '[//]: # (metrics: made by npm run docs:metrics)';
const END = '[//]: # (metrics: end)';
const PAGES = [
  { file: 'docs/guides/metrics.md', locale: 'en', columns: ['name', 'type', 'labels', 'meaning'] },
  { file: 'docs/guides/metrics.zh-CN.md', locale: 'zh-CN', columns: ['名称', '类型', '标签', '含义'] },
];

function tablesIn(locale, columns) {
  const sections = Object.values(METRIC_SECTIONS).map(
    ({ title, rows }) => `### ${title[locale]}\n\n${table(columns, rowsOf(rows, locale))}`,
  );
  return sections.join('\n\n');
}

const rowsOf = (rows, locale) =>
  Object.entries(rows).map(([name, { type, labels, help }]) => [
    `\`${name}\``,
    type,
    labels.map(label => `\`${label}\``).join(' '),
    help[locale],
  ]);

const table = (columns, rows) => [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

const isCheck = process.argv.includes('--check');
for (const { file, locale, columns } of PAGES) {
  const path = join(root, file);
  const page = readFileSync(path, 'utf8');
  const text = page.replace(/\[\/\/\]: # \(metrics: made.*\(metrics: end\)/s, () => `${BEGIN}\n\n${tablesIn(locale, columns)}\n\n${END}`);
  if (text === page) continue;
  if (!isCheck) writeFileSync(path, text);
  else {
    console.error(`${file} is stale: run npm run docs:metrics`);
    process.exitCode = 1;
  }
}
