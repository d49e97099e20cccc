/**
 * Ends a process with all its descendants. The process group covers ordinary children. On Linux, processes that left the group (setsid, double
 * fork) are found by an environment variable that descendants inherit, and by their parents. A process that left the group, was orphaned *and*
 * dropped its environment is not found, except in a sandbox: the kernel ends every process of a PID namespace together with the first one.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { listPids, listProcesses, loadEnvironment, type ProcessRow, readEnvironment, readProcessTable } from './process_table';

export interface ProcessTree {
  /** Leads its own process group. */
  pid: number;
  /** False once the leader has been reaped: its pid may then be reused. */
  isLeaderAlive: () => boolean;
  /** A NAME=value in the environment of the leader that no other process has. */
  marker: string;
  /** Start time of the leader, as in ProcessRow; 0 when it is unknown. No process of the tree is older than the leader. */
  since: number;
}

/** Environment variable of every command: `<owner>/<id of the call>`; see command_owner.ts. */
export const MARKER_NAME = 'NETA_CALL';
const PAUSE_MS = 10;
/** Further searches after a search in which a young process had no environment: a process that starts a program has none for a moment. */
const UNCERTAIN_ROUNDS = 3;
const ORPHAN_ROUNDS = 20;
const QUIET_ROUNDS = 2;

/** Sends a signal to the whole tree once. */
export async function signalTree(tree: ProcessTree, signal: NodeJS.Signals): Promise<void> {
  await signalMembers(tree, signal);
}

/** Kills until no member of the tree is left, for at most `limitMs`. Resolves false when members are left. */
export async function killTree(tree: ProcessTree, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  // Process id -> start time. A process that was found stays a member after its parents died, even without the marker.
  const known = new Map<number, number>();
  // The search can miss a process that is being forked, so a find asks for two empty rounds in a row.
  let emptyRoundsWanted = 1;
  let uncertain = 0;
  for (let empty = 0; empty < emptyRoundsWanted; ) {
    const { found, isCertain } = await signalMembers(tree, 'SIGKILL', known);
    if (found === 0) {
      if (isCertain || uncertain >= UNCERTAIN_ROUNDS) empty += 1;
      else await delay(PAUSE_MS);
      if (!isCertain) uncertain += 1;
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
 * Ends a tree that grows faster than killTree can search it, such as a fork bomb. Kills the group (and with it a sandbox), then stops every
 * other member, so that none can fork, and then kills those. The first round runs before this returns its promise. Takes at most `limitMs`.
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

/** Kills the processes whose marker names a gateway that `isPredecessor` accepts. Resolves how many it found, once they are dead. */
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
  const pids = await listPids();
  const owners = await Promise.all(pids.map(ownerOf));
  return pids.filter((_, i) => owners[i] !== undefined && isPredecessor(owners[i]));
}

/** Reads from the marker which gateway started the process; undefined when no gateway did. */
async function ownerOf(pid: number): Promise<string | undefined> {
  const marker = (await loadEnvironment(pid)).find(entry => entry.startsWith(`${MARKER_NAME}=`));
  return marker?.slice(MARKER_NAME.length + 1).split('/')[0];
}

/**
 * Returns the number of members found, and if no young process could be one without showing it. `known`: members found before, pid -> start time;
 * new ones are added to it.
 */
async function signalMembers(
  tree: ProcessTree,
  signal: NodeJS.Signals,
  known = new Map<number, number>(),
): Promise<{ found: number; isCertain: boolean }> {
  // Find all members before anything dies: an orphan no longer leads back to its parents.
  const rows = await listCandidates(tree);
  const members = membersAmong(rows, tree, known);
  if (tree.pid > 0) send(-tree.pid, signal);
  for (const { pid, started } of rows) {
    if (!members.has(pid)) continue;
    known.set(pid, started);
    send(pid, signal);
  }
  return { found: members.size, isCertain: !rows.some(row => row.isBlank && !members.has(row.pid)) };
}

/** `isBlank`: the environment of the process is empty. */
type Candidate = Pick<ProcessRow, 'pid' | 'parent' | 'started'> & { isMarked: boolean; isBlank?: boolean };

/** Searches synchronously: the tree would grow in a turn of the event loop. */
function findMembersAtOnce(tree: ProcessTree): number[] {
  const young = readProcessTable().filter(row => row.started >= tree.since);
  const rows = young.map(row => ({ ...row, isMarked: readEnvironment(row.pid).includes(tree.marker) }));
  return [...membersAmong(rows, tree, new Map())];
}

/** Living processes of the tree: marked ones, known ones, and descendants of those and of the leader. */
function membersAmong(rows: readonly Candidate[], { pid, isLeaderAlive }: ProcessTree, known: ReadonlyMap<number, number>): Set<number> {
  const isMember = (row: Candidate) => row.isMarked || known.get(row.pid) === row.started || (row.pid === pid && isLeaderAlive());
  const members = new Set(rows.filter(isMember).map(row => row.pid));
  const children = Map.groupBy(rows, row => row.parent);
  for (const member of members) for (const child of children.get(member) ?? []) members.add(child.pid);
  return members;
}

/** Lists the processes that have not ended and are not older than the tree. */
async function listCandidates({ marker, since }: ProcessTree): Promise<Candidate[]> {
  const living = (await listProcesses()).filter(row => !row.isDead && row.started >= since);
  return Promise.all(
    living.map(async row => {
      const environment = await loadEnvironment(row.pid);
      return { ...row, isMarked: environment.includes(marker), isBlank: environment.join('') === '' };
    }),
  );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or belongs to another user.
  }
}
