/** Reads processes from /proc: the only module that parses it. Every function returns nothing on systems without /proc. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createYielder } from '../../../utils/yield_to_event_loop';

export interface ProcessRow {
  pid: number;
  parent: number;
  /** Process group. */
  group: number;
  /** Nice value: a process with a higher value gets less processor time. Children inherit the value. */
  nice: number;
  /** Start time in clock ticks since boot; tells a reused pid from its predecessor. */
  started: number;
  threads: number;
  residentBytes: number;
  /** Ended, but not yet reaped by its parent. */
  isDead: boolean;
}

export const hasProcessTable = (): boolean => existsSync('/proc/self/stat');

/** Counts the threads of all visible processes; about 10 µs. */
export function countTasks(): number {
  // Format: `0.1 0.2 0.3 running/all newest`
  const [, all] = /\/(\d+) /.exec(readText('/proc/loadavg') ?? '') ?? [];
  return Number(all ?? 0);
}

/** Reads all processes before it returns; about 10 µs each. Synchronous, because a burst of processes grows faster than promises settle. */
export function readProcessTable(): ProcessRow[] {
  const pageSize = ownPageSize();
  try {
    return readdirSync('/proc').flatMap(name => (isPid(name) ? (readProcess(Number(name), pageSize) ?? []) : []));
  } catch {
    return [];
  }
}

/** Reads all processes in slices, so that it holds the event loop for 4 ms at most; processes may start and end in between. */
export async function listProcesses(): Promise<ProcessRow[]> {
  const pageSize = ownPageSize();
  const yieldIfDue = createYielder();
  const rows: ProcessRow[] = [];
  for (const pid of await listPids()) {
    const row = readProcess(pid, pageSize);
    if (row) rows.push(row);
    await yieldIfDue();
  }
  return rows;
}

export async function listPids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter(isPid).map(Number);
}

/** Returns undefined for a process that does not exist. */
export function readProcess(pid: number, pageSize = ownPageSize()): ProcessRow | undefined {
  return parseStat(readText(`/proc/${pid}/stat`), pageSize);
}

/** The `NAME=value` entries that the process was started with; empty when it is gone or belongs to another user. */
export function readEnvironment(pid: number): string[] {
  return (readText(`/proc/${pid}/environ`) ?? '').split('\0');
}

/** As readEnvironment, without holding the event loop. */
export async function loadEnvironment(pid: number): Promise<string[]> {
  return ((await readTextLater(`/proc/${pid}/environ`)) ?? '').split('\0');
}

/** Memory of a process with shared pages counted in parts; undefined when the kernel does not say. Takes 12 ms or more for a large process, off the event loop. */
export async function proportionalBytes(pid: number): Promise<number | undefined> {
  const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec((await readTextLater(`/proc/${pid}/smaps_rollup`)) ?? '') ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** Inode of this process's PID namespace. */
export function ownPidNamespace(): string | undefined {
  try {
    // Format: `pid:[4026531836]`
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return undefined;
  }
}

/** `pid (name) state parent ...`, numbered from 1 as in proc_pid_stat(5). The name may hold anything, including brackets. */
function parseStat(stat: string | undefined, pageSize: number): ProcessRow | undefined {
  if (!stat) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(stat, 10),
    isDead: fields[0] === 'Z' || fields[0] === 'X',
    parent: field(4),
    group: field(5),
    nice: field(19),
    threads: field(20),
    started: field(22),
    residentBytes: field(24) * pageSize,
  };
}

/** Derives the page size, which Node does not tell: /proc counts this process in pages, Node counts it in bytes. */
function ownPageSize(): number {
  const pages = parseStat(readText('/proc/self/stat'), 1)?.residentBytes ?? 0;
  return pages > 0 ? 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages)) : 4_096;
}

const isPid = (name: string): boolean => /^\d+$/.test(name);

/** Reads as UTF-8: any other encoding would allocate 64 KiB per file. Invalid bytes become U+FFFD. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const readTextLater = (path: string): Promise<string | undefined> => readFile(path, 'latin1').catch(() => undefined);
