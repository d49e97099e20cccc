/** Fills a database with memories of one tenant, for the benchmarks. */

import { join } from 'node:path';
import { openBuiltStore } from '../built_store.mjs';
import { createCorpus } from './corpus.mjs';

const TENANT = 'default';
const MINUTE_MS = 60_000;
const ROWS_PER_COMMIT = 500;
const UNITS = 200;

/** `end`: time of the newest memory, in milliseconds since 1970. */
export async function addMemories(store, { corpus, count, end }) {
  for (let first = 0; first < count; first += ROWS_PER_COMMIT) {
    await store.transaction('none', async tx => {
      for (let i = first; i < Math.min(count, first + ROWS_PER_COMMIT); i += 1) {
        const at = end - (count - i) * MINUTE_MS;
        const text = corpus.text(i).slice(0, UNITS);
        await tx.memories.insert({
          tenantId: TENANT,
          id: `mem_${i}`,
          text,
          kind: 'fact',
          source: { by: 'person' },
          createdAt: at,
          updatedAt: at,
        });
      }
    });
  }
}

/** `root`: a built gateway; `dataDir`: its data directory. */
export async function fillMemories({ root, dataDir, count }) {
  const store = await openBuiltStore({ root, path: join(dataDir, 'neta.db') });
  await addMemories(store, { corpus: createCorpus(), count, end: Date.now() });
  await store.close();
}
