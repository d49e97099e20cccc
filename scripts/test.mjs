/**
 * Builds when needed, then runs tests. `npm test` runs the quick selection; with arguments it passes them to jest, which looks in all test files.
 * `--select unit|rest|all` as the first arguments runs that selection of scripts/test_selection.cjs; further arguments go to jest.
 */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';
import { keepCompiledCode } from './keep_compiled_code.mjs';

const args = process.argv.slice(2);
const selection = args[0] === '--select' ? args.splice(0, 2)[1] : args.length === 0 ? 'quick' : undefined;
const filter = selection === undefined ? [] : ['--filter', './scripts/test_filter.cjs'];

buildIfNeeded();
if (selection !== 'unit') await keepCompiledCode();
// After npm ci, hundreds of megabytes wait to be written to disk. Write them now: some tests measure waits for the disk.
spawnSync('sync');
const env = { ...process.env, NETA_TEST_SELECTION: selection };
const { status } = spawnSync(process.execPath, ['--trace-warnings', 'node_modules/jest/bin/jest.js', ...args, ...filter], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(status ?? 1);
