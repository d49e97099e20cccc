/**
 * Builds when needed, then runs tests. `npm test` runs the quick selection; with arguments it passes them to jest, which looks in all test files.
 * `--select unit|rest|all` as the first arguments runs that selection of scripts/test_selection.cjs; further arguments go to jest.
 * A few suites of a selection that failed run once more, alone (docs/decisions/0147).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildIfNeeded, root } from './build_if_needed.mjs';
import { keepCompiledCode } from './keep_compiled_code.mjs';

/** More suites than this fail because of a fault, not because the machine was busy. */
const MOST_AGAIN = 3;

const args = process.argv.slice(2);
const selection = args[0] === '--select' ? args.splice(0, 2)[1] : args.length === 0 ? 'quick' : undefined;

buildIfNeeded();
if (selection !== 'unit') await keepCompiledCode();
// After npm ci, hundreds of megabytes wait to be written to disk. Write them now: some tests measure waits for the disk.
spawnSync('sync');
process.exit(selection === undefined ? runJest(args) : runSelection());

/** Returns the exit code. */
function runJest(options) {
  const command = ['--trace-warnings', 'node_modules/jest/bin/jest.js', ...options];
  const env = { ...process.env, NETA_TEST_SELECTION: selection };
  return spawnSync(process.execPath, command, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

/** Runs the files of the selection, and the suites that failed once more. Returns the exit code. */
function runSelection() {
  const folder = mkdtempSync(join(tmpdir(), 'neta-tests-'));
  try {
    const results = join(folder, 'results.json');
    const status = runJest([...args, '--filter', './scripts/test_filter.cjs', '--json', '--outputFile', results]);
    const failed = status === 0 ? [] : readFailed(results);
    if (failed.length === 0 || failed.length > MOST_AGAIN) return status;
    console.error(`\nThese suites failed and run once more, alone:\n${failed.join('\n')}\n`);
    const again = runJest(['--runInBand', '--runTestsByPath', ...failed]);
    if (again === 0)
      console.error(`\nThese suites failed beside others and passed alone, so they depend on the load:\n${failed.join('\n')}`);
    return again;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the files of the suites that failed; none when jest ended without results. */
function readFailed(results) {
  try {
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
  } catch {
    return [];
  }
}
