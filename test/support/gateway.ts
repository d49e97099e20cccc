/** Runs the built gateway as a child process with its own data directory and workspace on a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sandboxSettings } from './missing_sandboxes';

const ROOT = join(__dirname, '../..');
const START_LIMIT_MS = 30_000;
/** A gateway ends its own stop after 29 s. */
const STOP_LIMIT_MS = 45_000;

export interface GatewayOptions {
  /** Environment variables; OPENAI_BASE_URL is the base URL of the model server. */
  env?: Record<string, string>;
  /** Files in the workspace: path -> content. */
  files?: Record<string, string>;
  /** Makes `arm` work. */
  failpoints?: boolean;
  /** Root directory of the build. Default: this project. */
  root?: string;
  /** Program and arguments that run the gateway, such as unshare. */
  prefix?: readonly string[];
}

export interface Gateway {
  readonly url: string;
  readonly workspace: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Arms failpoints, such as `run_end=crash`, in the current process: a restart disarms them. For a gateway with the option `failpoints`. */
  arm(points: string): Promise<void>;
  /** Returns the stdout and stderr of the current process. */
  output(): string;
  /** Resolves when the current process has ended for any reason. */
  exited(): Promise<void>;
  /** Sends SIGKILL; the directories stay for `restart`. */
  kill(): Promise<void>;
  /** Kills the process and starts a new one with the same data, workspace and port. */
  restart(env?: Record<string, string>): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code. Rejects when the process does not end, and says what its threads wait for. */
  terminate(): Promise<number | null>;
  /** Ends the process and removes the directories. */
  stop(): Promise<void>;
}

/** Starts the gateway and resolves when its start line appears. */
export async function startGateway({
  env = {},
  files = {},
  failpoints = false,
  root = ROOT,
  prefix = [],
}: GatewayOptions = {}): Promise<Gateway> {
  const home = await mkdtemp(join(tmpdir(), 'neta-'));
  const workspace = join(home, 'workspace');
  const dataDir = join(home, 'data');
  await mkdir(workspace);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
  const armed = join(home, 'failpoints');
  const base = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    NETA_DATA_DIR: dataDir,
    NETA_WORKSPACE: workspace,
    // A call that a test does not expect would be in its scripts and figures.
    NETA_TITLES: 'first_message',
    ...sandboxSettings(),
    ...(failpoints && { NETA_DEBUG_POINTS: `@${armed}` }),
    ...env,
  };
  let running = await startProcess(root, base, prefix);
  const { url } = running;
  return {
    url,
    workspace,
    dataDir,
    get pid() {
      return running.child.pid ?? 0;
    },
    async arm(points) {
      if (!failpoints) throw new Error('this gateway has no failpoints: start it with { failpoints: true }');
      await writeFile(`${armed}.new`, points);
      await rename(`${armed}.new`, armed);
    },
    output: () => running.output(),
    async exited() {
      if (running.child.exitCode === null && running.child.signalCode === null) await once(running.child, 'exit');
    },
    kill: () => end(running.child, 'SIGKILL'),
    async restart(more = {}) {
      await end(running.child, 'SIGKILL');
      await rm(armed, { force: true });
      running = await startProcess(root, { ...base, PORT: new URL(url).port, ...more }, prefix);
    },
    async terminate() {
      const { child, output } = running;
      // `once`, which waits for the end, rejects with an error that the process emits.
      const complain = () => child.emit('error', new Error(`the gateway did not stop:\n${threadsOf(child)}\n${output()}`));
      const limit = setTimeout(complain, STOP_LIMIT_MS);
      await end(child, 'SIGTERM').finally(() => clearTimeout(limit));
      return child.exitCode;
    },
    async stop() {
      await end(running.child, 'SIGKILL');
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Runs a gateway that must refuse to start; resolves with its exit code and output. */
export async function startAndFail(env: Record<string, string>, root = ROOT): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['bootstrap.js'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', NETA_LOG: 'text', ...env },
  });
  const output = collectOutput(child);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

async function startProcess(
  root: string,
  env: Record<string, string>,
  prefix: readonly string[],
): Promise<{ child: ChildProcess; url: string; output: () => string }> {
  const [program = process.execPath, ...args] = [...prefix, process.execPath, 'bootstrap.js'];
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collectOutput(child);
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the gateway was not ready in time:\n${output()}`)), START_LIMIT_MS);
    const look = () => {
      const ready = /ready on (http:\/\/\S+)/.exec(output());
      if (!ready?.[1]) return;
      clearTimeout(timer);
      resolve(ready[1]);
    };
    child.stdout?.on('data', look);
    child.once('close', code => {
      clearTimeout(timer);
      reject(new Error(`the gateway ended with ${code}:\n${output()}`));
    });
  });
  return { child, url, output };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => text;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** Returns a line for each thread: its name, and the function of the kernel in which it waits. */
function threadsOf({ pid }: ChildProcess): string {
  const tasks = `/proc/${pid}/task`;
  const lines = readdirSync(tasks).map(id => ['comm', 'wchan'].map(file => readFileSync(join(tasks, id, file), 'utf8').trim()).join(' '));
  return lines.join('\n');
}
