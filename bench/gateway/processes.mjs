/** Starts the programs of the bench, pins them to cores where taskset is there, and reads what they use from /proc. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
/** Linux counts the times of /proc/<pid>/stat in hundredths of a second. */
const TICK_MS = 10;

const canPin = (() => {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return availableParallelism() > 1;
  } catch {
    return false;
  }
})();

const pinned = (core, args) => (canPin ? ['taskset', '-c', String(core), process.execPath, ...args] : [process.execPath, ...args]);

/** Puts this process, which holds the clients, on the core of the model server. */
export function pinClients() {
  if (canPin) execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
  return canPin;
}

function startProgram(core, args, options) {
  const [command, ...rest] = pinned(core, args);
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  child.stderr.on('data', piece => {
    output += piece;
  });
  const started = performance.now();
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${args.at(-1)} ended with code ${code}: ${output}`)));
    child.stdout.on('data', piece => {
      output += piece;
      const url = /ready on (http:\S+)/.exec(output)?.[1];
      if (url) resolve({ child, url, pid: child.pid, readyMs: performance.now() - started });
    });
  });
}

/** Starts the model server. */
export const startModel = () => startProgram(1, [join(HERE, 'model_server.mjs')]);

/**
 * Starts a host with an empty workspace; `stop` ends it and removes the workspace. `profile`: a directory for its CPU profile. `dataDir`: a data
 * directory that stays; without it the host gets an empty one.
 */
export async function startHost({ program, root = ROOT, dataDir }, modelUrl, profile) {
  const home = mkdtempSync(join(tmpdir(), 'neta-bench-'));
  const workspace = join(home, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'notes.txt'), 'A line of notes.\n'.repeat(20));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PORT: '0',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: 'none',
    BENCH_WORKSPACE: workspace,
    NETA_WORKSPACE: workspace,
    NETA_DATA_DIR: dataDir ?? join(home, 'data'),
    NETA_SANDBOX: 'none',
  };
  const args = [...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []), program ? join(HERE, program) : 'bootstrap.js'];
  const host = await startProgram(0, args, { cwd: root, env });
  return {
    ...host,
    async stop() {
      const ended = once(host.child, 'exit');
      host.child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Milliseconds of CPU that the process and its threads have used. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory in KiB. */
export const residentKiB = pid => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
