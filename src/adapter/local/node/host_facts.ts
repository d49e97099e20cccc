/** Reads facts about the machine and this process. */
import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HostFacts } from '../../../port/host_facts';

/** `databaseUrl`: absent when the database is a file in `dataDir`. */
interface HostPlaces {
  dataDir: string;
  configDir: string;
  databaseUrl?: string;
}

export function createHostFacts({ dataDir, configDir, databaseUrl }: HostPlaces): HostFacts {
  const sizeOf = async (name: string) => (await stat(join(dataDir, name)).catch(() => undefined))?.size ?? 0;
  return {
    startedAt: Math.round(performance.timeOrigin),
    nodeVersion: process.version,
    memory() {
      const { rss, heapUsed } = process.memoryUsage();
      return { rssBytes: rss, heapUsedBytes: heapUsed };
    },
    async readDisk() {
      const { bavail, blocks, bsize } = await statfs(dataDir);
      return { path: dataDir, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
    async readDatabase() {
      return databaseUrl === undefined ? { fileBytes: await sizeOf('neta.db'), walBytes: await sizeOf('neta.db-wal') } : undefined;
    },
    checkDatabase: async () => (databaseUrl === undefined ? quickCheck(join(dataDir, 'neta.db')) : undefined),
    readFileTime: async path => (await stat(join(configDir, path)).catch(() => undefined))?.mtimeMs,
  };
}

const CHECK_MS = 60_000;
/** Script that reads the whole database file, which takes seconds for a large file. */
const CHECK = `const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1], { readOnly: true });
console.log(Object.values(database.prepare('pragma quick_check(1)').get())[0]);`;

async function quickCheck(path: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', CHECK, path], { timeout: CHECK_MS, env: {} });
  const answer = stdout.trim();
  return answer === 'ok' ? undefined : answer;
}
