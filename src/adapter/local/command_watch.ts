/**
 * Looks at running commands every few milliseconds: how many processes each has, and how much memory they hold together. No kernel limit that an
 * ordinary user can set does that for a tree of processes.
 */
import type { ShellLimits } from '../../port/shell';
import { hasProcessTable, type ProcessRow, proportionalBytes, readProcessTable } from './process_table';

export interface WatchedCommand {
  /** Leads its own process group. */
  pid: number;
  /** Processes of the sandbox around the command, which do not count. */
  overhead: number;
  /** Told once. */
  onExceeded: (limit: 'process_limit' | 'memory_limit') => void;
}

const FIRST_LOOK_MS = 40;
const LOOK_MS = 100;
/** Looking takes at most this part of the time, however many processes the machine has. */
const MAX_SHARE = 0.05;

export class CommandWatch {
  readonly isWatching = hasProcessTable();
  /** Each command with what it was seen to have: pid -> start time. An orphan stays a member. */
  private readonly commands = new Map<WatchedCommand, Map<number, number>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: Pick<ShellLimits, 'processes' | 'memoryBytes'>) {}

  /** Watches until the function returned is called. */
  add(command: WatchedCommand): () => void {
    if (!this.isWatching) return () => {};
    this.commands.set(command, new Map());
    this.timer ??= setTimeout(() => this.look(), FIRST_LOOK_MS);
    return () => {
      this.commands.delete(command);
      if (this.commands.size > 0) return;
      clearTimeout(this.timer);
      this.timer = undefined;
    };
  }

  private look(): void {
    const started = performance.now();
    const table = readProcessTable();
    for (const [command, known] of [...this.commands]) {
      const limit = this.exceededBy(membersOf(command, known, table), command.overhead);
      if (!limit) continue;
      this.commands.delete(command);
      command.onExceeded(limit);
    }
    const pauseMs = Math.max(LOOK_MS, (performance.now() - started) / MAX_SHARE);
    this.timer = this.commands.size > 0 ? setTimeout(() => this.look(), pauseMs) : undefined;
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

/** The group of the command, what was a member before, and all their descendants. `known` becomes the members found. */
function membersOf({ pid }: WatchedCommand, known: Map<number, number>, table: readonly ProcessRow[]): ProcessRow[] {
  const children = Map.groupBy(table, row => row.parent);
  const members = new Map<number, ProcessRow>();
  const open = table.filter(row => row.group === pid || known.get(row.pid) === row.started);
  for (let row = open.pop(); row; row = open.pop()) {
    if (members.has(row.pid)) continue;
    members.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  known.clear();
  for (const row of members.values()) known.set(row.pid, row.started);
  return [...members.values()];
}

const sum = (rows: readonly ProcessRow[], amountOf: (row: ProcessRow) => number): number =>
  rows.reduce((total, row) => total + amountOf(row), 0);
