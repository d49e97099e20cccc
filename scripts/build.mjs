/**
 * `npm run build`: compiles the server, bundles packages and builds the pages, all at once. A second build waits until the first has ended: two builds
 * that remove and write the same files would leave a part of each. With --if-needed it builds only when there is no newer build by then.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBuilt, root } from './build_if_needed.mjs';

/** The compiler keeps output of deleted sources, and the framework would load it. */
const OUTPUTS = ['src', 'config', 'node_modules', 'compile_cache', 'bundled_packages.json', 'page_packages.json', '.tsbuildinfo', '.built'];
const LOCK_MS = 600_000;

const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });
// The system takes the lock back when this process ends, whichever way.
const lock = new DatabaseSync(join(dist, '.lock'), { timeout: LOCK_MS });
lock.exec('begin exclusive');
if (!process.argv.includes('--if-needed') || !isBuilt()) await build();
lock.close();

async function build() {
  for (const output of OUTPUTS) rmSync(join(dist, output), { recursive: true, force: true });
  // The command line is compiled with these types.
  if ((await run('node', 'scripts/client_schema.mjs')) !== 0) process.exit(1);
  // The stamp has the time of the beginning, so a file that is saved during the build is newer than the build.
  writeFileSync(join(dist, '.building'), '');
  const codes = await Promise.all([
    // Named by its file: the older compiler, which tools read sources with, has a command of the same name.
    run('node', 'node_modules/typescript-native/bin/tsc'),
    run('node', 'scripts/bundle_packages.mjs'),
    run('vite', 'build', '--config', 'web/vite.config.mjs', '--logLevel', 'warn'),
  ]);
  if (codes.some(code => code !== 0)) process.exit(1);
  renameSync(join(dist, '.building'), join(dist, '.built'));
}

/** Resolves with the exit code; null when a signal ended the program. */
function run(program, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', resolve);
  });
}
