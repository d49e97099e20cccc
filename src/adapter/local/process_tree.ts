/**
 * Ends a process with everything it has started. The process group covers ordinary children; what left the group (setsid, double fork) is found on Linux by
 * an environment variable that all descendants inherit, and by its parents. Only a process that left the group, was orphaned *and* dropped its environment
 * stays unseen. In a sandbox it dies too: the kernel ends every process of a PID namespace together with the first one.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { hasInEnvironment, readProcessTable } from './process_table';

export interface ProcessTree {
  /** Leads its own process group. */
  pid: number;
  /** Whether the leader has not been reaped yet; afterwards its number may belong to somebody else. */
  isLeaderAlive: () => boolean;
  /** A NAME=value in the environment of the leader that no other process has. */
  marker: string;
}

/** Environment variable of every command: `<owner>/<id of the call>`; command_owner.ts says what an owner is. */
export const MARKER_NAME = 'NETA_CALL';
const PAUSE_MS = 10;
const ORPHAN_ROUNDS = 20;
const QUIET_ROUNDS = 2;

/** Sends a signal to the whole tree once. */
export async function signalTree(tree: ProcessTree, signal: NodeJS.Signals): Promise<void> {
  await signalMembers(tree, signal);
}

/** Kills until nothing of the tree is left, at most `limitMs`. Resolves whether nothing is left. */
export async function killTree(tree: ProcessTree, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  // A process that was a member stays one when its parents are dead and nothing marks it, until it is gone.
  const known = new Map<number, number>();
  // A process that forks while it is looked for can be missed, so after a find two empty rounds in a row are wanted.
  let emptyRoundsWanted = 1;
  for (let empty = 0; empty < emptyRoundsWanted; ) {
    const found = await signalMembers(tree, 'SIGKILL', known);
    if (found === 0) {
      empty += 1;
      continue;
    }
    if (performance.now() > deadline) return false;
    empty = 0;
    emptyRoundsWanted = 2;
    await delay(PAUSE_MS);
  }
  return true;
}

/**
 * Ends a tree that grows faster than its members can be looked for one by one: the group dies at once (and with it a sandbox), the rest is stopped first, so
 * that nothing is left that makes another, and then killed. The first round runs before this returns its promise. Takes at most `limitMs`.
 */
export async function killBurst(tree: ProcessTree, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  if (tree.pid > 0) send(-tree.pid, 'SIGKILL');
  const stopped = new Set<number>();
  for (let quiet = 0; quiet < QUIET_ROUNDS && performance.now() < deadline; ) {
    const fresh = findMembersAtOnce(tree).filter(pid => !stopped.has(pid));
    for (const pid of fresh) {
      send(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    quiet = fresh.length === 0 ? quiet + 1 : 0;
    await nextTurn();
  }
  for (const pid of findMembersAtOnce(tree)) send(pid, 'SIGKILL');
}

/**
 * Kills the processes whose marker names a gateway that `isPredecessor` accepts. Resolves to how many were found; they are dead then.
 */
export async function killOrphans(isPredecessor: (owner: string) => boolean): Promise<number> {
  let count = 0;
  for (let round = 0; round < ORPHAN_ROUNDS; round++) {
    const orphans = await listOrphans(isPredecessor);
    if (orphans.length === 0) break;
    for (const pid of orphans) send(pid, 'SIGKILL');
    count += orphans.length;
    await delay(PAUSE_MS);
  }
  return count;
}

async function listOrphans(isPredecessor: (owner: string) => boolean): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter(name => /^\d+$/.test(name)).map(Number);
  const owners = await Promise.all(pids.map(ownerOf));
  return pids.filter((_, i) => owners[i] !== undefined && isPredecessor(owners[i]));
}

/** Which gateway started the process, if one did. */
async function ownerOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const marker = environment.split('\0').find(entry => entry.startsWith(`${MARKER_NAME}=`));
  return marker?.slice(MARKER_NAME.length + 1).split('/')[0];
}

/** Returns the number of members found. `known`: members found before, pid -> start time; new ones are added to it. */
async function signalMembers(tree: ProcessTree, signal: NodeJS.Signals, known = new Map<number, number>()): Promise<number> {
  // Find all members before anything dies: an orphan no longer leads back to its parents.
  const rows = await listProcesses(tree.marker);
  const members = membersAmong(rows, tree, known);
  if (tree.pid > 0) send(-tree.pid, signal);
  for (const { pid, started } of rows) {
    if (!members.has(pid)) continue;
    known.set(pid, started);
    send(pid, signal);
  }
  return members.size;
}

interface ProcessRow {
  pid: number;
  parent: number;
  /** Clock ticks since boot. */
  started: number;
  marked: boolean;
}

/** The same without a turn of the event loop in between, in which the tree would grow. */
function findMembersAtOnce(tree: ProcessTree): number[] {
  const rows = readProcessTable().map(({ pid, parent, started }) => ({ pid, parent, started, marked: hasInEnvironment(pid, tree.marker) }));
  return [...membersAmong(rows, tree, new Map())];
}

/** Living processes of the tree: marked ones, known ones, and descendants of those and of the leader. */
function membersAmong(rows: readonly ProcessRow[], { pid, isLeaderAlive }: ProcessTree, known: ReadonlyMap<number, number>): Set<number> {
  const isMember = (row: ProcessRow) => row.marked || known.get(row.pid) === row.started || (row.pid === pid && isLeaderAlive());
  const members = new Set(rows.filter(isMember).map(row => row.pid));
  const children = Map.groupBy(rows, row => row.parent);
  for (const member of members) for (const child of children.get(member) ?? []) members.add(child.pid);
  return members;
}

/** Every living process that can be looked at; none where there is no /proc. */
async function listProcesses(marker: string): Promise<ProcessRow[]> {
  const names = await readdir('/proc').catch(() => []);
  const rows = await Promise.all(names.filter(name => /^\d+$/.test(name)).map(name => readProcess(Number(name), marker)));
  return rows.filter(row => row !== undefined);
}

async function readProcess(pid: number, marker: string): Promise<ProcessRow | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'latin1');
    // `pid (name) state parent ...`; the name may hold anything, brackets too.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    return { pid, parent: Number(parent), started: Number(fields[19]), marked: environment.split('\0').includes(marker) };
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or not ours to signal.
  }
}
