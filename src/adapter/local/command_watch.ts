/**
 * Looks at running commands every few milliseconds: how many processes each has, and how much memory they hold together. No kernel limit that an
 * ordinary user can set does that for a tree of processes.
 */
import type { ShellLimits } from '../../port/shell';
import { countTasks, hasInEnvironment, hasProcessTable, type ProcessRow, proportionalBytes, readProcessTable } from './process_table';

export interface WatchedCommand {
  /** Leads its own process group. */
  pid: number;
  /** A NAME=value in its environment by which orphans that left the group are found; not needed where a sandbox keeps them together. */
  marker?: string | undefined;
  /** Processes of the sandbox around the command, which do not count. */
  overhead: number;
  /** Told once. */
  onExceeded: (limit: 'process_limit' | 'memory_limit') => void;
}

/** One number is read so often: how many tasks the machine has. Only when that has grown by the limit, the table is read at once. */
const GLANCE_MS = 20;
const LOOK_MS = 200;
/** Reading the table takes at most this part of the time, however many processes the machine has. */
const MAX_SHARE = 0.1;

/** What is known of a command, pid -> start time: its processes as last seen (an orphan stays a member), and processes that are not its own. */
interface Observation {
  known: Map<number, number>;
  strangers: Map<number, number>;
  /** Of the machine, without those of the command. */
  otherTasks: number;
}

export class CommandWatch {
  readonly isWatching = hasProcessTable();
  private readonly commands = new Map<WatchedCommand, Observation>();
  private timer: NodeJS.Timeout | undefined;
  private nextLook = 0;

  constructor(private readonly limits: Pick<ShellLimits, 'processes' | 'memoryBytes'>) {}

  /** Watches until the function returned is called. */
  add(command: WatchedCommand): () => void {
    if (!this.isWatching) return () => {};
    this.commands.set(command, { known: new Map(), strangers: new Map(), otherTasks: countTasks() });
    if (!this.timer) {
      this.nextLook = performance.now() + LOOK_MS;
      this.timer = setInterval(() => this.glance(), GLANCE_MS);
    }
    return () => this.remove(command);
  }

  private remove(command: WatchedCommand): void {
    this.commands.delete(command);
    if (this.commands.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private glance(): void {
    const tasks = countTasks();
    const hasGrown = [...this.commands.values()].some(({ otherTasks }) => tasks - otherTasks > this.limits.processes);
    if (hasGrown || performance.now() >= this.nextLook) this.look(tasks);
  }

  private look(tasks: number): void {
    const started = performance.now();
    const table = readProcessTable();
    for (const [command, observation] of [...this.commands]) {
      const members = membersOf(command, observation, table);
      observation.otherTasks = tasks - sum(members, member => member.threads);
      const limit = this.exceededBy(members, command.overhead);
      if (!limit) continue;
      this.remove(command);
      command.onExceeded(limit);
    }
    const ended = performance.now();
    this.nextLook = ended + Math.max(LOOK_MS, (ended - started) / MAX_SHARE);
  }

  private exceededBy(members: readonly ProcessRow[], overhead: number): 'process_limit' | 'memory_limit' | undefined {
    const { processes, memoryBytes } = this.limits;
    if (sum(members, member => member.threads) - overhead > processes) return 'process_limit';
    if (sum(members, member => member.residentBytes) <= memoryBytes) return undefined;
    // What processes share was counted several times; this counts right, and takes longer.
    const isOver = sum(members, member => proportionalBytes(member.pid) ?? member.residentBytes) > memoryBytes;
    return isOver ? 'memory_limit' : undefined;
  }
}

/** The group of the command, what was a member before, who has its mark, and all their descendants. Brings the observation up to date. */
function membersOf({ pid, marker }: WatchedCommand, observation: Observation, table: readonly ProcessRow[]): ProcessRow[] {
  const { known, strangers } = observation;
  const isMarked = (row: ProcessRow) => marker !== undefined && strangers.get(row.pid) !== row.started && hasInEnvironment(row.pid, marker);
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
