/**
 * Builds server and pages when a source is newer than the last build. Without the development packages (`npm ci --omit=dev`) it uses an
 * existing build as it is.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Has the time at which the last complete build began. */
const STAMP = join(root, 'dist/.built');
/** The build holds copies of packages, so a change of the lock file needs a new one. */
const SOURCES = ['src', 'config', 'web', 'clients/typescript/src', 'tsconfig.json', 'package.json', 'package-lock.json'];

/** Returns true when no source is newer than the last complete build. */
export const isBuilt = () => existsSync(STAMP) && SOURCES.every(source => newest(join(root, source)) <= statSync(STAMP).mtimeMs);

/** Runs `npm run build` when needed; ends the process when the build fails. */
export function buildIfNeeded() {
  if (isBuilt()) return;
  if (!existsSync(join(root, 'node_modules/typescript-native'))) return useExistingBuild();
  console.error('Building ...');
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--', '--if-needed'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('The build failed.');
    process.exit(1);
  }
}

function useExistingBuild() {
  if (existsSync(join(root, 'dist/src/main.js')) && existsSync(join(root, 'dist/web/index.html'))) return;
  console.error('neta-gateway is not built, and the packages that build it are not installed: run "npm ci" (without --omit=dev) and');
  console.error('"npm run build" here, or copy the directory dist from a build of this version.');
  process.exit(1);
}

/** Returns the time of the newest change below a path, in milliseconds since 1970; 0 when it is missing, as in an image that has the build alone. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))));
}
