import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_STATE_BYTES, type ShellResult } from '../../../port/shell';
import { readProcess } from '../processes/process_table';
import { killBurst, killTree, type ProcessTree, signalTree } from '../processes/process_tree';
import type { CommandWatch } from './command_watch';

const TERM_GRACE_MS = 500;
const KILL_LIMIT_MS = 1_000;
/** A command that keeps forking takes longer to kill. */
const KILL_MANY_LIMIT_MS = 10_000;
const DRAIN_LIMIT_MS = 250;
/** Processes of the sandbox itself: one outside, and the first process inside. */
export const SANDBOX_PROCESSES = 2;

type KillReason = NonNullable<ShellResult['killed']>;

export type SpawnedCommand = ChildProcess & { pid: number; stdout: Readable; stderr: Readable };

/** Takes the output of a command. */
export interface OutputSink {
  /** Returns false when there was too much, which ends the command. */
  add(chunk: Buffer, stream: 'stdout' | 'stderr'): boolean;
}

export interface CommandSurroundings {
  /** A NAME=value in its environment that no other process has. */
  marker: string;
  sandboxed: boolean;
  watch: CommandWatch;
  output: OutputSink;
  /** Upper bound of the command's memory, when it is less than the limit of the watch. */
  memoryBytes?: number | undefined;
  /** Set for a terminal: the stream on which it writes its state. */
  notes?: Readable | undefined;
}

/** Result of a command whose processes are all dead. `notes`: the state that a terminal wrote, cut when it was too large. */
export type CommandEnd = Omit<ShellResult, 'state' | 'output' | 'truncated'> & { notes?: Buffer };

/** Supervises one spawned command until all its processes are dead. */
export class RunningCommand {
  private readonly started = performance.now();
  private readonly tree: ProcessTree;
  private readonly exited: Promise<unknown[]>;
  private readonly closed: Promise<unknown>;
  private readonly notes: Buffer[] = [];
  private killed: KillReason | undefined;
  private ending: Promise<unknown> | undefined;

  constructor(
    private readonly child: SpawnedCommand,
    /** Milliseconds; Infinity: no limit. */
    private readonly request: { readonly timeoutMs: number; readonly signal: AbortSignal },
    private readonly surroundings: CommandSurroundings,
  ) {
    this.tree = {
      pid: child.pid,
      marker: surroundings.marker,
      since: readProcess(child.pid)?.started ?? 0,
      isLeaderAlive: () => child.exitCode === null && child.signalCode === null,
    };
    this.exited = once(child, 'exit');
    // finish() reports a failed start; until then the rejection must not count as unhandled.
    this.exited.catch(() => {});
    this.closed = once(child, 'close').catch(() => {});
  }

  async finish(): Promise<CommandEnd> {
    const { child, request } = this;
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk: Buffer) => this.addOutput(chunk, name));
    this.surroundings.notes?.on('data', (chunk: Buffer) => this.addNotes(chunk));
    const unwatch = this.watch();
    const abort = () => this.stop('aborted');
    const timer = request.timeoutMs === Infinity ? undefined : setTimeout(() => this.stop('timeout'), request.timeoutMs);
    request.signal.addEventListener('abort', abort, { once: true });
    // The abort may have come while the sandbox was prepared; its event does not fire again.
    if (request.signal.aborted) abort();
    let exitCode: number | null;
    try {
      [exitCode] = (await this.exited) as [number | null];
    } finally {
      unwatch();
      clearTimeout(timer);
      request.signal.removeEventListener('abort', abort);
    }
    await this.ending;
    await killTree(this.tree, KILL_LIMIT_MS);
    await this.drain();
    const durationMs = Math.round(performance.now() - this.started);
    const limit = this.killed ? undefined : kernelLimit(exitCode, child.signalCode);
    return {
      exitCode,
      killed: this.killed,
      limit,
      notes: this.surroundings.notes && Buffer.concat(this.notes),
      durationMs,
    };
  }

  private watch(): () => void {
    const { watch, sandboxed, marker, memoryBytes } = this.surroundings;
    const around = { overhead: sandboxed ? SANDBOX_PROCESSES : 0, marker: sandboxed ? undefined : marker, memoryBytes };
    return watch.add({ pid: this.tree.pid, since: this.tree.since, ...around, onExceeded: limit => this.stop(limit) });
  }

  private addNotes(chunk: Buffer): void {
    this.notes.push(chunk);
    if (this.notes.reduce((bytes, { length }) => bytes + length, 0) > MAX_STATE_BYTES) this.surroundings.notes?.destroy();
  }

  private addOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): void {
    if (this.surroundings.output.add(chunk, stream)) return;
    this.stop('output_limit');
    // Stop reading: the command would only go on writing until it is killed.
    this.child.stdout.destroy();
    this.child.stderr.destroy();
  }

  /** Keeps the first reason. */
  private stop(reason: KillReason): void {
    if (this.killed) return;
    this.killed = reason;
    this.ending = this.end(reason);
  }

  private async end(reason: KillReason): Promise<void> {
    if (reason === 'process_limit') await killBurst(this.tree, KILL_MANY_LIMIT_MS);
    // In a sandbox SIGTERM would end the first process, and with it all other processes at once.
    if (reason === 'timeout' && !this.surroundings.sandboxed) {
      await signalTree(this.tree, 'SIGTERM');
      await Promise.race([this.exited, delay(TERM_GRACE_MS)]);
    }
    await killTree(this.tree, KILL_LIMIT_MS);
  }

  /** Reads the rest of the output, which is complete once all writers are dead. Does not wait for a survivor that holds a pipe open. */
  private async drain(): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.closed, delay(DRAIN_LIMIT_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    for (const stream of [this.child.stdout, this.child.stderr, this.surroundings.notes]) stream?.destroy();
  }
}

/** A shell reports a signal as exit code 128 plus its number: 24 is SIGXCPU, 25 SIGXFSZ. */
function kernelLimit(exitCode: number | null, signal: NodeJS.Signals | null): ShellResult['limit'] {
  if (exitCode === 152 || signal === 'SIGXCPU') return 'cpu';
  return exitCode === 153 || signal === 'SIGXFSZ' ? 'file_size' : undefined;
}
