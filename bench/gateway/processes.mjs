/** Starts the programs of the bench, pins them to cores where taskset is there, and reads what they use from /proc. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { killAtExit, makeTemporaryDirectory } from './leftovers.mjs';

const HERE = import.meta.dirname;
export const ROOT = join(HERE, '../..');
/** The host has the first core; the clients have the second one, and the model server the third, if there is one. */
const CORES = { host: 0, clients: 1, model: availableParallelism() > 2 ? 2 : 1 };
/** Linux counts the times of /proc/<pid>/stat in hundredths of a second. */
const TICK_MS = 10;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;

const canPin = (() => {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return availableParallelism() > 1;
  } catch {
    return false;
  }
})();

/** Without a core the system chooses. */
const pinned = (core, args) =>
  canPin && core !== undefined ? ['taskset', '-c', String(core), process.execPath, ...args] : [process.execPath, ...args];

/** Puts this process, which holds the clients, on the core of the clients. */
export function pinClients() {
  // A thread that ends while taskset lists it makes taskset fail: try again.
  for (let attempt = 0; canPin && attempt < 5; attempt += 1) {
    try {
      execFileSync('taskset', ['-acp', String(CORES.clients), String(process.pid)], { stdio: 'ignore' });
      return true;
    } catch {}
  }
  return false;
}

function startProgram(core, args, options) {
  const [command, ...rest] = pinned(core, args);
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  killAtExit(child);
  let output = '';
  child.stderr.on('data', piece => {
    output += piece;
  });
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    child.once('exit', code => reject(new Error(`${args.at(-1)} ended with code ${code}: ${output}`)));
    child.stdout.on('data', piece => {
      output += piece;
      const url = /ready on (http:\S+)/.exec(output)?.[1];
      if (!url) return;
      clearTimeout(impatience);
      resolve({ child, url, pid: child.pid, readyMs: performance.now() - started, output: () => output });
    });
  });
}

/** Starts the model server. */
export const startModel = ({ isPinned = true } = {}) => startProgram(isPinned ? CORES.model : undefined, [join(HERE, 'model_server.mjs')]);

/**
 * Starts a host with a small workspace; `stop` ends it and removes the workspace. `profile`: a directory for its CPU profile. `dataDir`: a data
 * directory that stays; without it the host gets an empty one. `env`: more environment variables. `isPinned`: false lets it use every core.
 */
export async function startHost({ program, root = ROOT, dataDir, env, isPinned = true }, modelUrl, profile) {
  const home = makeTemporaryDirectory('neta-bench-');
  const workspace = join(home, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'notes.txt'), 'A line of notes.\n'.repeat(20));
  writeFileSync(join(workspace, 'counter.txt'), `Counter 0\n${'A line below the counter.\n'.repeat(200)}`);
  const baseEnv = {
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
  const host = await startProgram(isPinned ? CORES.host : undefined, args, { cwd: root, env: { ...baseEnv, ...env } });
  return {
    ...host,
    async stop(signal = 'SIGTERM') {
      const ended = once(host.child, 'exit');
      host.child.kill(signal);
      const impatience = setTimeout(() => host.child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(impatience);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * Milliseconds of CPU that the process and its threads have used. The scheduler counts nanoseconds for each living thread; the ticks of
 * /proc/<pid>/stat include the threads that have ended.
 */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  return Math.max(ticks, threadMs(pid));
}

function threadMs(pid) {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
    } catch {
      // The thread has ended, or this kernel keeps no such file.
    }
  }
  return sum;
}

/** Resident memory in KiB. */
export const residentKiB = pid => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
