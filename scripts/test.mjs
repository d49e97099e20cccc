/** `npm test`: builds when needed, then runs all tests; arguments go to jest. */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
// After npm ci, hundreds of megabytes wait to be written to disk. Write them now: some tests measure waits for the disk.
spawnSync('sync');
const jest = ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
