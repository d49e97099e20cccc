/** Reads facts about the machine and this process. */
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostFacts } from '../../port/host_facts';

export function createHostFacts({ dataDir, configDir }: { dataDir: string; configDir: string }): HostFacts {
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
    readDatabase: async () => ({ fileBytes: await sizeOf('neta.db'), walBytes: await sizeOf('neta.db-wal') }),
    readFileTime: async path => (await stat(join(configDir, path)).catch(() => undefined))?.mtimeMs,
  };
}
