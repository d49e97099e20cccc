/** Brings the files of workspaces to the gateway that needs them, with NETA_WORKSPACE_STORE=snapshot. */
import type { Feature } from '../../feature';
import { SnapshotSync } from './snapshot_sync';
import { snapshotStore } from './store/snapshot_store';
import { createStoredBlobs } from './stored_blobs';

/** Bytes that no path names stay for a day, so that a gateway that is about to name them can. */
const UNUSED_MS = 24 * 3_600_000;

export const workspaceSnapshots: Feature = {
  name: 'workspace_snapshots',
  store: snapshotStore,
  install({ settings: { workspaceStore }, ports: { store, clock, workspaceTrees: trees, blobDirectory, logger }, cache }) {
    if (workspaceStore.kind !== 'snapshot') return {};
    const blobs = blobDirectory ?? createStoredBlobs({ store, clock });
    const onBrought = (tenantId: string) => cache.drop(tenantId);
    const sync = new SnapshotSync({ store, clock, trees, blobs, limits: workspaceStore, onBrought, onError: logger.error });
    return {
      workspaceSync: sync,
      warnings: () => sync.warnings(),
      cleanUp: () => blobs.deleteUnused(clock.now() - UNUSED_MS, (tenantId, hash) => store.read.workspaceFiles.namesHash(tenantId, hash)),
      serve: () => void sync.keepAll(),
    };
  },
};
