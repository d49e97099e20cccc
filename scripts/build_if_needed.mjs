/** Builds server and pages when a source is newer than the last build. Quiet when there is nothing to do. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const STAMP = join(root, 'dist/.built');
const SOURCES = ['src', 'config', 'web', 'tsconfig.json', 'package.json'];

/** Runs `npm run build` when needed; ends the process when the build fails. */
export function buildIfNeeded() {
  if (existsSync(STAMP) && SOURCES.every(source => newest(join(root, source)) <= statSync(STAMP).mtimeMs)) return;
  console.error('Building ...');
  const startedAt = new Date();
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('The build failed.');
    process.exit(1);
  }
  // A file that was saved while the build went on is newer than it.
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}

/** Time of the newest change below a path, milliseconds since 1970. */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))));
}
