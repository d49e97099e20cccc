/**
 * `npm run test:fault [-- --rounds N --each N --seed S --only POINT]`: builds when needed, kills the gateway under load N times at random and
 * N times at each failpoint, then runs the slow tests. `--nodes 3 [--rounds N --seed S --only FAULT]` harms gateways on one Postgres instead.
 * Exits with 1 when a promise was broken.
 */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

const args = process.argv.slice(2);
const isForNodes = args.some(arg => arg.startsWith('--nodes'));

buildIfNeeded();
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const program = isForNodes ? 'test/fault/nodes_main.ts' : 'test/fault/main.ts';
const rounds = run('--require', './test/support/typescript_hook.cjs', program, ...args);
const slow = isForNodes ? 0 : run('node_modules/jest/bin/jest.js', '--runInBand', '--testMatch', '<rootDir>/test/fault/*.long.ts');
process.exit(rounds || slow);
