import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { SandboxKind, Shell, ShellLimits, ShellRequest, ShellResult } from '../../../port/shell';
import { MARKER_NAME } from '../processes/process_tree';
import { lowerPriority, withLowPriority } from './command_priority';
import { commandArguments, NOTES_FD, readNotes } from './command_script';
import { CommandWatch } from './command_watch';
import { OutputCollector } from './output_collector';
import { RunningCommand, type SpawnedCommand } from './running_command';

/** The program to run instead of a command, so that the command runs in a sandbox. */
export interface WrappedCommand {
  command: string;
  args: string[];
  /** Descriptors to hand on, numbered from FIRST_DESCRIPTOR in the child. */
  descriptors: readonly number[];
  /** Releases what the launch holds. Call it once, when all processes of the command are dead. Never rejects. */
  release(): Promise<void>;
}

/** Grants of a program beyond the workspace. */
export interface SandboxExtras {
  /** Directories that the program may read, under the same absolute paths inside the sandbox. */
  readable?: readonly string[];
  writable?: readonly string[];
  /** The program may use the network of this machine. */
  network?: boolean;
}

export interface Sandbox {
  readonly isolation: Exclude<SandboxKind, 'none'>;
  wrap(command: string, args: readonly string[], cwd: string, extras?: SandboxExtras): Promise<WrappedCommand>;
  /** Returns the same sandbox around another workspace; its commands do not see this workspace. `root`: a real path. */
  forRoot(root: string): Sandbox;
}

export const FIRST_DESCRIPTOR = NOTES_FD + 1;

export interface LocalShellOptions {
  /** Real path of the workspace; HOME of the commands. */
  root: string;
  /** Environment of the gateway. Commands get only the variables of an allow-list. */
  environment: Readonly<Record<string, string | undefined>>;
  sandbox?: Sandbox | undefined;
  /** The operator turned the sandbox off. */
  isUnsandboxedByChoice?: boolean;
  /** Why no sandbox works here. */
  sandboxProblem?: string | undefined;
  limits: ShellLimits;
  /** Secrets that a command without a sandbox can read from the gateway's process; the shell removes them from the command's output. */
  secrets?: readonly string[];
  /** Name of this gateway in the marker of its commands; see command_owner.ts. */
  owner?: string;
}

const ALLOWED_VARIABLES = ['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Creates a shell on this machine. Each command runs in its own process group (and sandbox, if there is one); `run` resolves once all its processes are dead. */
export function createLocalShell(options: LocalShellOptions): Shell {
  return new LocalShell(options);
}

class LocalShell implements Shell {
  readonly isolation: SandboxKind;
  readonly isUnsandboxedByChoice: boolean;
  readonly sandboxProblem?: string;
  readonly limits: ShellLimits;
  readonly isWatched: boolean;
  private readonly interpreter = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  private readonly environment: Readonly<Record<string, string>>;
  private readonly watch: CommandWatch;

  constructor(private readonly options: LocalShellOptions) {
    this.isolation = options.sandbox?.isolation ?? 'none';
    this.isUnsandboxedByChoice = options.sandbox === undefined && options.isUnsandboxedByChoice === true;
    this.sandboxProblem = options.sandboxProblem;
    this.limits = options.limits;
    this.environment = shellEnvironment(options);
    this.watch = new CommandWatch(options.limits);
    this.isWatched = this.watch.isWatching;
  }

  async run(request: ShellRequest): Promise<ShellResult> {
    if (request.signal.aborted) return { exitCode: null, output: '', truncated: false, killed: 'aborted', durationMs: 0 };
    const { owner = 'unknown', sandbox, secrets } = this.options;
    const marker = `${owner}/${randomUUID()}`;
    const wrapped = await this.wrap(request);
    try {
      const child = await this.start(wrapped, request, marker);
      const output = new OutputCollector(request.maxOutputBytes, request.onOutput, sandbox ? [] : secrets);
      const surroundings = {
        output,
        marker: `${MARKER_NAME}=${marker}`,
        sandboxed: sandbox !== undefined,
        watch: this.watch,
        notes: (child.stdio[NOTES_FD] ?? undefined) as Readable | undefined,
      };
      // `start` opened pipes for stdout and stderr, so the cast holds.
      const { notes, ...end } = await new RunningCommand(child as SpawnedCommand, request, surroundings).finish();
      const state = notes && !end.killed ? readNotes(notes, this.environment) : undefined;
      return { ...end, ...output.result(request.locale), state };
    } finally {
      await wrapped.release();
    }
  }

  private async wrap({ command, variables, cwd }: ShellRequest): Promise<WrappedCommand> {
    const { interpreter, limits } = this;
    const { sandbox } = this.options;
    const args = commandArguments({ interpreter, limits, sandboxed: sandbox !== undefined, command, variables });
    return sandbox
      ? sandbox.wrap(interpreter, args, cwd)
      : { ...withLowPriority(interpreter, args), descriptors: [], release: async () => {} };
  }

  private async start({ command, args, descriptors }: WrappedCommand, { cwd, variables }: ShellRequest, marker: string) {
    const notes = variables ? ('pipe' as const) : ('ignore' as const);
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, notes, ...descriptors];
    const child = spawn(command, args, { cwd, env: { ...this.environment, [MARKER_NAME]: marker }, detached: true, stdio });
    // No pid: the program does not exist, or descriptors ran out. The reason comes as an event.
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    lowerPriority(child.pid);
    return child;
  }
}

/** Builds the environment of commands: of the host's variables only the allow-list. */
export function shellEnvironment({ root, environment }: Pick<LocalShellOptions, 'root' | 'environment'>): Record<string, string> {
  const allowed = ALLOWED_VARIABLES.flatMap(name => (environment[name] ? [[name, environment[name]]] : []));
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(allowed),
    HOME: root,
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    // Git commands in a workspace inside another repository must not act on that repository.
    GIT_CEILING_DIRECTORIES: dirname(root),
  };
}
