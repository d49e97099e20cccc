/**
 * `npm run check`: format, lint, layers, types and dead code. Runs the scripts `check:...` of package.json in their order, as many at the same time as
 * the machine has cores, waits for all of them, and prints the output of each one that fails.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './build_if_needed.mjs';

/** Runs a command line, and resolves with its exit code and its output. */
async function run(command) {
  const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, output: stdout + stderr };
}

/** Sets the exit code of this process when the command fails. */
async function check(name, command) {
  const { code, output } = await run(command);
  if (code === 0) return;
  process.exitCode = 1;
  console.error(`${name} failed: ${command}\n${output}`);
}

// The other checks read the types of the client.
await check('docs:client', 'node scripts/client_schema.mjs');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
async function checkWaiting() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await check(...next);
}
await Promise.all(Array.from({ length: availableParallelism() }, checkWaiting));
