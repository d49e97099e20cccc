/** Blobs in the store, beside everything else. */
import type { BlobStore } from '../../port/blob_store';
import type { Clock } from '../../port/clock';
import type { Store } from '../../port/store/store';
import { workInParts } from '../../service/in_parts';
import './store/snapshot_records';

/** Blobs of one transaction. */
const AT_ONCE = 100;

export function createStoredBlobs(ports: { store: Store; clock: Clock }): BlobStore {
  const { store, clock } = ports;
  return {
    async missing(tenantId, hashes) {
      const lacking: string[] = [];
      // Two gateways that ask for the same blobs lock the rows in the same order.
      const sorted = [...new Set(hashes)].sort();
      for (let i = 0; i < sorted.length; i += AT_ONCE) {
        const part = sorted.slice(i, i + AT_ONCE);
        const found = await store.transaction('none', tx =>
          Promise.all(part.map(hash => tx.workspaceBlobs.touch(tenantId, hash, clock.now()))),
        );
        lacking.push(...part.filter((_, index) => !found[index]));
      }
      return lacking;
    },
    async put(tenantId, blobs) {
      const sorted = [...blobs].sort((one, other) => (one.hash < other.hash ? -1 : 1));
      await store.transaction('none', tx => tx.workspaceBlobs.put(tenantId, sorted, clock.now()));
    },
    get: (tenantId, hash) => store.read.workspaceBlobs.get(tenantId, hash),
    deleteUnused: before =>
      workInParts(ports, { leader: 'housekeeping' }, { first: 50, most: 1_000 }, async (tx, size) => {
        return (await tx.workspaceBlobs.deleteUnused(before, size)) === size;
      }),
  };
}
