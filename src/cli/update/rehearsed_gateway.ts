/** A gateway of one version on a copy of the data: it recovers nothing, starts nothing by itself, and listens on a free port of this machine. */
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Check } from '../local_checks';

const START_MS = 120_000;
/** The longest restore, check or replay. */
const LONGEST_MS = 1_800_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** The end of what the gateway wrote, for a person. */
const TAIL_LINES = 8;
const SCOPES = 'chat+tools+ops:read+ops:write+admin';
/** Settings that name places of the real gateway, its neighbours and its visitors; each may have a twin that ends in _FILE. */
const OF_REAL = [
  ...['NETA_DATA_DIR', 'NETA_WORKSPACE', 'NETA_CONFIG_DIR', 'NETA_WORKSPACE_STORE', 'NETA_WORKSPACE_SNAPSHOT_DIR', 'NETA_LOG_FILE'],
  ...['NETA_BASE_PATH', 'NETA_ORIGINS', 'NETA_API_KEYS', 'DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
].flatMap(name => [name, `${name}_FILE`]);

/** The gateway stops when the channel closes, so it does not outlive an update that was killed. */
const STDIO: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];

/** One line of POST /api/v1/ops/replays. */
export interface ReplayResult {
  runId: string;
  result: 'same' | 'different' | 'failed';
  differences: string[];
  changedRequests: number;
  error?: string;
}

/** The findings of one version on the copy. */
export interface Rehearsal {
  /** The end of the gateway's output when it did not start; then the other fields are empty. */
  failure?: string;
  checks: Check[];
  /** Undefined when the version has no replays. */
  replays?: ReplayResult[];
}

/** The copy of the data. */
export interface Copy {
  folder: string;
  /** The Postgres database of its rows; absent: a SQLite file in the folder. */
  databaseUrl?: string;
  /** The folder and the settings of the real gateway. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** Number of runs to replay. */
  runs: number;
}

/** Runs the command line of a version in the folder of the copy. Resolves with its stdout, also when it fails; rejects when there is none. */
export async function runNeta(root: string, args: readonly string[], copy: Copy, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: copy.folder, env: { ...envOf(copy), ...more }, maxBuffer: MAX_OUTPUT_BYTES, timeout: LONGEST_MS };
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [join(root, 'bin/neta.cjs'), ...args], options).then(
    done => ({ ...done, code: 0 }),
    (thrown: { stdout?: string; stderr?: string; code?: number; message: string }) => ({
      stdout: thrown.stdout ?? '',
      stderr: thrown.stderr ?? thrown.message,
      code: thrown.code ?? 1,
    }),
  );
  if (code !== 0 && stdout === '') throw new Error(stderr.trim());
  return stdout;
}

/** Starts a version on the copy, which it may migrate; checks it, replays runs, and stops it. `root`: directory of the package. */
export async function rehearse(root: string, copy: Copy): Promise<Rehearsal> {
  const secret = randomBytes(24).toString('hex');
  const env = { ...envOf(copy), NETA_API_KEYS: `rehearsal:${secret}:default:${SCOPES}` };
  const child = spawn(process.execPath, [join(root, 'bin/start.mjs')], { cwd: copy.folder, env, stdio: STDIO });
  try {
    const started = await readStart(child);
    if ('failure' in started) return { failure: started.failure, checks: [] };
    const { url } = started;
    const report = await runNeta(root, ['doctor', '--json'], copy, { NETA_URL: url, NETA_API_KEY: secret });
    const { checks } = JSON.parse(report) as { checks: Check[] };
    return { checks, replays: await replayLast(url, secret, copy.runs) };
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

function envOf({ folder, databaseUrl, home, env }: Copy): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_REAL.includes(name));
  // The files of secrets stay where they are.
  const rest = Object.fromEntries(kept.map(([name, value = '']) => [name, name.endsWith('_FILE') ? resolve(home, value) : value]));
  // Node leaves out variables whose value is undefined.
  return { ...rest, DATABASE_URL: databaseUrl, NETA_HOME: folder, NETA_REHEARSAL: '1', HOST: '127.0.0.1', PORT: '0' };
}

/** Resolves with the address of the gateway, or with the end of what it wrote when it ended or took too long. */
async function readStart(child: ChildProcess): Promise<{ url: string } | { failure: string }> {
  const { promise, resolve: done } = Promise.withResolvers<{ url: string } | { failure: string }>();
  let output = '';
  const fail = (how: string) => done({ failure: [...output.trim().split('\n').slice(-TAIL_LINES), how].join('\n').trim() });
  const limit = setTimeout(() => fail(`(${START_MS / 1_000} s)`), START_MS);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', piece => {
      output += piece;
      const [, url] = /ready on (http\S+)/.exec(output) ?? [];
      if (url) done({ url });
    });
  }
  child.once('close', (code, signal) => fail(`(exit ${code ?? signal})`));
  return promise.finally(() => clearTimeout(limit));
}

async function replayLast(url: string, secret: string, last: number): Promise<ReplayResult[] | undefined> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(LONGEST_MS);
  const answer = await fetch(`${url}/api/v1/ops/replays`, { method: 'POST', headers, body: JSON.stringify({ last }), signal });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`POST /api/v1/ops/replays: HTTP ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: ReplayResult[] }).data;
}
