/** Lists the entries of a directory with their kind and size. */
import type { Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryEntry, FileStat } from '../../../port/workspace';
import { createYielder } from '../../../utils/yield_to_event_loop';
import type { DiskCalls } from './disk_calls';
import type { FileCalls } from './file_calls';
import { missingAsUndefined } from './safe_path';

const BATCH = 64;
/** Size of a directory itself, without its files, up to which it is read at once. On most file systems such a directory has some hundred entries. */
const MAX_DIRECT_BYTES = 4_096;

/** File calls: `slow` reads the directory, `quick` reads its entries. */
export type ListCalls = Pick<DiskCalls, 'slow' | 'quick'>;

/** A small directory on a local disk is read at once. `held`: its descriptor. */
export async function callsToList(held: number, calls: Pick<DiskCalls, 'slow' | 'quick' | 'isLocal'>): Promise<ListCalls> {
  if (!calls.isLocal) return calls;
  const { quick } = calls;
  return (await quick.stat(held)).size <= MAX_DIRECT_BYTES ? { slow: quick, quick } : calls;
}

/** In name order. An entry that disappears is left out. */
export async function listEntries(
  directory: string,
  maxEntries: number | undefined,
  { slow, quick }: ListCalls,
): Promise<DirectoryEntry[]> {
  return describeEntries(
    directory,
    (await (maxEntries === undefined ? slow.readdir(directory) : someNames(directory, maxEntries))).sort(),
    quick,
  );
}

/** The entries whose names come after `after` in name order, at most `limit`. */
export async function listEntriesAfter(
  directory: string,
  { after, limit }: { after: string; limit: number },
  { slow, quick }: ListCalls,
): Promise<{ entries: DirectoryEntry[]; isMore: boolean }> {
  const names = firstNames(await slow.readdir(directory), after, limit + 1);
  return { entries: await describeEntries(directory, names.slice(0, limit), quick), isMore: names.length > limit };
}

/** The first `count` names after `after` in name order. Sorts few names at a time: to sort a million would block the event loop for a second. */
function firstNames(names: readonly string[], after: string, count: number): string[] {
  const first: string[] = [];
  let last: string | undefined;
  for (const name of names) {
    if (name <= after || (last !== undefined && name >= last)) continue;
    first.push(name);
    if (first.length < 2 * count) continue;
    first.sort().length = count;
    last = first.at(-1);
  }
  return first.sort().slice(0, count);
}

async function describeEntries(directory: string, names: readonly string[], quick: FileCalls): Promise<DirectoryEntry[]> {
  const yieldIfDue = createYielder();
  const entries: DirectoryEntry[] = [];
  for (let i = 0; i < names.length; i += BATCH) {
    const batch = await Promise.all(names.slice(i, i + BATCH).map(name => entryOf(directory, name, quick)));
    entries.push(...batch.filter(entry => entry !== undefined));
    await yieldIfDue();
  }
  return entries;
}

/** Reads at most `most` names: a directory may hold millions. */
export async function someNames(path: string, most: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(path)) {
    if (names.length >= most) break;
    names.push(name);
  }
  return names;
}

async function entryOf(directory: string, name: string, calls: FileCalls): Promise<DirectoryEntry | undefined> {
  const stats = await calls.lstat(join(directory, name)).catch(missingAsUndefined);
  return stats && { name, ...toFileStat(stats) };
}

export function toFileStat(stats: Stats): FileStat {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
  return { kind, size: kind === 'directory' ? 0 : stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
}
