/** Breaks every layer rule in a temporary tree and expects dependency-cruiser to report it, so that no rule is dead. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');
const CONFIG = '.dependency-cruiser.cjs';
const FOLDER_CONFIG = '.dependency-cruiser.folders.cjs';
const { forbidden } = require(join(ROOT, CONFIG)) as { forbidden: { name: string }[] };

interface Breach {
  rule: string;
  /** The importing file, relative to src, or its path in the repository when it is one of web/. */
  from: string;
  /** The imported file, likewise, or the name of a package or a module of Node. */
  to: string;
}

const INSIDE = ['runtime', 'tools', 'port', 'service', 'feature/one'];
const FRAMEWORKS = ['@midwayjs/core', '@midwayjs/koa', 'kysely', 'openai', 'socket.io', 'koa'];
const SYSTEM = ['node:fs', 'fs/promises', 'node:child_process', 'node:net', 'node:http', 'https', 'node:worker_threads'];

const BREACHES: Breach[] = [
  { rule: 'no-cycles', from: 'utils/circle_a.ts', to: 'utils/circle_b.ts' },
  { rule: 'port', from: 'port/bad.ts', to: 'tools/any.ts' },
  { rule: 'tools', from: 'tools/bad.ts', to: 'runtime/any.ts' },
  { rule: 'runtime', from: 'runtime/bad.ts', to: 'service/any.ts' },
  { rule: 'service', from: 'service/bad.ts', to: 'gateway/any.ts' },
  { rule: 'service', from: 'service/bad.ts', to: 'adapter/any.ts' },
  { rule: 'adapter', from: 'adapter/bad.ts', to: 'service/any.ts' },
  { rule: 'adapter', from: 'adapter/bad.ts', to: 'tools/any.ts' },
  { rule: 'adapter', from: 'adapter/bad.ts', to: 'tools/cpu_tasks.ts' },
  { rule: 'worker-entry', from: 'adapter/local/bad_worker_entry.ts', to: 'tools/any.ts' },
  { rule: 'wire', from: 'wire/bad.ts', to: 'gateway/any.ts' },
  { rule: 'gateway', from: 'gateway/bad.ts', to: 'controller/any.ts' },
  { rule: 'gateway', from: 'gateway/bad.ts', to: 'runtime/any.ts' },
  { rule: 'controller', from: 'controller/bad.ts', to: 'gateway/any.ts' },
  { rule: 'only-ports-imports-adapters', from: 'core_services.ts', to: 'adapter/any.ts' },
  { rule: 'no-development-packages', from: 'main.ts', to: 'typescript' },
  { rule: 'feature', from: 'feature/one/bad.ts', to: 'gateway/any.ts' },
  { rule: 'feature', from: 'feature/one/bad.ts', to: 'adapter/sql/any.ts' },
  { rule: 'feature-store', from: 'feature/one/store/bad.ts', to: 'adapter/any.ts' },
  { rule: 'feature-tools', from: 'feature/one/tools/bad.ts', to: 'service/any.ts' },
  { rule: 'features-apart', from: 'feature/one/other.ts', to: 'feature/two/any.ts' },
  { rule: 'only-features-imports-features', from: 'service/feature.ts', to: 'feature/two/any.ts' },
  { rule: 'only-features-imports-features', from: 'configuration.ts', to: 'feature/two/feature.ts' },
  { rule: 'cli', from: 'cli/bad.ts', to: 'service/any.ts' },
  { rule: 'utils', from: 'utils/bad.ts', to: 'tools/any.ts' },
  { rule: 'utils', from: 'utils/bad.ts', to: 'port/any.ts' },
  { rule: 'no-cycles', from: 'web/src/state/circle_a.tsx', to: 'web/src/state/circle_b.ts' },
  { rule: 'web-inner-folders', from: 'web/src/pages/one/bad.tsx', to: 'web/src/pages/any.ts' },
  { rule: 'web-features-apart', from: 'web/src/feature/one/bad.tsx', to: 'web/src/feature/two/any.tsx' },
  ...INSIDE.flatMap(room => FRAMEWORKS.map(to => ({ rule: 'no-framework-inside', from: `${room}/framework.ts`, to }))),
  ...INSIDE.flatMap(room => SYSTEM.map(to => ({ rule: 'no-system-inside', from: `${room}/system.ts`, to }))),
];

/** A circle of two folders, although no two files import each other. */
const FOLDER_CIRCLE: Breach[] = [
  { rule: 'no-folder-cycles', from: 'service/first/upper.ts', to: 'service/second/lower.ts' },
  { rule: 'no-folder-cycles', from: 'service/second/upper.ts', to: 'service/first/lower.ts' },
];

/** Close the circles of files; the rule reports one of the two arrows of a circle. */
const RETURNS: Breach[] = [
  { rule: 'no-cycles', from: 'utils/circle_b.ts', to: 'utils/circle_a.ts' },
  { rule: 'no-cycles', from: 'web/src/state/circle_b.ts', to: 'web/src/state/circle_a.tsx' },
];

/** Two folders that import each other, without a circle of files. */
const FOLDERS: Breach[] = [
  { rule: 'web-folders', from: 'web/src/round/first.tsx', to: 'web/src/trip/second.ts' },
  { rule: 'web-folders', from: 'web/src/trip/third.ts', to: 'web/src/round/fourth.tsx' },
];

const isOwnFile = (target: string): boolean => /\.tsx?$/.test(target);

/** Returns the path of a file in the tree. */
const pathOf = (file: string): string => (file.startsWith('web/') ? file : join('src', file));

/** Writes each importing file with all its imports, and an empty file for each target. */
async function writeTree(root: string, breaches: readonly Breach[]): Promise<void> {
  const imports = new Map<string, string[]>();
  for (const { from, to } of breaches) {
    const target = isOwnFile(to) ? `./${relative(dirname(from), to.replace(/\.tsx?$/, ''))}` : to;
    imports.set(from, [...(imports.get(from) ?? []), `import '${target}';\n`]);
    if (isOwnFile(to) && !imports.has(to)) imports.set(to, []);
  }
  for (const [file, lines] of imports) {
    await mkdir(dirname(join(root, pathOf(file))), { recursive: true });
    await writeFile(join(root, pathOf(file)), lines.join('') || 'export {};\n');
  }
  for (const file of [CONFIG, FOLDER_CONFIG, 'tsconfig.json', 'package.json']) await copyFile(join(ROOT, file), join(root, file));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
}

/** Returns every violation as `rule: from -> to`. */
async function cruise(root: string, config = CONFIG): Promise<string[]> {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [bin, '--config', config, '--output-type', 'json', 'src', 'web/src'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string; to: string }[] } };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

describe('the layer rules', () => {
  let root: string;
  let violations: string[];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'neta-layers-'));
    await writeTree(root, [...BREACHES, ...RETURNS, ...FOLDERS, ...FOLDER_CIRCLE]);
    violations = await cruise(root);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('are all broken by this test', () => {
    expect(new Set([...BREACHES, ...FOLDERS].map(({ rule }) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  it('report a circle of folders', async () => {
    const arrows = FOLDER_CIRCLE.map(({ rule, from, to }) => `${rule}: src/${dirname(from)} -> src/${dirname(to)}`);
    expect(await cruise(root, FOLDER_CONFIG)).toEqual(expect.arrayContaining(arrows));
  });

  it.each(BREACHES)('$rule reports $from -> $to', ({ rule, from, to }) => {
    const target = isOwnFile(to) ? pathOf(to) : to.replace(/^node:/, '');
    const found = violations.filter(violation => violation.startsWith(`${rule}: ${pathOf(from)} -> `));
    expect(found.map(violation => violation.split(' -> ')[1])).toContainEqual(
      expect.stringMatching(new RegExp(`(^|/node_modules/|^node:)${target.replaceAll('.', '\\.')}(/|$)`)),
    );
  });

  it.each(FOLDERS)('$rule reports the folders of $from and $to', ({ rule, from, to }) => {
    expect(violations).toContain(`${rule}: ${dirname(pathOf(from))} -> ${dirname(pathOf(to))}`);
  });
});

/** A lazy load hides an arrow from a reader. Only a large package is loaded late, in the module that uses it. */
it('modules of src and config are imported, never loaded late', async () => {
  const files = (
    await Promise.all(['src', 'config'].map(folder => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })))
  ).flat();
  const texts = files.filter(({ name }) => name.endsWith('.ts')).map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
  expect(texts.length).toBeGreaterThan(500);
  expect((await Promise.all(texts)).flatMap(text => text.match(/\b(?:require|await import)\('\.[^']*'\)/g) ?? [])).toEqual([]);
});
