/**
 * Looks at running commands every few milliseconds: how many processes each has, and how much memory they hold together. No kernel limit that an
 * ordinary user can set does that for a tree of processes.
 */
import type { ShellLimits } from '../../port/shell';
import { countTasks, hasProcessTable, type ProcessRow, proportionalBytes, readEnvironment, readProcessTable } from './process_table';

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
/** One look that the machine held up must not leave commands unwatched for long. */
const LONGEST_PAUSE_MS = 2_000;

/** What is known of a command, pid -> start time: its processes as last seen (an orphan stays a member), and processes that are not its own. */
interface Observation {
  known: Map<number, number>;
  strangers: Map<number, number>;
  /** Of the machine, without those of the command. */
  otherTasks: number;
  /** Its memory is being counted. */
  isWeighed: boolean;
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
    this.commands.set(command, { known: new Map(), strangers: new Map(), otherTasks: countTasks(), isWeighed: false });
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
      if (sum(members, member => member.threads) - command.overhead > this.limits.processes) this.end(command, 'process_limit');
      else if (sum(members, member => member.residentBytes) > this.limits.memoryBytes) void this.weigh(command, observation, members);
    }
    const ended = performance.now();
    this.nextLook = ended + Math.min(LONGEST_PAUSE_MS, Math.max(LOOK_MS, (ended - started) / MAX_SHARE));
  }

  /** What processes share was counted several times; this counts right, takes longer, and happens beside the event loop. */
  private async weigh(command: WatchedCommand, observation: Observation, members: readonly ProcessRow[]): Promise<void> {
    if (observation.isWeighed) return;
    observation.isWeighed = true;
    let total = 0;
    for (const { pid, residentBytes } of members) {
      total += (await proportionalBytes(pid)) ?? residentBytes;
      if (total > this.limits.memoryBytes || !this.commands.has(command)) break;
    }
    observation.isWeighed = false;
    if (total > this.limits.memoryBytes) this.end(command, 'memory_limit');
  }

  private end(command: WatchedCommand, limit: 'process_limit' | 'memory_limit'): void {
    if (!this.commands.has(command)) return;
    this.remove(command);
    command.onExceeded(limit);
  }
}

/** The group of the command, what was a member before, who has its mark, and all their descendants. Brings the observation up to date. */
function membersOf({ pid, marker }: WatchedCommand, observation: Observation, table: readonly ProcessRow[]): ProcessRow[] {
  const { known, strangers } = observation;
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
