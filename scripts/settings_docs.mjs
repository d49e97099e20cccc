/**
 * `npm run docs:settings`: writes the tables of settings in README and docs/guides/operate, in both languages, from the built schema of settings.
 * With --check it writes nothing and names each page that differs, with exit code 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
const { SettingsSchema } = require('../dist/config/settings/settings_schema.js');
const { choicesOf, SECTIONS } = require('../dist/config/settings/setting_types.js');
const { ZH_DESCRIPTION } = require('../dist/src/utils/bilingual.js');

// Link definitions, which no Markdown renderer shows; some show HTML comments.
const BEGIN = '[//]: # (settings: made by npm run docs:settings)';
const END = '[//]: # (settings: end)';

const TEXTS = {
  en: {
    columns: ['name', 'default', 'allowed', 'meaning'],
    to: (from, to) => `${from} to ${to}`,
    secret: 'a secret, or the file in',
    comma: ', ',
  },
  'zh-CN': {
    columns: ['名称', '默认值', '允许的值', '含义'],
    to: (from, to) => `${from} 到 ${to}`,
    secret: '机密，或写在文件中：',
    comma: '、',
  },
};

const PAGES = [
  { file: 'README.md', locale: 'en', make: commonTable },
  { file: 'README.zh-CN.md', locale: 'zh-CN', make: commonTable },
  { file: 'docs/guides/operate.md', locale: 'en', make: allTables },
  { file: 'docs/guides/operate.zh-CN.md', locale: 'zh-CN', make: allTables },
];

const settings = Object.entries(SettingsSchema.properties).map(([name, schema]) => ({ name, schema }));

function commonTable(locale) {
  const { columns } = TEXTS[locale];
  const rows = settings.filter(({ schema }) => schema.isCommon).map(setting => rowOf(setting, locale).toSpliced(2, 1));
  return table(columns.toSpliced(2, 1), rows);
}

function allTables(locale) {
  const sections = Object.entries(SECTIONS).map(([section, title]) => {
    const rows = settings.filter(({ schema }) => schema.section === section).map(setting => rowOf(setting, locale));
    return `### ${title[locale]}\n\n${table(TEXTS[locale].columns, rows)}`;
  });
  return sections.join('\n\n');
}

const rowOf = ({ name, schema }, locale) => [
  `\`${name}\``,
  defaultOf(schema),
  allowedIn(name, schema, locale),
  locale === 'en' ? schema.description : schema[ZH_DESCRIPTION],
];

const defaultOf = ({ default: value }) => (value === undefined || Array.isArray(value) ? '' : `\`${value}\``);

function allowedIn(name, schema, locale) {
  const { to, secret, comma } = TEXTS[locale];
  if (schema.isSecret) return `${secret} \`${name}_FILE\``;
  if (schema.type === 'integer') return to(schema.minimum, schema.maximum);
  return (choicesOf(schema) ?? []).map(choice => `\`${choice}\``).join(comma);
}

const table = (columns, rows) => [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

/** Links are written from the root of the repository; a page needs them from its own directory. */
function linkedFrom(file, text) {
  return text.replaceAll(/\]\(([^):]+\.md)(#[^)]*)?\)/g, (_, target, anchor = '') =>
    target === file ? `](${anchor})` : `](${relative(dirname(file), target)}${anchor})`,
  );
}

const isCheck = process.argv.includes('--check');
for (const { file, locale, make } of PAGES) {
  const path = join(root, file);
  const page = readFileSync(path, 'utf8');
  const tables = `${BEGIN}\n\n${linkedFrom(file, make(locale))}\n\n${END}`;
  const text = page.replace(/\[\/\/\]: # \(settings: made.*\(settings: end\)/s, () => tables);
  if (text === page) continue;
  if (!isCheck) writeFileSync(path, text);
  else {
    console.error(`The settings in ${file} differ from config/settings/settings_schema.ts: run "npm run docs:settings".`);
    process.exitCode = 1;
  }
}
