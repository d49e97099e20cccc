import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'neta-build-'));
  for (const file of ['scripts/build_if_needed.mjs', 'scripts/build.mjs', 'package.json']) cpSync(file, join(root, file));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function runBuildIfNeeded() {
  const script = `import { buildIfNeeded } from './scripts/build_if_needed.mjs'; buildIfNeeded(); console.log('used');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  return { stdout, stderr };
}

/** Replaces the programs of the build by scripts; `compile` is what the compiler does. */
function fakeBuildPrograms(compile: string): void {
  const bin = join(root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(root, 'node_modules/typescript-native/bin'), { recursive: true });
  mkdirSync(join(root, 'src'));
  writeFileSync(join(bin, 'vite'), '#!/bin/sh\n', { mode: 0o755 });
  const compiler = `require('node:child_process').execSync(${JSON.stringify(compile || 'true')});`;
  writeFileSync(join(root, 'node_modules/typescript-native/bin/tsc'), compiler);
  for (const script of ['bundle_packages', 'client_schema']) writeFileSync(join(root, `scripts/${script}.mjs`), '');
}

const env = { ...process.env, PATH: [join(process.execPath, '..'), process.env.PATH].join(delimiter) };

function runBuild(): void {
  expect(spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, env, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
}

describe('buildIfNeeded', () => {
  it('uses a build that came without its sources', () => {
    mkdirSync(join(root, 'dist'));
    writeFileSync(join(root, 'dist/.built'), '');
    expect(runBuildIfNeeded()).toEqual({ stdout: 'used\n', stderr: '' });
  });

  it('uses the build that npm run build made', () => {
    fakeBuildPrograms('');
    runBuild();
    expect(runBuildIfNeeded()).toEqual({ stdout: 'used\n', stderr: '' });
  });

  it('builds again when a source was saved during the build', () => {
    // A second later than the build began: file systems count time in steps of some milliseconds.
    fakeBuildPrograms("touch -d '1 second' src/saved_meanwhile.ts");
    runBuild();
    expect(runBuildIfNeeded()).toEqual({ stdout: 'used\n', stderr: 'Building ...\n' });
  });

  it('waits for a build that runs', async () => {
    fakeBuildPrograms('test -e busy && echo two at once >> log; touch busy; sleep 0.3; rm busy; echo built >> log');
    const builds = [['run', '--silent', 'build'], ...Array(2).fill(['run', '--silent', 'build', '--', '--if-needed'])];
    await Promise.all(builds.map(args => promisify(execFile)('npm', args, { cwd: root, env })));
    const log = readFileSync(join(root, 'log'), 'utf8');
    expect(log).toMatch(/^(built\n){1,2}$/);
  });

  it('builds again after a build that failed', () => {
    fakeBuildPrograms('exit 1');
    const failed = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, env });
    expect(failed.status).not.toBe(0);
    expect(runBuildIfNeeded().stderr).toContain('Building ...');
  });
});
