/** Starts one gateway for hostile input, with traps in its workspace, a canary outside it, and a measurement of its event loop. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'iconv-lite';
import type { EventLoopDelay } from '../../src/port/event_loop_monitor';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import type { ModelRequest } from '../support/mock_model';
import type { Site } from '../support/site';

/** One call and its expected result. `any`: a tool result of either kind; a RegExp must match its text. */
export interface Row {
  what: string;
  tool: string;
  /** A string is sent unchanged, by the model only. */
  args: Record<string, unknown> | string;
  expect: 'ok' | 'error' | 'any' | RegExp;
}

export interface Answer {
  ok: boolean;
  text: string;
}

/** Text of the files outside the workspace; no answer may contain it. */
export const SECRET = 'canary-5ecret-text';
const TOOLSETS = 'base, planning, interaction, files, data, web, utility, terminal';
const MAX_STRETCH_MS = 250;
/** The machine reports waiting and CPU time inexactly. */
const MAX_WAIT_MS = 500;
/** A longer delay counts against the gateway, however busy the machine is. */
const MAX_EXCUSED_MS = 2_000;
/** Tool calls of one attempt. */
const MAX_CALLS = 32;

/** Milliseconds. */
export interface LoopTrouble {
  busyMs: number;
  busyBy: string;
  delayMs: number;
  delayBy: string;
  /** Time that the thread of the event loop was ready but had no CPU during that delay. */
  queuedMs: number;
}

export interface HostileBench extends AgentBench {
  readonly outside: string;
  /** Sends the row as a direct call. */
  direct(row: Row): Promise<Answer>;
  /** Sends the rows as tool calls of one model answer. */
  inRun(rows: readonly Row[]): Promise<Answer[]>;
  /** True when commands run in the sandbox. */
  readonly isSandboxed: boolean;
  /** Reads the delays and remembers which rows increased them. */
  lookAtLoop(who: string): Promise<void>;
  worst(): LoopTrouble;
  /** Timer delay in another process that only syncs a file: the delay that the machine causes for every process. */
  stopNoise(): Promise<number>;
  /** Memory of the gateway in MiB, current and peak. */
  memory(): Promise<{ now: number; most: number }>;
  /** Files that changed outside the workspace; there must be none. */
  changesOutside(): Promise<string[]>;
}

export async function startHostileBench(site: Site, env: Record<string, string> = {}): Promise<HostileBench> {
  const outside = await mkdtemp(join(tmpdir(), 'neta-outside-'));
  await writeFile(join(outside, 'canary.txt'), SECRET);
  // A process that can create a hard link could read the file anyway; tools must not write through it.
  await writeFile(join(outside, 'hard.txt'), 'shared');
  await mkdir(join(outside, 'agents'));
  await writeFile(
    join(outside, 'agents', 'default.yaml'),
    `name: default\nlabel: Target\ndescription: Has every tool.\ntoolsets: [${TOOLSETS}]\ntools: [file_read, file_write, file_list]\n`,
  );
  const bench = await startBench({ env: { NETA_CONFIG_DIR: outside, NETA_FETCH_ALLOW: site.host, ...env } });
  // Long arguments fill the context window, and then the model is asked for a summary.
  bench.model.onTurn(({ body }) => /^You write the summary/.test(body.messages[0]?.content ?? ''), 'Every tool is being called.');
  const closeTraps = await setTraps(bench.gateway.workspace, outside);
  const before = await snapshot(outside);
  const noise = startNoise(join(tmpdir(), `neta-noise-${process.pid}`));
  const worst: LoopTrouble = { busyMs: 0, busyBy: '', delayMs: 0, delayBy: '', queuedMs: 0 };
  // The first delays of the event loop cover the start of the process, so this measurement does too.
  let queuedBefore = 0;
  let turns = 0;
  const { body: info } = await bench.rest.request<{ sandbox: { kind: string } }>('GET', '/info');
  return {
    ...bench,
    outside,
    isSandboxed: info.sandbox.kind !== 'none',
    async direct({ tool, args }) {
      const { status, body } = await bench.rest.request<Record<string, unknown>>('POST', '/tools/call', {
        toolName: tool,
        parameters: args,
      });
      if (status === 400) return { ok: false, text: JSON.stringify(body) };
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body).slice(0, 500)}`);
      return { ok: body['status'] === 'success', text: String(body['message']) };
    },
    async inRun(rows) {
      if (rows.length > MAX_CALLS) throw new Error('more calls than a model may send');
      turns += 1;
      const text = `hostile turn ${turns}.`;
      const toolCalls = rows.map(({ tool, args }) => ({ name: tool, arguments: args }));
      bench.model.onTurn(text, { toolCalls, chunkSize: 64 * 1024 }, 'done');
      const { body } = await bench.rest.run({ input: text });
      if (body.status !== 'completed') throw new Error(`the run ended ${body.status}: ${JSON.stringify(body.error)}`);
      // Events come in the order in which calls end, results for the model in the order of the calls.
      const { messages } = (bench.model.requests(text).at(-1) as ModelRequest).body;
      const results = messages.flatMap(message => (message.role === 'tool' ? [message] : []));
      return rows.map((_, index) => {
        const { tool_call_id: id, content = 'NO RESULT' } = results[index] ?? {};
        return { ok: body.toolCalls.some(call => call.toolCallId === id && call.ok), text: content };
      });
    },
    async lookAtLoop(who) {
      const { status, body } = await bench.rest.request<{ eventLoop: EventLoopDelay }>('GET', '//readyz');
      if (status !== 200) throw new Error(`readyz answered ${status} after ${who}`);
      const { busyMaxMs, delayMaxMs } = body.eventLoop;
      if (busyMaxMs > worst.busyMs) Object.assign(worst, { busyMs: busyMaxMs, busyBy: who });
      const queued = await queuedMsOf(bench.gateway.pid);
      if (delayMaxMs > worst.delayMs)
        Object.assign(worst, { delayMs: delayMaxMs, delayBy: who, queuedMs: Math.round(queued - queuedBefore) });
      queuedBefore = queued;
    },
    worst: () => worst,
    stopNoise: noise.stop,
    async memory() {
      const status = await readFile(`/proc/${bench.gateway.pid}/status`, 'utf8');
      const mebibytes = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
      return { now: mebibytes('VmRSS'), most: mebibytes('VmHWM') };
    },
    async changesOutside() {
      const after = await snapshot(outside);
      return [...new Set([...before, ...after])].filter(line => !before.includes(line) || !after.includes(line));
    },
    async stop() {
      await noise.stop();
      await closeTraps();
      await bench.stop();
      await rm(outside, { recursive: true, force: true });
    },
  };
}

/** Returns why the event loop was blocked for too long, or undefined. Subtracts the delay that the machine caused for the gateway or for every process. */
export function loopProblem({ busyMs, busyBy, delayMs, delayBy, queuedMs }: LoopTrouble, noiseMs: number): string | undefined {
  if (busyMs >= MAX_STRETCH_MS) return `${busyMs} ms of work in one stretch, by ${busyBy}`;
  const excusedMs = Math.min(noiseMs + queuedMs, MAX_EXCUSED_MS);
  if (delayMs >= MAX_WAIT_MS + excusedMs) return `${delayMs} ms of waiting (${excusedMs} ms by the machine), by ${delayBy}`;
  return undefined;
}

/** Returns true when the answer is as expected and reveals nothing about the gateway or the files outside. */
export function rowProblem({ expect }: Row, { ok, text }: Answer): string | undefined {
  if (text.includes(SECRET) || text.includes(MODEL_KEY)) return 'it tells a secret';
  if (/failed unexpectedly|node_modules|\bat .*\.js:\d+/.test(text)) return `it tells of the inside: ${text.slice(0, 300)}`;
  if (expect === 'any') return undefined;
  const isExpected = expect instanceof RegExp ? expect.test(text) : ok === (expect === 'ok');
  return isExpected ? undefined : `expected ${expect}, got ${ok ? 'ok' : 'error'}: ${text.slice(0, 300)}`;
}

async function setTraps(workspace: string, outside: string): Promise<() => Promise<void>> {
  const here = (name: string) => join(workspace, name);
  await symlink(outside, here('link_out'));
  await symlink(join(outside, 'canary.txt'), here('link_file'));
  await symlink(join(outside, 'new.txt'), here('dangling'));
  await symlink('/dev/zero', here('zero'));
  await symlink(here('loop'), here('loop'));
  await link(join(outside, 'hard.txt'), here('hard'));
  execFileSync('mkfifo', [here('pipe')]);
  await mkdir(here('directory'));
  await writeFile(here('plain.txt'), 'plain\n');
  await writeFile(here('legacy.txt'), encode('灯塔日志今天的风很大，看不到船。\n'.repeat(300_000), 'gb18030'));
  await writeFile(here('same.txt'), '  const value = compute(alpha, beta, gamma);\n'.repeat(5_500));
  await writeFile(here('marks.txt'), `${'e\u0301'.repeat(80_000)}\n`);
  await writeFile(here('line.txt'), 'a'.repeat(1_000_000));
  const sparse = await open(here('sparse.bin'), 'w');
  await sparse.truncate(5 * 1024 ** 3);
  await sparse.close();
  await mkdir(here('many'));
  for (let i = 0; i < 5_000; i += 1) await writeFile(here(`many/${'n'.repeat(180)}${i}`), '');
  const socket = createServer().listen(here('socket'));
  await once(socket, 'listening');
  return async () => {
    socket.close();
  };
}

/** Returns how long the main thread of a process has waited for a CPU so far; 0 where the system does not report it. */
async function queuedMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e6;
}

/** Returns every file of a directory with its content and modification time. */
async function snapshot(directory: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(directory, { recursive: true })).sort()) {
    const { mtimeMs, size, mode } = await stat(join(directory, name));
    lines.push(`${name} ${size} ${mode} ${mtimeMs}`);
  }
  return lines;
}

function startNoise(file: string): { stop: () => Promise<number> } {
  const code = `const fs = require('node:fs'); const name = process.argv[1]; const file = fs.openSync(name, 'w'); fs.unlinkSync(name);
    let last = performance.now(); let worst = 0;
    setInterval(() => { fs.writeSync(file, 'x', 0); fs.fsyncSync(file); const now = performance.now(); worst = Math.max(worst, now - last - 20); last = now; }, 20);
    process.stdin.on('end', () => { process.stdout.write(String(worst)); process.exit(0); }).resume();`;
  const child = spawn(process.execPath, ['-e', code, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
  });
  const closed = once(child, 'close');
  return {
    async stop() {
      child.stdin.end();
      await closed;
      return Math.round(Number(text));
    },
  };
}
