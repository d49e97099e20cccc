/** The tables of settings in README and in the operating guide against the schema that the gateway reads its settings with. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECTIONS } from '../config/settings/setting_types';
import { SettingsSchema } from '../config/settings/settings_schema';
import { ZH_DESCRIPTION } from '../src/utils/bilingual';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Names in the first column of the generated tables. */
function namesIn(page: string): string[] {
  const [tables = ''] = /\(settings: made.*\(settings: end\)/s.exec(read(page)) ?? [];
  return [...tables.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
}

it('npm run docs:settings would change no page', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/settings_docs.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each(['docs/guides/operate.md', 'docs/guides/operate.zh-CN.md'])('%s has one row for each setting', page => {
  expect(namesIn(page)).toEqual(Object.keys(SettingsSchema.properties));
});

it.each(['README.md', 'README.zh-CN.md'])('%s has the settings that most people need, and leads to the others', page => {
  expect(namesIn(page)).toEqual(expect.arrayContaining(['PORT', 'NETA_WORKSPACE', 'OPENAI_API_KEY', 'NETA_SANDBOX']));
  expect(read(page)).toMatch(/\]\(docs\/guides\/operate(\.zh-CN)?\.md#(settings|设置)\)/);
});

it.each(Object.entries(SettingsSchema.properties))('%s is described in both languages, in a section of the guide', (_, schema) => {
  expect(Object.keys(SECTIONS)).toContain(schema['section']);
  expect(schema.description).toMatch(/\w/);
  expect(schema[ZH_DESCRIPTION]).toMatch(/\p{Script=Han}/u);
});

it('only config/ reads settings from the environment', () => {
  const readers = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .filter(path => Object.keys(SettingsSchema.properties).some(name => read(`src/${path}`).includes(`env['${name}']`)));
  expect(readers).toEqual([]);
});
