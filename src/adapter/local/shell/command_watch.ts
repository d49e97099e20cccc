/**
 * Enforces the process limit and the memory limit of running commands by polling /proc. An ordinary user cannot set a kernel limit for a tree
 * of processes.
 */
import type { ShellLimits } from '../../../port/shell';
import {
  countTasks,
  hasProcessTable,
  type ProcessRow,
  proportionalBytes,
  readEnvironment,
  readProcessTable,
} from '../processes/process_table';

export interface WatchedCommand {
  /** Leads its own process group. */
  pid: number;
  /** Start time of the process, as in ProcessRow; 0 when it is unknown. */
  since: number;
  /** A NAME=value in its environment that finds orphans which left the group. Not needed in a sandbox, which keeps its processes together. */
  marker?: string | undefined;
  /** Upper bound of the command's memory, when it is less than the general limit. */
  memoryBytes?: number | undefined;
  /** Number of processes of the sandbox itself; they do not count. */
  overhead: number;
  /** Called once. */
  onExceeded: (limit: 'process_limit' | 'memory_limit') => void;
}

/** Interval for reading the machine's number of tasks. The process table is read at once when that number has grown by the limit. */
const TASK_POLL_MS = 20;
const TABLE_POLL_MS = 200;
/** Share of CPU time that reading the table may take, however many processes the machine has. */
const MAX_SHARE = 0.1;
/** Longest pause after a slow read, so that commands are never unwatched for long. */
const LONGEST_PAUSE_MS = 2_000;

/** State of a watched command. `known`: its processes as last seen (an orphan stays a member), `strangers`: all others; pid -> start time. */
interface Observation {
  known: Map<number, number>;
  strangers: Map<number, number>;
  /** Number of tasks of the machine, those of the command not counted. */
  otherTasks: number;
  /** A precise measurement of its memory is in progress. */
  isMeasuring: boolean;
}

export class CommandWatch {
  readonly isWatching = hasProcessTable();
  private readonly commands = new Map<WatchedCommand, Observation>();
  private timer: NodeJS.Timeout | undefined;
  private nextTableRead = 0;

  constructor(
    private readonly limits: Pick<ShellLimits, 'processes' | 'memoryBytes'>,
    /** Milliseconds; longer for processes that live for days. */
    private readonly polls = { tasksMs: TASK_POLL_MS, tableMs: TABLE_POLL_MS },
  ) {}

  /** Watches the command until the returned function is called. */
  add(command: WatchedCommand): () => void {
    if (!this.isWatching) return () => {};
    this.commands.set(command, { known: new Map(), strangers: new Map(), otherTasks: countTasks(), isMeasuring: false });
    if (!this.timer) {
      this.nextTableRead = performance.now() + this.polls.tableMs;
      this.timer = setInterval(() => this.checkTasks(), this.polls.tasksMs);
    }
    return () => this.remove(command);
  }

  private remove(command: WatchedCommand): void {
    this.commands.delete(command);
    if (this.commands.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private checkTasks(): void {
    const tasks = countTasks();
    const hasGrown = [...this.commands.values()].some(({ otherTasks }) => tasks - otherTasks > this.limits.processes);
    if (hasGrown || performance.now() >= this.nextTableRead) this.checkProcesses(tasks);
  }

  private checkProcesses(tasks: number): void {
    const started = performance.now();
    const table = readProcessTable();
    for (const [command, observation] of [...this.commands]) {
      const members = membersOf(command, observation, table);
      observation.otherTasks = tasks - sum(members, member => member.threads);
      if (sum(members, member => member.threads) - command.overhead > this.limits.processes) this.end(command, 'process_limit');
      else if (sum(members, member => member.residentBytes) > this.memoryLimitOf(command))
        void this.measureMemory(command, observation, members);
    }
    const ended = performance.now();
    this.nextTableRead =
      ended + Math.min(Math.max(LONGEST_PAUSE_MS, this.polls.tableMs), Math.max(this.polls.tableMs, (ended - started) / MAX_SHARE));
  }

  /** Counts shared pages once: resident sizes count them for each process. Slower, but does not hold the event loop. */
  private async measureMemory(command: WatchedCommand, observation: Observation, members: readonly ProcessRow[]): Promise<void> {
    if (observation.isMeasuring) return;
    observation.isMeasuring = true;
    const limit = this.memoryLimitOf(command);
    let total = 0;
    for (const { pid, residentBytes } of members) {
      total += (await proportionalBytes(pid)) ?? residentBytes;
      if (total > limit || !this.commands.has(command)) break;
    }
    observation.isMeasuring = false;
    if (total > limit) this.end(command, 'memory_limit');
  }

  private memoryLimitOf({ memoryBytes }: WatchedCommand): number {
    return Math.min(this.limits.memoryBytes, memoryBytes ?? Infinity);
  }

  private end(command: WatchedCommand, limit: 'process_limit' | 'memory_limit'): void {
    if (!this.commands.has(command)) return;
    this.remove(command);
    command.onExceeded(limit);
  }
}

/** Finds the command's group, its earlier members, marked processes, and all their descendants. Updates the observation. */
function membersOf({ pid, since, marker }: WatchedCommand, observation: Observation, all: readonly ProcessRow[]): ProcessRow[] {
  const { known, strangers } = observation;
  // An older process is no descendant of the command.
  const table = all.filter(row => row.started >= since);
  const isMarked = (row: ProcessRow) =>
    marker !== undefined && strangers.get(row.pid) !== row.started && readEnvironment(row.pid).includes(marker);
  const children = Map.groupBy(table, row => row.parent);
  const members = new Map<number, ProcessRow>();
  const open = table.filter(row => row.group === pid || known.get(row.pid) === row.started || isMarked(row));
  for (let row = open.pop(); row; row = open.pop()) {
    if (members.has(row.pid)) continue;
    members.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  const isMember = (row: ProcessRow) => members.has(row.pid);
  observation.known = startTimes(table.filter(isMember));
  observation.strangers = startTimes(table.filter(row => !isMember(row)));
  return [...members.values()];
}

const startTimes = (rows: readonly ProcessRow[]): Map<number, number> => new Map(rows.map(({ pid, started }) => [pid, started]));

const sum = (rows: readonly ProcessRow[], amountOf: (row: ProcessRow) => number): number =>
  rows.reduce((total, row) => total + amountOf(row), 0);
