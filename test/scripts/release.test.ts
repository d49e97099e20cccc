/** `npm run release` in a clone. The test command and the packing are short programs there; test/scripts/pack.test.ts proves the packing. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PACK = `const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('dist-pack');
writeFileSync('dist-pack/neta-gateway-' + require('./package.json').version + '.tgz', 'packed');`;

const { version: CURRENT } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NEXT = CURRENT.replace(/\.(\d+)\..*$/, (_rest, minor) => `.${Number(minor) + 1}.0`);

let clone: string;
let first: string;

function run(program: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const env = { ...process.env, ...identity, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` };
  return spawnSync(program, args, { cwd: clone, env, encoding: 'utf8' });
}
const git = (...args: string[]): string => run('git', ...args).stdout.trim();
const release = (...args: string[]) => run(process.execPath, 'scripts/release.mjs', ...args);
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(clone, path), text);

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'neta-release-'));
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', '--shared', '--no-tags', ROOT, clone], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  // The working tree, whose scripts may not be in a commit yet.
  for (const path of ['scripts', 'package.json']) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  mkdirSync(join(clone, 'dist'));
  for (const name of ['bundled_packages.json', 'page_packages.json']) cpSync(join(ROOT, 'dist', name), join(clone, 'dist', name));
  write('.git/info/exclude', 'node_modules\n');
  write('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n- One command installs the gateway.\n\n## 0.0.1\n\nThe first.\n');
  write('pack.cjs', PACK);
  write('package.json', read('package.json').replace(/"pack": "[^"]+"/, '"pack": "node pack.cjs"'));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'test: prepare');
  first = git('rev-parse', 'HEAD');
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

it.each([CURRENT, '0.0.0', 'next', ''])('refuses "%s", which is no later version', version => {
  expect(release(version)).toMatchObject({
    status: 1,
    stderr: `No release: expected a version after ${CURRENT}, such as 1.2.3, got "${version}".\n`,
  });
});

it('refuses a tree with changes', () => {
  write('README.md', `${read('README.md')}more\n`);
  expect(release(NEXT, '--verify', 'true')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^No release: the tree has changes.*\n M README\.md\n$/),
  });
  git('checkout', '--', 'README.md');
});

it('refuses red tests, and changes nothing', () => {
  expect(release(NEXT, '--verify', 'exit 3')).toMatchObject({ status: 1, stderr: 'No release: "exit 3" failed.\n' });
  expect([git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual(['', first]);
});

it('shows with --dry-run what it would do, and changes nothing', () => {
  const { status, stdout } = release(NEXT, '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('Would run: npm run check && npm run test:all');
  for (const path of ['package.json', 'package-lock.json', 'clients/typescript/package.json', 'CHANGELOG.md', 'README.md'])
    expect(stdout).toContain(`  ${path}\n`);
  expect([git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual(['', first]);
});

it('packs the configuration that git knows, and no settings of the checkout', () => {
  const known = git('ls-files', 'config')
    .split('\n')
    .filter(path => !path.endsWith('.ts'));
  const ofCheckout = ['config/tool-settings/web_search.yaml', 'config/models.yaml'];
  for (const path of ofCheckout) write(path, 'api_key: of the person who packs\n');
  const script = `const { packageFiles } = await import('./scripts/pack/package_files.mjs');
    for (const [path] of packageFiles()) {
      if (path.startsWith('dist/')) break;
      if (path.startsWith('config/')) console.log(path);
    }`;
  const { stdout } = run(process.execPath, '--input-type=module', '--eval', script);
  for (const path of ofCheckout) rmSync(join(clone, path));
  expect(stdout.trim().split('\n').sort()).toEqual(known.sort());
});

it('takes the version back when the packing fails', () => {
  write('pack.cjs', 'process.exit(1);');
  git('commit', '--quiet', '--all', '--message', 'test: break');
  expect(release(NEXT, '--verify', 'true').status).toBe(1);
  expect(git('status', '--porcelain')).toBe('');
  git('reset', '--quiet', '--hard', first);
});

it('takes the commit back when the bill of materials cannot be made', () => {
  const list = read('dist/bundled_packages.json');
  write('dist/bundled_packages.json', '["node_modules/not-there"]');
  expect(release(NEXT, '--verify', 'true')).toMatchObject({ status: 1, stderr: expect.stringContaining('No release: ') });
  expect([git('status', '--porcelain'), git('rev-parse', 'HEAD')]).toEqual(['', first]);
  write('dist/bundled_packages.json', list);
});

describe('with green tests', () => {
  const file = (name: string) => read(`dist-pack/${name}`);
  beforeAll(() => {
    expect(release(NEXT, '--verify', 'true')).toMatchObject({ status: 0, stderr: '' });
  });

  it('sets the version everywhere, in a commit with a tag', () => {
    expect(git('status', '--porcelain')).toBe('');
    expect([git('log', '-1', '--format=%s'), git('tag', '--points-at', 'HEAD')]).toEqual([`chore(release): ${NEXT}`, `v${NEXT}`]);
    for (const path of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
      expect(JSON.parse(read(path)).version).toBe(NEXT);
    const named = git(
      'grep',
      '-hoE',
      'neta-(gateway|client)[-:][0-9]+\\.[0-9]+\\.[0-9]+',
      '--',
      'README*.md',
      'Dockerfile',
      'clients/*.md',
      'docs/guides',
      'deploy',
    ).split('\n');
    expect(new Set(named.map(name => name.replace(/^[a-z-]+[-:]/, '')))).toEqual(new Set([NEXT]));
  });

  it('makes the section of the CHANGELOG and the notes', () => {
    const changelog = read('CHANGELOG.md').replace(/\(\d{4}-\d\d-\d\d\)/, '(today)');
    expect(changelog).toBe(
      `# Changes\n\n## Unreleased\n\n## ${NEXT} (today)\n\n- One command installs the gateway.\n\n## 0.0.1\n\nThe first.\n`,
    );
    expect(file('RELEASE_NOTES.md')).toBe(`# neta-gateway ${NEXT}\n\n- One command installs the gateway.\n`);
    expect(release('99.0.0')).toMatchObject({ status: 1, stderr: 'No release: CHANGELOG.md says nothing under "Unreleased".\n' });
  });

  it('lists the bundled packages, where they come from, and checksums', () => {
    const bill = JSON.parse(file(`neta-gateway-${NEXT}.cdx.json`));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'neta-gateway', version: NEXT } } });
    const names = bill.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['@midwayjs/core', 'preact', 'openai']));
    expect(names).not.toContain('jest');
    const { subject, predicate } = JSON.parse(file(`neta-gateway-${NEXT}.intoto.json`));
    expect(subject).toEqual([{ name: `neta-gateway-${NEXT}.tgz`, digest: { sha256: expect.stringMatching(/^[\da-f]{64}$/) } }]);
    expect(predicate.buildDefinition.resolvedDependencies).toContainEqual({
      name: 'source',
      digest: { gitCommit: git('rev-parse', 'HEAD') },
    });
    expect(readdirSync(join(clone, 'dist-pack')).length).toBe(5);
    expect(run('sh', '-c', 'cd dist-pack && sha256sum --check --strict SHA256SUMS').stdout.match(/: OK/g)?.length).toBe(4);
  });
});
