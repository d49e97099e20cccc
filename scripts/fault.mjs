/**
 * `npm run test:fault [-- --rounds N --each N --seed S --only POINT]`: builds when needed, kills the gateway under load N times at random and
 * N times at each failpoint, then runs the slow tests. Exits with 1 when a promise was broken.
 */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const rounds = run('--require', './test/support/typescript_hook.cjs', 'test/fault/main.ts', ...process.argv.slice(2));
const slow = run('node_modules/jest/bin/jest.js', '--runInBand', '--testMatch', '<rootDir>/test/fault/*.long.ts');
process.exit(rounds || slow);
