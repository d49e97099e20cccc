import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { SandboxKind, Shell, ShellLimits, ShellRequest } from '../../port/shell';
import { commandArguments, NOTES_FD, readNotes } from './command_script';
import { CommandWatch } from './command_watch';
import { MARKER_NAME } from './process_tree';
import { RunningCommand, type SpawnedCommand } from './running_command';

/** What to run instead of a command to have it in a place of its own. */
export interface WrappedCommand {
  command: string;
  args: string[];
  /** Open files that it needs, from FIRST_DESCRIPTOR on. */
  descriptors: readonly number[];
  /** Has to be called once, when all its processes are dead. Never rejects. */
  release(): Promise<void>;
}

export interface Sandbox {
  readonly isolation: Exclude<SandboxKind, 'none'>;
  wrap(command: string, args: readonly string[], cwd: string): Promise<WrappedCommand>;
}

export const FIRST_DESCRIPTOR = NOTES_FD + 1;

export interface LocalShellOptions {
  /** Real path of the workspace; HOME of the commands. */
  root: string;
  /** Environment of the gateway. Only names that cannot hold secrets are handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  sandbox?: Sandbox | undefined;
  /** The operator asked for commands without a sandbox. */
  isUnsandboxedByChoice?: boolean;
  limits: ShellLimits;
  /** Name of this gateway in the marker of its commands. */
  owner?: string;
}

const HANDED_ON = ['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** A shell on this machine: each command in its own process group (and sandbox, when there is one), dead with all its children when `run` resolves. */
export function createLocalShell(options: LocalShellOptions): Shell {
  const { limits, sandbox, owner = 'unknown' } = options;
  const interpreter = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const environment = shellEnvironment(options);
  const watch = new CommandWatch(limits);
  const wrap = (request: ShellRequest): Promise<WrappedCommand> | WrappedCommand => {
    const { command, variables, cwd } = request;
    const args = commandArguments({ interpreter, limits, sandboxed: sandbox !== undefined, command, variables });
    return sandbox?.wrap(interpreter, args, cwd) ?? { command: interpreter, args, descriptors: [], release: async () => {} };
  };
  const start = async ({ command, args, descriptors }: WrappedCommand, { cwd, variables }: ShellRequest, marker: string) => {
    const stdio = [
      'ignore' as const,
      'pipe' as const,
      'pipe' as const,
      variables ? ('pipe' as const) : ('ignore' as const),
      ...descriptors,
    ];
    const child = spawn(command, args, { cwd, env: { ...environment, [MARKER_NAME]: marker }, detached: true, stdio });
    // Nothing was started: no such program, or no descriptor is left for its output. The reason comes as an event.
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    letGatewayGoFirst(child.pid);
    return child;
  };
  return {
    isolation: sandbox?.isolation ?? 'none',
    isUnsandboxedByChoice: sandbox === undefined && options.isUnsandboxedByChoice === true,
    limits,
    isWatched: watch.isWatching,
    async run(request) {
      if (request.signal.aborted) return { exitCode: null, output: '', truncated: false, killed: 'aborted', durationMs: 0 };
      const marker = `${owner}/${randomUUID()}`;
      const wrapped = await wrap(request);
      try {
        const child = await start(wrapped, request, marker);
        const surroundings = {
          marker: `${MARKER_NAME}=${marker}`,
          sandboxed: sandbox !== undefined,
          watch,
          notes: (child.stdio[NOTES_FD] ?? undefined) as Readable | undefined,
        };
        // Its stdio above asks for these two.
        const { notes, ...end } = await new RunningCommand(child as SpawnedCommand, request, surroundings).finish();
        const state = notes && !end.killed ? readNotes(notes, environment) : undefined;
        return { ...end, ...(state && { state }) };
      } finally {
        await wrapped.release();
      }
    },
  };
}

/** However much a command computes, the gateway gets its turn, to watch and to end it. */
function letGatewayGoFirst(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is over already.
  }
}

/** What a command finds in its environment: nothing of the host but the allow-list. */
function shellEnvironment({ root, environment }: LocalShellOptions): Record<string, string> {
  const handedOn = HANDED_ON.flatMap(name => (environment[name] ? [[name, environment[name]]] : []));
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(handedOn),
    HOME: root,
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    // A workspace inside another repository must not act on that one.
    GIT_CEILING_DIRECTORIES: dirname(root),
  };
}
