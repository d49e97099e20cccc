/** Facts about the machine and this process, for operators. */

export interface DiskSpace {
  /** The directory that was asked about. */
  path: string;
  freeBytes: number;
  totalBytes: number;
}

/**
 * @example
 * import type { HostFacts } from './host_facts';
 *
 * // A machine that is never short of anything, for tests.
 * export const emptyMachine: HostFacts = {
 *   startedAt: 0,
 *   nodeVersion: 'v24.0.0',
 *   memory: () => ({ rssBytes: 0, heapUsedBytes: 0 }),
 *   readDisk: async () => ({ path: '/data', freeBytes: 1, totalBytes: 1 }),
 *   readDatabase: async () => ({ fileBytes: 0, walBytes: 0 }),
 *   checkDatabase: async () => undefined,
 *   readFileTime: async () => undefined,
 * };
 */
export interface HostFacts {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly nodeVersion: string;
  memory(): { rssBytes: number; heapUsedBytes: number };
  /** Reads the space of the disk that holds the data directory. Rejects when the system does not tell. */
  readDisk(): Promise<DiskSpace>;
  /** Sizes of the database file and of its write-ahead log; undefined when a server keeps the database. */
  readDatabase(): Promise<{ fileBytes: number; walBytes: number } | undefined>;
  /** Checks the database file in a process of its own, for 60 s at most. Resolves with a description of the damage; undefined for a sound file. */
  checkDatabase(): Promise<string | undefined>;
  /** Time of the last change of a file of the configuration directory, in milliseconds since 1970; undefined when there is none. */
  readFileTime(path: string): Promise<number | undefined>;
}
