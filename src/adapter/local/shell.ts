import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Shell, ShellRequest, ShellResult } from '../../port/shell';
import { OutputCollector } from './output_collector';
import { killTree, MARKER_NAME, type ProcessTree, signalTree } from './process_tree';

/** Puts a command into a place of its own: what to run instead of `command` with `args`. */
export interface Sandbox {
  readonly isolation: 'bubblewrap';
  wrap(command: string, args: readonly string[], cwd: string): Promise<{ command: string; args: string[] }>;
}

export interface LocalShellOptions {
  /** Real path of the workspace; HOME of the commands. */
  root: string;
  /** Environment of the gateway. Only names that cannot hold secrets are handed on. */
  environment: Readonly<Record<string, string | undefined>>;
  sandbox?: Sandbox | undefined;
  /** Name of this process, for who has to clean up after it. */
  owner?: string;
}

const HANDED_ON = ['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
const TERM_GRACE_MS = 500;
const KILL_LIMIT_MS = 1_000;
const DRAIN_LIMIT_MS = 250;

type KillReason = NonNullable<ShellResult['killed']>;

/** A shell on this machine: each command in its own process group (and sandbox, when there is one), dead with all its children when `run` resolves. */
export function createLocalShell(options: LocalShellOptions): Shell {
  const interpreter = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const environment = shellEnvironment(options);
  return {
    isolation: options.sandbox?.isolation ?? 'process_group',
    async run(request) {
      if (request.signal.aborted) return { exitCode: null, output: '', truncated: false, killed: 'aborted', durationMs: 0 };
      // One shell inside another: the outer joins stderr to stdout, so that their order is kept, and leaves no line of its own in the command.
      const args = ['-c', 'ulimit -c 0; exec "$0" -c "$1" 2>&1', interpreter, request.command];
      const target = options.sandbox ? await options.sandbox.wrap(interpreter, args, request.cwd) : { command: interpreter, args };
      const marker = `${options.owner ?? 'unknown'}/${randomUUID()}`;
      const child = spawn(target.command, target.args, {
        cwd: request.cwd,
        env: { ...environment, [MARKER_NAME]: marker },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return new RunningCommand(child, `${MARKER_NAME}=${marker}`, request, options.sandbox !== undefined).finish();
    },
  };
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

/** One spawned command until it and all it started are dead. */
class RunningCommand {
  private readonly started = performance.now();
  private readonly output: OutputCollector;
  private readonly tree: ProcessTree;
  private readonly exited: Promise<unknown[]>;
  private readonly closed: Promise<unknown>;
  private killed: KillReason | undefined;
  private ending: Promise<unknown> | undefined;

  constructor(
    private readonly child: ChildProcess & { stdout: Readable; stderr: Readable },
    marker: string,
    private readonly request: ShellRequest,
    private readonly sandboxed: boolean,
  ) {
    this.output = new OutputCollector(request.maxOutputBytes, request.onOutput);
    // Without a pid nothing was started; `exited` rejects then and nothing is ever killed.
    this.tree = { pid: child.pid ?? 0, marker, isLeaderAlive: () => child.exitCode === null && child.signalCode === null };
    this.exited = once(child, 'exit');
    // finish() reports a failed start; until then the rejection must not count as unhandled.
    this.exited.catch(() => {});
    this.closed = once(child, 'close').catch(() => {});
  }

  async finish(): Promise<ShellResult> {
    const { child, request } = this;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => this.take(chunk));
    const abort = () => this.stop('aborted');
    const timer = setTimeout(() => this.stop('timeout'), request.timeoutMs);
    request.signal.addEventListener('abort', abort, { once: true });
    // It may have come while the sandbox was prepared, and is not told again.
    if (request.signal.aborted) abort();
    let exitCode: number | null;
    try {
      [exitCode] = (await this.exited) as [number | null];
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', abort);
    }
    await this.ending;
    await killTree(this.tree, KILL_LIMIT_MS);
    await this.drain();
    const durationMs = Math.round(performance.now() - this.started);
    return { exitCode, ...this.output.result(), ...(this.killed && { killed: this.killed }), durationMs };
  }

  private take(chunk: Buffer): void {
    if (this.output.add(chunk)) return;
    this.stop('output_limit');
    // Reading on would only keep the flood running until it is killed.
    this.child.stdout.destroy();
    this.child.stderr.destroy();
  }

  /** The first reason counts. */
  private stop(reason: KillReason): void {
    if (this.killed) return;
    this.killed = reason;
    this.ending = this.end(reason);
  }

  private async end(reason: KillReason): Promise<void> {
    // A sandbox dies as a whole with its first process, so it cannot be asked politely.
    if (reason === 'timeout' && !this.sandboxed) {
      await signalTree(this.tree, 'SIGTERM');
      await Promise.race([this.exited, delay(TERM_GRACE_MS)]);
    }
    await killTree(this.tree, KILL_LIMIT_MS);
  }

  /** With all writers dead the rest of the output is there at once; a survivor that holds a pipe open is not waited for. */
  private async drain(): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.closed, delay(DRAIN_LIMIT_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    this.child.stdout.destroy();
    this.child.stderr.destroy();
  }
}
