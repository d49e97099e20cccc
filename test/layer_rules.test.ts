/** Breaks every layer rule in a temporary tree and expects dependency-cruiser to report it, so that no rule is dead. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');
const CONFIG = '.dependency-cruiser.cjs';
const { forbidden } = require(join(ROOT, CONFIG)) as { forbidden: { name: string }[] };

interface Breach {
  rule: string;
  /** The importing file, relative to src. */
  from: string;
  /** The imported file, relative to src, or the name of a package or a module of Node. */
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
  { rule: 'only-ports-imports-adapters', from: 'services.ts', to: 'adapter/any.ts' },
  { rule: 'no-development-packages', from: 'main.ts', to: 'typescript' },
  { rule: 'feature', from: 'feature/one/bad.ts', to: 'gateway/any.ts' },
  { rule: 'features-apart', from: 'feature/one/other.ts', to: 'feature/two/any.ts' },
  { rule: 'only-features-imports-features', from: 'service/feature.ts', to: 'feature/two/any.ts' },
  { rule: 'only-features-imports-features', from: 'configuration.ts', to: 'feature/two/feature.ts' },
  { rule: 'cli', from: 'cli/bad.ts', to: 'service/any.ts' },
  { rule: 'utils', from: 'utils/bad.ts', to: 'tools/any.ts' },
  { rule: 'utils', from: 'utils/bad.ts', to: 'port/any.ts' },
  ...INSIDE.flatMap(room => FRAMEWORKS.map(to => ({ rule: 'no-framework-inside', from: `${room}/framework.ts`, to }))),
  ...INSIDE.flatMap(room => SYSTEM.map(to => ({ rule: 'no-system-inside', from: `${room}/system.ts`, to }))),
];

/** Closes the circle; the rule reports one of its two arrows. */
const RETURN: Breach = { rule: 'no-cycles', from: 'utils/circle_b.ts', to: 'utils/circle_a.ts' };

const isOwnFile = (target: string): boolean => target.endsWith('.ts');

/** Writes each importing file with all its imports, and an empty file for each target. */
async function writeTree(root: string, breaches: readonly Breach[]): Promise<void> {
  const imports = new Map<string, string[]>();
  for (const { from, to } of breaches) {
    const target = isOwnFile(to) ? `./${relative(dirname(from), to.replace(/\.ts$/, ''))}` : to;
    imports.set(from, [...(imports.get(from) ?? []), `import '${target}';\n`]);
    if (isOwnFile(to) && !imports.has(to)) imports.set(to, []);
  }
  for (const [file, lines] of imports) {
    await mkdir(dirname(join(root, 'src', file)), { recursive: true });
    await writeFile(join(root, 'src', file), lines.join('') || 'export {};\n');
  }
  for (const file of [CONFIG, 'tsconfig.json', 'package.json']) await copyFile(join(ROOT, file), join(root, file));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
}

/** Returns every violation as `rule: from -> to`. */
async function cruise(root: string): Promise<string[]> {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [bin, '--config', CONFIG, '--output-type', 'json', 'src'], {
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
    await writeTree(root, [...BREACHES, RETURN]);
    violations = await cruise(root);
  }, 60_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('are all broken by this test', () => {
    expect(new Set(BREACHES.map(({ rule }) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  it.each(BREACHES)('$rule reports $from -> $to', ({ rule, from, to }) => {
    const target = isOwnFile(to) ? `src/${to}` : to.replace(/^node:/, '');
    const found = violations.filter(violation => violation.startsWith(`${rule}: src/${from} -> `));
    expect(found.map(violation => violation.split(' -> ')[1])).toContainEqual(
      expect.stringMatching(new RegExp(`(^|/node_modules/|^node:)${target.replaceAll('.', '\\.')}(/|$)`)),
    );
  });
});
