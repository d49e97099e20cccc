/** The six acceptance boxes of the manifest document, and the linter that uses the same functions. */
import '../../../src/builtin_tools';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import { parseYaml } from '../../../src/adapter/config/yaml_file';
import { checkTools } from '../../../src/feature/manifests/check_tools';
import type { ToolManifest } from '../../../src/feature/manifests/manifest_schema';
import { SettingsValidationError, ToolSettings } from '../../../src/feature/manifests/tool_settings';
import { ManifestValidationError, validateManifest } from '../../../src/feature/manifests/validate_manifest';
import { ToolCallValidationError, validateToolCall } from '../../../src/feature/manifests/validate_tool_call';
import { type ConfigFile, ConfigFileError } from '../../../src/port/config_files';

const ROOT = join(__dirname, '../../..');

/** The manifest of the document, shortened. */
const SEARCH = `manifest_version: "1.0.0"
name: research
display_name: 联网搜索
description: 语义级并发搜索引擎
author: Jarvis
entry: research.cjs
runtime: javascript
config_schema:
  api_key:
    type: string
    description: 搜索引擎 API 密钥
    required: true
  max_results: { type: integer, default: 10 }
commands:
  - name: search
    description: 执行语义级搜索。
    parameters:
      type: object
      properties:
        query: { type: string }
        sources: { type: array, items: { type: string } }
      required: [query]
    example: '{"query": "cats"}'
  - name: deep_search
    description: 深度搜索。
    parameters: { type: object, properties: { query: { type: string }, keywords: { type: array, items: { type: string } } } }
    required: [query, keywords]
tags: [search, web]
`;

function parse(text: string): ConfigFile | ConfigFileError {
  try {
    return parseYaml('tools/x.yaml', text);
  } catch (thrown) {
    if (thrown instanceof ConfigFileError) return thrown;
    throw thrown;
  }
}

const manifestOf = (text: string): ToolManifest => validateManifest(parse(text));

function refusalOf(text: string): Pick<ManifestValidationError, 'file' | 'line' | 'field' | 'reason'> {
  try {
    manifestOf(text);
  } catch (thrown) {
    if (thrown instanceof ManifestValidationError)
      return { file: thrown.file, line: thrown.line, field: thrown.field, reason: thrown.reason };
    throw thrown;
  }
  throw new Error('the manifest was not refused');
}

describe('jarvis.manifest box 1: the schema of a manifest', () => {
  it('accepts the manifest of the document and adds its defaults', () => {
    const manifest = manifestOf(SEARCH);
    expect(manifest).toMatchObject({
      name: 'research',
      version: '1.0.0',
      type: 'sync',
      timeout: 30_000,
      enabled: true,
      network: false,
      dependencies: [],
    });
    expect(manifest.commands[1]).toMatchObject({
      effect: 'external',
      parameters: { required: ['query', 'keywords'], additionalProperties: false },
    });
    expect(manifestOf(SEARCH.replace('author: Jarvis', 'type: async')).timeout).toBe(600_000);
  });
});

describe('jarvis.validate box 2 and 5: the validators', () => {
  it('takes Chinese descriptions of parameters inside objects and lists', () => {
    const object =
      '{ type: object, properties: { words: { type: array, items: { type: object, properties: { exact: { type: string } } } } } }';
    const translated = (name: string) =>
      SEARCH.replace(
        /parameters: \{ type: object.*\n {4}required.*/,
        `parameters: ${object}\n    translations: { zh-CN: { parameters: { ${name}: 原词 } } }`,
      );
    expect(manifestOf(translated('words.exact')).commands[1]?.translations).toEqual({ 'zh-CN': { parameters: { 'words.exact': '原词' } } });
    expect(refusalOf(translated('words.exakt'))).toMatchObject({ reason: 'there is no parameter words.exakt' });
  });

  it.each([
    ['entry: research.cjs\n', '', 1, '/entry', 'is required'],
    ['    description: 深度搜索。\n', '', 24, '/commands/1/description', 'is required'],
    ['author: Jarvis', 'author: 7', 5, '/author', 'must be string'],
    ['author: Jarvis', 'autor: Jarvis', 5, '/autor', 'there is no field autor'],
    ['author: Jarvis', 'type: sometimes', 5, '/type', 'must be one of "sync", "async", "service"'],
    ['manifest_version: "1.0.0"', 'manifest_version: "2.0.0"', 1, '/manifest_version', 'must be a version 1.x, which this gateway reads'],
    ['name: research', 'name: re__search', 2, '/name', expect.stringContaining('must match the pattern')],
    ['name: deep_search', 'name: search', 24, '/commands/1/name', 'there are two commands named search'],
    ['required: [query, keywords]', 'required: [quest]', 27, '/commands/1/required/0', 'there is no parameter quest'],
    ['default: 10', 'default: ten', 13, '/config_schema/max_results/default', 'must be integer'],
    ['type: object\n      properties', 'type: string\n      properties', 18, '/commands/0/parameters/type', 'must be object'],
    [
      'query: { type: string }\n',
      'query: { type: strange }\n',
      17,
      '/commands/0/parameters',
      expect.stringContaining('cannot be compiled'),
    ],
    ['author: Jarvis', 'author: "a\u202eb"', 5, '/author', 'holds the invisible character U+202E; remove it'],
    ['author: Jarvis', 'author: "open', expect.any(Number), '/', expect.stringContaining('Missing closing')],
    ['author: Jarvis', 'translations: { fr: {} }', 5, '/translations/fr', 'there is no field fr'],
    [
      'required: [query, keywords]',
      'translations: { zh-CN: { parameters: { quest: x } } }',
      27,
      '/commands/1/translations/zh-CN/parameters/quest',
      'there is no parameter quest',
    ],
    ['author: Jarvis', 'doubles: write_file', 5, '/doubles', 'there is no field doubles'],
    ['required: [query, keywords]', 'doubles: web_serch', 27, '/commands/1/doubles', 'there is no built-in tool web_serch'],
    ['author: Jarvis', 'always: sometimes', 5, '/always', 'must be boolean'],
    ['required: [query, keywords]', 'always: 1', 27, '/commands/1/always', 'must be boolean'],
    ['author: Jarvis', 'args: [x]', 5, '/args', 'is only for the runtime native'],
  ])('names file, line and field when %j is %j', (from, to, line, field, reason) => {
    expect(SEARCH).toContain(from);
    expect(refusalOf(SEARCH.replace(from, to))).toEqual({ file: 'tools/x.yaml', line, field, reason });
  });

  it('reports all mistakes of a manifest at once, each with its line, also beside fields of the wrong shape', () => {
    const text = `name: bad tool
runtime: ruby
entry: x.rb
timeout: -5
args: [a]
config_schema:
  depth: { type: integer, default: deep, access: read }
  other: { type: text }
commands:
  - name: one
    description: "hi\u202e"
    required: [missing, gone]
  - { name: one, description: Two., doubles: web_serch }
  - { name: three }
`;
    try {
      manifestOf(text);
      throw new Error('the manifest was not refused');
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ManifestValidationError);
      const { message, problems } = thrown as ManifestValidationError;
      expect(problems.map(({ line, field }) => `${line}:${field}`)).toEqual([
        '1:/display_name',
        '1:/description',
        '1:/name',
        '2:/runtime',
        '4:/timeout',
        '5:/args',
        '7:/config_schema/depth/access',
        '7:/config_schema/depth/default',
        '8:/config_schema/other/type',
        '11:/commands/0/description',
        '12:/commands/0/required/0',
        '12:/commands/0/required/1',
        '13:/commands/1/name',
        '13:/commands/1/doubles',
        '14:/commands/2/description',
      ]);
      expect(message.split('\n')).toHaveLength(problems.length);
      expect(message).toContain('tools/x.yaml:4:/timeout: must be integer of at least 1.');
    }
  });

  it.each<[unknown, string[]]>([
    [
      { name: 'x', display_name: 'X', entry: 'x', commands: [{ name: 'y', description: 'Y.', parameters: { a: 1 } }] },
      ['manifest:/description: is required.', 'manifest:/commands/0/parameters: must be a JSON Schema with type: object and properties.'],
    ],
    [{ name: 'x', display_name: 'X', description: 'X.', entry: 'x', commands: [] }, ['manifest:/commands: must have at least 1 items.']],
    [null, ['manifest:/: must be object.']],
    [[], ['manifest:/: must be object.']],
    ['name: x', ['manifest:/: must be object.']],
  ])('refuses the plain data %j', (data, lines) => {
    expect(() => validateManifest(data)).toThrow(ManifestValidationError);
    expect(() => validateManifest(data)).toThrow(new Error(lines.join('\n')));
  });

  it('accepts a manifest as plain data', () => {
    const { value } = parse(SEARCH) as ConfigFile;
    expect(validateManifest(value)).toEqual(manifestOf(SEARCH));
  });

  it('stops after a hundred mistakes and says how many are left', () => {
    const fields = Array.from({ length: 130 }, (_, index) => `field_${index}: 1\n`).join('');
    expect(refusalOf(SEARCH + fields)).toMatchObject({ line: 29, field: '/field_0' });
    expect(() => manifestOf(SEARCH + fields)).toThrow('tools/x.yaml:/: has 30 more mistakes.');
  });

  it.each([
    [{}, '/toolName: is required.'],
    [{ toolName: 'research', command: 'search', parameters: { query: 'x' }, more: 1 }, '/more: there is no field more.'],
    [{ toolName: 'other', command: 'search' }, '/toolName: there is no manifest other.'],
    [{ toolName: 'research', command: 'find' }, '/command: there is no command find; research has search, deep_search.'],
    [{ toolName: 'research', command: 'search', parameters: {} }, '/parameters: query: is required, but missing.'],
    [{ toolName: 'research', command: 'search', parameters: { query: 7 } }, '/parameters: query: must be string, got 7.'],
    [{ toolName: 'research', command: 'search', timeout: 0 }, '/timeout: must be integer of at least 1.'],
  ])('refuses the call %j', (call, message) => {
    const manifest = manifestOf(SEARCH);
    const check = () => validateToolCall(call, name => (name === manifest.name ? manifest : undefined));
    expect(check).toThrow(ToolCallValidationError);
    expect(check).toThrow(message);
  });

  it('accepts a call with free context', () => {
    const call = { toolName: 'research', command: 'search', parameters: { query: 'x' }, context: { user: 'ann' }, timeout: 1_000 };
    expect(validateToolCall(call, () => manifestOf(SEARCH))).toEqual(call);
  });
});

describe('jarvis.settings box 3: the settings loader', () => {
  it('loads once, reloads, returns single settings with a default, and keeps valid values', async () => {
    let text = 'api_key: k-12345678\n';
    let reads = 0;
    const settings = new ToolSettings({
      readExample: async () => undefined,
      async readSettings() {
        reads += 1;
        return { name: 'tool-settings/research.yaml', version: text, content: parseYaml('tool-settings/research.yaml', text) };
      },
    });
    const manifest = manifestOf(SEARCH);
    expect((await settings.load(manifest)).values).toEqual({ api_key: 'k-12345678', max_results: 10 });
    await settings.load(manifest);
    expect(reads).toBe(1);
    expect([settings.get('research', 'max_results', 3), settings.get('research', 'region', 'eu'), settings.get('none', 'x', 1)]).toEqual([
      10,
      'eu',
      1,
    ]);
    text = 'api_key: k-12345678\nmax_results: many\n';
    await expect(settings.reload(manifest)).rejects.toThrow(
      new SettingsValidationError({ file: 'tool-settings/research.yaml', line: 2, field: '/max_results', reason: 'must be integer' }),
    );
    expect(settings.get('research', 'max_results', 3)).toBe(10);
    text = 'api_key: ""\ndepth: 1\nmax_results: many\n';
    await expect(settings.reload(manifest)).rejects.toThrow(
      [
        'tool-settings/research.yaml:1:/api_key: is required.',
        'tool-settings/research.yaml:2:/depth: there is no setting depth.',
        'tool-settings/research.yaml:3:/max_results: must be integer.',
      ].join('\n'),
    );
  });

  it.each([
    [true, 'its example is tool-settings/research.yaml.example'],
    [false, 'npm run tools:check -- --write-examples writes an example of it'],
  ])('names the example of a missing file only when there is one: %s', async (isThere, hint) => {
    const name = 'tool-settings/research.yaml.example';
    const settings = new ToolSettings({
      readSettings: async () => undefined,
      readExample: async () => (isThere ? { name, version: '1', content: parseYaml(name, 'api_key: ""\n') } : undefined),
    });
    await expect(settings.reload(manifestOf(SEARCH))).rejects.toThrow(`/api_key: is required; the file is missing, ${hint}.`);
  });
});

describe('jarvis.validate box 4: npm run tools:check', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'neta-check-'));
    await write({ 'tools/research.yaml': SEARCH, 'tools/research.cjs': '' });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function write(files: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  }

  const run = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', NETA_CONFIG_DIR: directory };
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/check_tools.mjs', ...args], { cwd: ROOT, env });
      return { code: 0, stdout, stderr };
    } catch (thrown) {
      const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  };

  it('asks for the example of the settings and writes it', async () => {
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('tool-settings/research.yaml.example:/: is missing') });
    const { code, stdout } = await run('--write-examples');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 valid manifest')]);
    const example = await readFile(join(directory, 'tool-settings/research.yaml.example'), 'utf8');
    expect(example).toContain('# 搜索引擎 API 密钥 (required)\napi_key: ""\n');
    expect(example).toContain('max_results: 10\n');
  });

  it('names each mistake as file:line:field and ends with code 1', async () => {
    await write({
      'tools/bad.yaml': SEARCH.replace('name: research', 'name: bad')
        .replace('max_results: {', 'max_results: { min: 1,')
        .replace('entry: research.cjs\n', ''),
      'tools/lost.yaml': SEARCH.replace('name: research', 'name: lost').replace('research.cjs', 'lost.cjs'),
      'tools/web.yaml': SEARCH.replace('name: research', 'name: web').replace('"query": "cats"', '"quary": "cats"'),
      'tools/twin.yaml': SEARCH,
      'tool-settings/research.yaml': 'api_key: secret-value-1\nmax: 3\nmax_results: ten\n',
    });
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([
        'tools/bad.yaml:1:/entry: is required.',
        'tools/bad.yaml:12:/config_schema/max_results/min: there is no field min.',
        'tools/lost.yaml:6:/entry: there is no file lost.cjs.',
        'tools/web.yaml:2:/name: web is a toolset of the gateway.',
        expect.stringMatching(/^tools\/web\.yaml:23:\/commands\/0\/example: is not a valid call: \/parameters: query: is required/),
        'tools/twin.yaml:2:/name: tools/research.yaml has the name research already.',
        'tool-settings/research.yaml:2:/max: there is no setting max.',
        'tool-settings/research.yaml:3:/max_results: must be integer.',
      ]),
    );
    expect(stderr).not.toContain('secret-value-1');
    expect(stdout).toContain(`${stderr.split('\n').filter(line => line && !line.startsWith('note:')).length} mistakes.`);
  });

  it('jarvis.manifest: accepts every manifest and settings file of this project', async () => {
    const files = createConfigDirectory(join(ROOT, 'config'));
    const program = { command: 'x', args: [], readable: [], version: '1' };
    const { errors } = await checkTools(files, { findProgram: async () => program });
    expect(errors.map(({ message }) => message)).toEqual([]);
  });
});
