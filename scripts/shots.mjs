/**
 * `npm run shots [-- --only PATTERN --out DIRECTORY]`: builds when needed and photographs the states of the pages into shots/, with an index.html.
 * Exits with 1 when a state was not reached or a page had an error.
 */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
const args = ['--require', './test/support/typescript_hook.cjs', 'test/shots/main.ts', ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1);
