/** The processes of this machine at one moment, read from /proc in one go. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface ProcessRow {
  pid: number;
  parent: number;
  /** Its process group. */
  group: number;
  /** Nice value: a higher one gets less processor time. Children inherit it. */
  nice: number;
  /** Clock ticks since boot; tells a pid that is used again from its predecessor. */
  started: number;
  threads: number;
  residentBytes: number;
}

export const hasProcessTable = (): boolean => existsSync('/proc/self/stat');

/** Threads of all processes of the machine, or as many as can be seen from here; about 10 µs. */
export function countTasks(): number {
  try {
    // `0.1 0.2 0.3 running/all newest`
    const [, all] = /\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1')) ?? [];
    return Number(all ?? 0);
  } catch {
    return 0;
  }
}

/** About 10 µs a process; without promises, because a burst of processes grows faster than those are kept. */
export function readProcessTable(): ProcessRow[] {
  const pageSize = ownPageSize();
  return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (readRow(Number(name), pageSize) ?? []) : []));
}

/** Start time of this process, in the ticks of the table; undefined where there is no table. */
export function ownStart(): number | undefined {
  const started = statFields('self')?.[19];
  return started === undefined ? undefined : Number(started);
}

/** Whether the process was started with exactly this NAME=value. */
export function hasInEnvironment(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry);
  } catch {
    return false;
  }
}

/** Memory of a process, pages shared with others counted in parts; undefined when the kernel does not say. 12 ms and more for a large process, beside the event loop. */
export async function proportionalBytes(pid: number): Promise<number | undefined> {
  try {
    const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

function readRow(pid: number, pageSize: number): ProcessRow | undefined {
  const fields = statFields(pid);
  if (!fields) return undefined;
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    group: field(5),
    nice: field(19),
    started: field(22),
    threads: field(20),
    residentBytes: field(24) * pageSize,
  };
}

/** From the third on, the state. The name before may hold anything, brackets too. */
function statFields(pid: number | 'self'): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The table counts in pages; how large these are is seen from a process whose size is known otherwise. */
function ownPageSize(): number {
  const pages = Number(statFields('self')?.[21]);
  return pages > 0 ? 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages)) : 4_096;
}
