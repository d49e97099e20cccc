import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../config/settings';
import { SettingsSchema } from '../../config/settings/settings_schema';

const ROOT = join(__dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(content: string | Buffer): string {
  const path = join(directory, 'secret');
  writeFileSync(path, content);
  return path;
}
const read = (env: Record<string, string>) => readSettings(env, ROOT);

it.each(['k-1', 'k-1\n', 'k-1\r\n', 'k-1\r', '\ufeffk-1\n'])(
  'ASVS 2.10.4: takes a setting, and a variable of apiKeyEnv, from a file with %j',
  content => {
    const settings = read({ OPENAI_API_KEY_FILE: fileOf(content), DS_FILE: fileOf(content) });
    expect([settings.openai?.apiKey, settings.readSecret('DS')]).toEqual(['k-1', 'k-1']);
    expect(settings.listSettings().find(({ name }) => name === 'OPENAI_API_KEY')).toMatchObject({ value: '***', source: 'environment' });
  },
);

const SECRETS = Object.entries(SettingsSchema.properties).flatMap(([name, schema]) => ('isSecret' in schema ? [name] : []));

it('ASVS 2.10.2: gives no secret a default', () => {
  const rows = read({}).listSettings();
  expect(SECRETS.length).toBeGreaterThan(5);
  expect(rows.filter(({ name, value }) => SECRETS.includes(name) && value)).toEqual([]);
});

it.each([...SECRETS, 'DS'])('refuses %s beside its file, and names a file that is missing, no file, or empty', name => {
  const start = (env: Record<string, string>) => () => read(env).readSecret('DS');
  expect(start({ [name]: 'x', [`${name}_FILE`]: fileOf('x') })).toThrow(`${name} and ${name}_FILE are both set`);
  expect(start({ [`${name}_FILE`]: '/nowhere/key' })).toThrow(`${name}_FILE: /nowhere/key cannot be read (ENOENT)`);
  expect(start({ [`${name}_FILE`]: directory })).toThrow('(EISDIR)');
  expect(start({ [`${name}_FILE`]: fileOf('\ufeff\n') })).toThrow('is empty');
});

it.each(['OPENAI_API_KEY', 'NETA_EMBEDDING_API_KEY', 'BRAVE_API_KEY', 'TAVILY_API_KEY'])('refuses %s that no header can hold', name => {
  for (const env of [{ [name]: 'sk-\u201dabc' }, { [`${name}_FILE`]: fileOf('sk-\u201dabc') }]) {
    expect(() => read(env)).toThrow(`${name} has the character U+201D at position 4`);
  }
  expect(() => read({ [`${name}_FILE`]: fileOf('one\ntwo\n') })).toThrow('U+000A');
});
