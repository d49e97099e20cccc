/** `npm test`: builds when needed, then runs all tests; arguments go to jest. */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
// npm ci leaves hundreds of megabytes to be written to the disk. Tests that measure waits for the disk begin after that.
spawnSync('sync');
const jest = ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
