/** The process of a stdio server: in its own process group, with a minimal environment, in the sandbox when that is configured. */
import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { McpError, type McpTarget } from '../../port/mcp';
import type { ShellLimits } from '../../port/shell';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { formatBytes } from '../../utils/format_bytes';
import { readProcess } from '../local/processes/process_table';
import { killTree, MARKER_NAME, type ProcessTree } from '../local/processes/process_tree';
import { limitScript } from '../local/shell/command_script';
import { CommandWatch } from '../local/shell/command_watch';
import { SANDBOX_PROCESSES } from '../local/shell/running_command';
import type { Sandbox } from '../local/shell/shell';

export interface ServerSurroundings {
  /** Real path of the workspace: directory and HOME of servers in the sandbox. */
  workspace: string;
  /** Directory of servers outside the sandbox. Not the workspace: the agent could put programs there that npx would run. */
  directory: string;
  /** The variables of the gateway that servers get: search path, language and time zone. */
  environment: Readonly<Record<string, string>>;
  /** The sandbox of the server. Absent: no sandbox works on this machine. */
  sandbox?: Sandbox | undefined;
  /** Bound servers in the sandbox, but not their CPU time: they live for days. */
  limits: Pick<ShellLimits, 'processes' | 'memoryBytes' | 'fileBytes'>;
  /** Name of this gateway in the marker of its processes; see command_owner.ts. */
  owner: string;
  /** Records a process that can reach the doors of the gateway. Call the returned function when the process has ended. */
  recordCaller: () => () => void;
}

type StdioTarget = Extract<McpTarget, { kind: 'stdio' }>;
type ServerChild = ChildProcessByStdio<Writable, Readable, Readable> & { pid: number };

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Makes the kernel end the server together with the gateway, however that ends. */
const SETPRIV = '/usr/bin/setpriv';
const EXIT_GRACE_MS = 500;
const KILL_LIMIT_MS = 1_000;
const DRAIN_LIMIT_MS = 250;
/** Milliseconds between looks at the processes of a server, which lives for days. */
const WATCH_POLLS = { tasksMs: 1_000, tableMs: 2_000 };

export class ServerProcess {
  /** Resolves when the leader of the process group has ended and its output is read. */
  readonly exited: Promise<void>;
  private readonly tree: ProcessTree;
  private failure: Bilingual | undefined;
  private stopping: Promise<void> | undefined;

  private constructor(
    readonly child: ServerChild,
    marker: string,
    private readonly release: () => Promise<void>,
  ) {
    this.exited = once(child, 'exit')
      // Waits for the pipe to close, because it may still hold the last output; not for long, because a descendant can hold the pipe open.
      .then(() => Promise.race([once(child, 'close'), delay(DRAIN_LIMIT_MS, undefined, { ref: false })]))
      .then(
        () => {},
        () => {},
      );
    this.tree = {
      pid: child.pid,
      marker,
      since: readProcess(child.pid)?.started ?? 0,
      isLeaderAlive: () => child.exitCode === null && child.signalCode === null,
    };
    // Children of a server that has ended by itself must not outlive the server.
    void this.exited.then(() => this.stop());
  }

  /** Starts the program. Rejects with an McpError of the kind `unsent`. */
  static async start(target: StdioTarget, surroundings: ServerSurroundings): Promise<ServerProcess> {
    const { workspace, directory, environment, owner, recordCaller } = surroundings;
    const marker = `${owner}/mcp-${randomUUID()}`;
    const cwd = target.isSandboxed ? workspace : directory;
    const env = { PATH: DEFAULT_PATH, LANG: 'C.UTF-8', ...environment, HOME: target.isSandboxed ? workspace : homedir(), ...target.env };
    const launch = target.isSandboxed
      ? await inSandbox(target, surroundings)
      : await outside(target, { path: env['PATH'] ?? DEFAULT_PATH, cwd });
    // Descriptor 3 stays unused: the sandbox expects its own from 4 on.
    const stdio = ['pipe', 'pipe', 'pipe', 'ignore', ...launch.descriptors] as const;
    const options = { cwd, env: { ...env, [MARKER_NAME]: marker }, detached: true, stdio: [...stdio] };
    const child = await spawnOrFail(launch, options);
    // The sandbox has no network.
    const endRecord = target.isSandboxed ? () => {} : recordCaller();
    const release = async () => {
      endRecord();
      await launch.release();
    };
    const server = new ServerProcess(child, `${MARKER_NAME}=${marker}`, release);
    if (target.isSandboxed) server.watchLimits(surroundings.limits);
    return server;
  }

  private watchLimits(limits: ServerSurroundings['limits']): void {
    const { pid, since } = this.tree;
    const reasons = {
      memory_limit: inBoth(
        `It used more than ${formatBytes(limits.memoryBytes)} of memory.`,
        `它使用的内存超过 ${formatBytes(limits.memoryBytes)}。`,
      ),
      process_limit: inBoth(`It had more than ${limits.processes} processes and threads.`, `它的进程和线程超过 ${limits.processes} 个。`),
    };
    const onExceeded = (limit: keyof typeof reasons) => this.fail(reasons[limit]);
    const watch = new CommandWatch(limits, WATCH_POLLS);
    const stopWatching = watch.add({ pid, since, overhead: SANDBOX_PROCESSES, onExceeded });
    void this.exited.then(stopWatching);
  }

  /** Why the process has ended; undefined while it runs, and after `stop`. */
  get reason(): Bilingual | undefined {
    if (this.failure !== undefined) return this.failure;
    const { exitCode, signalCode } = this.child;
    if (signalCode !== null) return inBoth(`Its process was ended by ${signalCode}.`, `它的进程被 ${signalCode} 终止。`);
    if (exitCode === null) return undefined;
    return inBoth(`Its process ended with code ${exitCode}.`, `它的进程已结束，退出码 ${exitCode}。`);
  }

  /** Ends a server that breaks a limit. */
  fail(reason: Bilingual): void {
    this.failure ??= reason;
    void this.kill();
  }

  /** Closes stdin, gives the server a moment, then ends it with all its descendants. Never rejects. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    this.child.stdin.end();
    await Promise.race([this.exited, delay(EXIT_GRACE_MS, undefined, { ref: false })]);
    await this.kill();
    await this.release();
  }

  private async kill(): Promise<void> {
    // Stops reading: a server that floods its pipe would fill the memory until it is dead.
    this.child.stdout.pause();
    await killTree(this.tree, KILL_LIMIT_MS);
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream.destroy();
  }
}

interface Start {
  command: string;
  args: string[];
  descriptors: readonly number[];
  release: () => Promise<void>;
}

/** Starts the process of a server. Rejects with an McpError of the kind `unsent`. */
async function spawnOrFail({ command, args, release }: Start, options: SpawnOptions): Promise<ServerChild> {
  try {
    const child = spawn(command, args, options);
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    // The options open the first three descriptors as pipes.
    return child as unknown as ServerChild;
  } catch (thrown) {
    await release();
    const { code } = thrown as NodeJS.ErrnoException;
    const text = inBoth(`Its process cannot be started (${code ?? 'unknown error'}).`, `无法启动它的进程（${code ?? '未知错误'}）。`);
    throw new McpError('unsent', text, { cause: thrown });
  }
}

const NO_SANDBOX = inBoth(
  'It is configured for the sandbox, and no sandbox works on this machine.',
  '它配置为在沙箱中运行，而本机没有可用的沙箱。',
);

async function inSandbox({ command, args }: StdioTarget, { sandbox, limits, workspace }: ServerSurroundings): Promise<Start> {
  if (!sandbox) throw new McpError('unsent', NO_SANDBOX);
  const interpreter = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const script = limitScript({ interpreter, limits: { ...limits, cpuSeconds: Number.POSITIVE_INFINITY }, sandboxed: true });
  return sandbox.wrap(interpreter, ['-c', `${script} exec "$@"`, 'sh', command, ...args], workspace);
}

async function outside({ command, args }: StdioTarget, { path, cwd }: { path: string; cwd: string }): Promise<Start> {
  const program = await findProgram(command, path, cwd);
  const shown = JSON.stringify(command);
  if (program === undefined) throw new McpError('unsent', inBoth(`The program ${shown} was not found.`, `找不到程序 ${shown}。`));
  const own = { command: program, args: [...args] };
  const wrapped = (await isProgram(SETPRIV)) ? { command: SETPRIV, args: ['--pdeathsig', 'KILL', '--', program, ...args] } : own;
  return { ...wrapped, descriptors: [], release: async () => {} };
}

/** Looks in the search path, or from `cwd` when the command has a slash. */
async function findProgram(command: string, path: string, cwd: string): Promise<string | undefined> {
  const places = command.includes('/') ? [resolve(cwd, command)] : path.split(delimiter).map(directory => join(directory, command));
  for (const place of places) if (isAbsolute(place) && (await isProgram(place))) return place;
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
