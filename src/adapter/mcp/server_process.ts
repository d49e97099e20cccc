/** The process of a stdio server: in its own process group, with a minimal environment, in the sandbox when that is configured. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { McpError, type McpTarget } from '../../port/mcp';
import { readProcess } from '../local/process_table';
import { killTree, MARKER_NAME, type ProcessTree } from '../local/process_tree';
import type { Sandbox } from '../local/shell';

export interface ServerSurroundings {
  /** Real path of the workspace: directory and HOME of servers in the sandbox. */
  workspace: string;
  /** Directory of servers outside the sandbox. Not the workspace: the agent could put programs there that npx would run. */
  directory: string;
  /** The variables of the gateway that servers get: search path, language and time zone. */
  environment: Readonly<Record<string, string>>;
  /** Absent: no sandbox works here. */
  sandbox?: Sandbox | undefined;
  /** Name of this gateway in the marker of its processes; see command_owner.ts. */
  owner: string;
  /** Records a process that can reach the doors of the gateway; call the returned function when it has ended. */
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

export class ServerProcess {
  /** Resolves when the leader of the process group has ended and its output is read. */
  readonly exited: Promise<void>;
  private readonly tree: ProcessTree;
  private failure: string | undefined;
  private stopping: Promise<void> | undefined;

  private constructor(
    readonly child: ServerChild,
    marker: string,
    private readonly release: () => Promise<void>,
  ) {
    this.exited = once(child, 'exit')
      // Its last output may still be in the pipe, which a descendant can hold open.
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
    // Children of a server that has ended by itself must not outlive it.
    void this.exited.then(() => this.stop());
  }

  /** Starts the program. Rejects with an McpError of the kind `unsent`. */
  static async start(target: StdioTarget, surroundings: ServerSurroundings): Promise<ServerProcess> {
    const { workspace, directory, environment, sandbox, owner, recordCaller } = surroundings;
    const marker = `${owner}/mcp-${randomUUID()}`;
    const cwd = target.isSandboxed ? workspace : directory;
    const env = { PATH: DEFAULT_PATH, LANG: 'C.UTF-8', ...environment, HOME: target.isSandboxed ? workspace : homedir(), ...target.env };
    const launch = target.isSandboxed
      ? await inSandbox(target, sandbox, cwd)
      : await outside(target, { path: env['PATH'] ?? DEFAULT_PATH, cwd });
    // Descriptor 3 stays unused: the sandbox expects its own from 4 on.
    const stdio = ['pipe', 'pipe', 'pipe', 'ignore', ...launch.descriptors] as const;
    const child = spawn(launch.command, launch.args, { cwd, env: { ...env, [MARKER_NAME]: marker }, detached: true, stdio: [...stdio] });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
      await launch.release();
      throw new McpError('unsent', `Its process cannot be started (${error.code ?? 'unknown error'}).`);
    }
    // The sandbox has no network.
    const endRecord = target.isSandboxed ? () => {} : recordCaller();
    const release = async () => {
      endRecord();
      await launch.release();
    };
    // `stdio` opens the first three as pipes.
    return new ServerProcess(child as unknown as ServerChild, `${MARKER_NAME}=${marker}`, release);
  }

  /** Why the process has ended: undefined while it runs, and after `stop`. */
  get reason(): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const { exitCode, signalCode } = this.child;
    if (signalCode !== null) return `Its process was ended by ${signalCode}.`;
    return exitCode === null ? undefined : `Its process ended with code ${exitCode}.`;
  }

  /** Ends a server that breaks a limit. */
  fail(reason: string): void {
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
    // A server that floods its pipe would otherwise fill our memory until it is dead.
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

async function inSandbox({ command, args }: StdioTarget, sandbox: Sandbox | undefined, cwd: string): Promise<Start> {
  if (!sandbox) throw new McpError('unsent', 'It is configured for the sandbox, and no sandbox works on this machine.');
  return sandbox.wrap(command, args, cwd);
}

async function outside({ command, args }: StdioTarget, { path, cwd }: { path: string; cwd: string }): Promise<Start> {
  const program = await findProgram(command, path, cwd);
  if (program === undefined) throw new McpError('unsent', `The program ${JSON.stringify(command)} was not found.`);
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
