/**
 * Recognises connections that commands without a sandbox open to the gateway. A process belongs to a command when it descends from the
 * gateway, shares a process group with such a process, carries the marker of commands, or was started while a command ran and has the low
 * priority that commands get and hand down (without rights a process cannot raise it again). A process that ends before it is read counts as a
 * command too. Works on Linux only.
 */
import type { CallerCheck, CallerConnection } from '../../../port/caller_check';
import type { Shell } from '../../../port/shell';
import { createYielder } from '../../../utils/yield_to_event_loop';
import { findClientSockets, socketsHeldBy } from '../processes/process_sockets';
import { hasProcessTable, type ProcessRow, readEnvironment, readProcess, readProcessTable } from '../processes/process_table';
import { MARKER_NAME } from '../processes/process_tree';
import { COMMAND_PRIORITY } from './command_priority';

/** A command can connect, send and end before the gateway has its turn. */
const AFTERMATH_MS = 2_000;

/** A command that runs, or ran a moment ago, or has left processes behind. */
interface RecordedCommand {
  startedTick: number;
  isOver: boolean;
}
/** Number of look-ups when processes start and end faster than they can be read. */
const MAX_ROUNDS = 5;
const TICKS_PER_SECOND = 100;

export class CommandCallers implements CallerCheck {
  private readonly commands = new Set<RecordedCommand>();
  private readonly verdicts = new WeakMap<CallerConnection, Promise<boolean>>();
  private waiting: Waiting[] = [];
  private isBusy = false;

  /** Wraps the shell so that its commands are recorded. */
  watch(shell: Shell): Shell {
    const run: Shell['run'] = async request => {
      const end = this.recordCommand();
      try {
        return await shell.run(request);
      } finally {
        end();
      }
    };
    return Object.assign(Object.create(shell) as Shell, { run });
  }

  /** Records that a command begins. Call the returned function when the command has ended. */
  recordCommand(): () => void {
    const command = { startedTick: currentTick(), isOver: false };
    this.commands.add(command);
    return () => {
      if (command.isOver) return;
      command.isOver = true;
      this.forgetLater(command);
    };
  }

  /** Forgets a command once no process is left that it may have started. */
  private forgetLater(command: RecordedCommand): void {
    setTimeout(() => {
      const hasLeft = findStrays(readProcessTable(), command.startedTick).length > 0;
      if (hasLeft) this.forgetLater(command);
      else this.commands.delete(command);
    }, AFTERMATH_MS).unref();
  }

  isCommand(connection: CallerConnection): Promise<boolean> {
    const known = this.verdicts.get(connection);
    if (known) return known;
    const verdict = this.look(connection);
    this.verdicts.set(connection, verdict);
    return verdict;
  }

  private look({ localPort, remotePort }: CallerConnection): Promise<boolean> {
    const sinceTick = this.firstTick();
    if (sinceTick === undefined || !hasProcessTable()) return Promise.resolve(false);
    // The connection is closed already.
    if (localPort === undefined || remotePort === undefined) return Promise.resolve(true);
    return new Promise(resolve => {
      this.waiting.push({ from: remotePort, to: localPort, sinceTick, resolve });
      void this.drain();
    });
  }

  /** Start time of the oldest command that is recorded. */
  private firstTick(): number | undefined {
    return this.commands.size === 0 ? undefined : Math.min(...[...this.commands].map(({ startedTick }) => startedTick));
  }

  /** Handles waiting connections. Connections that arrive during one look-up share the next look-up. */
  private async drain(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      await judge(batch).catch(() => settleAll(batch, true));
    }
    this.isBusy = false;
  }
}

interface Waiting {
  from: number;
  to: number;
  sinceTick: number;
  resolve: (isCommand: boolean) => void;
}

async function judge(batch: readonly Waiting[]): Promise<void> {
  const sinceTick = Math.min(...batch.map(one => one.sinceTick));
  let open = batch;
  let before = '';
  for (let round = 0; open.length > 0 && round < MAX_ROUNDS; round++) {
    const { left, suspects } = await lookOnce(open, sinceTick);
    // No suspect came or went, and none holds the socket: its process cannot be seen from here, for example in another container.
    if (suspects !== '' && suspects === before) return settleAll(left, false);
    before = suspects;
    open = left;
  }
  settleAll(open, true);
}

function settleAll(waiting: readonly Waiting[], isCommand: boolean): void {
  for (const { resolve } of waiting) resolve(isCommand);
}

/**
 * Answers the requests whose caller is known now; `left` has the others. `suspects`: ids of the possible commands that were read, as one text; '' when
 * one of them could not be read.
 */
async function lookOnce(open: readonly Waiting[], sinceTick: number): Promise<{ left: Waiting[]; suspects: string }> {
  const yieldIfDue = createYielder();
  const looked = await Promise.all(open.map(async one => ({ one, inodes: new Set(await findClientSockets(one)) })));
  const pending = looked.filter(({ one, inodes }) => {
    const isThere = inodes.size > 0 && !inodes.has('0');
    if (!isThere) one.resolve(true);
    return isThere;
  });
  const rows = readProcessTable();
  const suspects = findSuspects(rows, sinceTick);
  await yieldIfDue();
  let isBlind = false;
  const search = async (pids: readonly number[], isCommand: boolean) => {
    for (const pid of pids) {
      const wanted = new Set(pending.flatMap(({ inodes }) => [...inodes]));
      if (wanted.size === 0) return;
      const held = await socketsHeldBy(pid, wanted, yieldIfDue);
      if (held === undefined && isCommand) isBlind = true;
      for (const inode of held ?? []) settle(pending, inode, isCommand);
    }
  };
  await search([...suspects], true);
  // Look at the newest processes first: most callers are short-lived.
  const others = rows.filter(({ pid }) => !suspects.has(pid)).sort((a, b) => b.started - a.started);
  await search(
    others.map(({ pid }) => pid),
    false,
  );
  return { left: pending.map(({ one }) => one), suspects: isBlind ? '' : [...suspects].sort().join() };
}

/** Resolves a waiting look-up: true once one holder is a command, false once every holder is known and none is. */
function settle(pending: { one: Waiting; inodes: Set<string> }[], inode: string, isCommand: boolean): void {
  for (const [index, { one, inodes }] of [...pending.entries()].reverse()) {
    if (!inodes.delete(inode)) continue;
    if (!isCommand && inodes.size > 0) continue;
    one.resolve(isCommand);
    pending.splice(index, 1);
  }
}

/** Processes that commands may have started, without those that descend from the gateway. */
function findStrays(rows: readonly ProcessRow[], sinceTick: number): ProcessRow[] {
  const family = withDescendants([process.pid], rows);
  const suspects = findSuspects(rows, sinceTick);
  return rows.filter(({ pid, isDead }) => !isDead && !family.has(pid) && suspects.has(pid));
}

function withDescendants(pids: Iterable<number>, rows: readonly ProcessRow[]): Set<number> {
  const children = Map.groupBy(rows, row => row.parent);
  const found = new Set(pids);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid);
  return found;
}

function findSuspects(rows: readonly ProcessRow[], sinceTick: number): Set<number> {
  const family = withDescendants([process.pid], rows);
  const ownGroup = rows.find(({ pid }) => pid === process.pid)?.group;
  const groups = new Set(rows.filter(({ pid, group }) => family.has(pid) && group !== ownGroup).map(({ group }) => group));
  const isSuspect = ({ pid, group, started, nice }: ProcessRow): boolean =>
    family.has(pid) || (started >= sinceTick && (groups.has(group) || nice >= COMMAND_PRIORITY || isMarked(pid)));
  return withDescendants(
    rows.filter(isSuspect).map(({ pid }) => pid),
    rows,
  );
}

const isMarked = (pid: number): boolean => readEnvironment(pid).some(entry => entry.startsWith(`${MARKER_NAME}=`));

/** The current time in the clock ticks of the process table, rounded down. */
const currentTick = (): number => (readProcess(process.pid)?.started ?? 0) + Math.floor(process.uptime() * TICKS_PER_SECOND) - 1;
