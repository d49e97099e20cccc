/**
 * Keeps the workspaces of a tenant at several gateways equal to a stored state. A stored state is a list of paths with hashes; each change of it makes
 * the next version, by compare-and-set. The bytes are in a blob store.
 */
import type { Blob, BlobStore } from '../../port/blob_store';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import { WorkspaceError } from '../../port/workspace';
import type { ScannedFile, TreeContent, TreeState, WorkspaceTree, WorkspaceTrees } from '../../port/workspace_tree';
import { retryWhileStoreUnavailable } from '../../service/retry_while_store_unavailable';
import type { SyncOptions, WorkspaceNotice, WorkspaceSync } from '../../service/workspace/workspace_sync';
import { KeyedLock } from '../../utils/keyed_lock';
import { mapLimited } from '../../utils/map_limited';
import { type Conflict, isSameFile, type Merge, mergeTrees } from './merge_trees';
import { withFilesOf, withPending, withRows } from './pending_changes';
import type { WorkspaceFileRecord, WorkspaceHead } from './store/snapshot_records';

export interface SnapshotSyncDeps {
  store: Store;
  clock: Clock;
  trees: WorkspaceTrees;
  blobs: BlobStore;
  limits: { files: number; bytes: number };
  /** Called after files of a tenant came from the store. */
  onBrought: (tenantId: string) => void;
  onError: LogError;
}

/** Another gateway may store a version first, and a command may change files while they are compared. */
const MAX_TRIES = 10;
const PARALLEL = 8;
/** Blobs of one transaction. */
const MOST_BLOBS = 40;
const MOST_BYTES = 1024 * 1024;
const EMPTY: TreeState = { version: 0, files: new Map(), pending: [] };

/** The workspace and the store while they are made equal. */
interface Comparison {
  tenantId: string;
  tree: WorkspaceTree;
  local: Map<string, ScannedFile>;
  later: 'local' | 'stored';
  /** Path -> the stored change that cannot be made here. */
  pending: Map<string, WorkspaceFileRecord>;
  /** Paths whose stored bytes are missing. */
  lost: Set<string>;
}

/** A change of the workspace for a stored change. */
interface Replacement {
  path: string;
  before: ScannedFile | undefined;
  content: TreeContent | undefined;
  stored: WorkspaceFileRecord;
}

export class SnapshotSync implements WorkspaceSync {
  private readonly locks = new KeyedLock();
  /** Tenant -> the state in which its workspace was equal to the store. */
  private readonly states = new Map<string, TreeState>();
  /** Tenants whose files may have changed since. */
  private readonly written = new Set<string>();
  /** Tenants with lost files, which each call looks for again. */
  private readonly lossy = new Set<string>();
  /** Tenant -> why its workspace is not stored, or which files are left out. */
  private readonly problems = new Map<string, string>();

  constructor(private readonly deps: SnapshotSyncDeps) {}

  bring(tenantId: string, { sessionId }: SyncOptions = {}): Promise<readonly WorkspaceNotice[]> {
    return this.locks.run(tenantId, async () => {
      const state = this.states.get(tenantId);
      const isNewest = state && state.version === (await this.deps.store.read.workspaceFiles.head(tenantId)).version;
      return isNewest && !this.lossy.has(tenantId) ? [] : this.makeEqual(tenantId, sessionId);
    });
  }

  noteWrite(tenantId?: string): void {
    for (const written of tenantId === undefined ? this.states.keys() : [tenantId]) this.written.add(written);
  }

  keep(tenantId: string, { sessionId, signal }: SyncOptions = {}): Promise<readonly WorkspaceNotice[]> {
    // A run whose files another run is storing waits for that.
    const keepNow = () => this.locks.run(tenantId, async () => (this.written.has(tenantId) ? this.makeEqual(tenantId, sessionId) : []));
    return retryWhileStoreUnavailable(this.deps.clock, keepNow, () => signal?.throwIfAborted()).catch(thrown => {
      this.problems.set(tenantId, `The workspace of ${tenantId} cannot be stored for other gateways: ${(thrown as Error).message}`);
      this.deps.onError('the files of a workspace cannot be stored', thrown, { sessionId });
      return [];
    });
  }

  /** Stores what an earlier process has left at this gateway. Never rejects. */
  async keepAll(): Promise<void> {
    for (const tenantId of await this.deps.trees.listTenants()) {
      this.written.add(tenantId);
      await this.keep(tenantId, { signal: AbortSignal.abort() });
    }
  }

  /** Returns a sentence for each workspace that is not stored as a whole. */
  warnings(): readonly string[] {
    return [...this.problems.values()];
  }

  private async makeEqual(tenantId: string, sessionId: string | undefined): Promise<readonly WorkspaceNotice[]> {
    try {
      return await this.compareUntilEqual(tenantId, sessionId);
    } catch (thrown) {
      this.written.add(tenantId);
      throw thrown;
    }
  }

  private async compareUntilEqual(tenantId: string, sessionId: string | undefined): Promise<readonly WorkspaceNotice[]> {
    const { store, trees, limits, onBrought } = this.deps;
    const tree = trees.treeOf(tenantId);
    const known = this.states.get(tenantId);
    let state = known ?? (await tree.loadState()) ?? EMPTY;
    const notices = new Map<string, WorkspaceNotice>();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      this.written.delete(tenantId);
      const { files: local, leftOut } = await tree.scan(state.files, limits.files);
      // The disk of the workspace was lost, or replaced by an empty one: its files were not deleted.
      if (!known && local.size === 0) state = EMPTY;
      const head = await store.read.workspaceFiles.head(tenantId);
      const changed = head.version > state.version ? await store.read.workspaceFiles.changedSince(tenantId, state.version) : [];
      const stored = withPending(tenantId, state.pending, changed);
      // Files that lay here before this process began are older than those that other gateways have stored.
      const later = known ? 'local' : 'stored';
      const merge = mergeTrees({ known: state.files, local, stored, later });
      const comparison: Comparison = { tenantId, tree, local, later, pending: new Map(), lost: new Set() };
      if (!(await this.applyMerge(merge, comparison))) continue;
      if (merge.bring.length > 0 || merge.conflicts.length > 0) onBrought(tenantId);
      for (const {
        stored: { path, sessionId: other },
        keptAs,
      } of merge.conflicts)
        if (!comparison.pending.has(path) && !comparison.lost.has(path)) notices.set(keptAs, { path, keptAs, sessionId: other });
      const lost = [...comparison.lost].filter(path => comparison.pending.has(path));
      for (const path of lost) if (!isKnownLoss(state, comparison.pending.get(path))) notices.set(path, { path, isLost: true });
      const pending = [...comparison.pending.values()];
      const newest = { version: head.version, files: withRows(state.files, stored) };
      // A pending change counts as made, so that the file which stays here neither replaces nor deletes the stored one.
      const version = await this.storeChanges({ ...comparison, local: withRows(local, pending) }, newest, sessionId);
      const isStored = version !== undefined;
      state = { version: version ?? head.version, files: withFilesOf(isStored ? local : newest.files, state.files, pending), pending };
      if (!isStored) continue;
      await this.remember(tenantId, tree, state);
      this.noteLeftOut(tenantId, [...new Set([...leftOut, ...comparison.pending.keys()])], lost);
      return [...notices.values()];
    }
    throw new Error(`The files of the workspace changed ${MAX_TRIES} times while they were compared.`);
  }

  /** Changes the workspace, and `local` with it. Resolves false when a file has changed since the scan. */
  private async applyMerge({ bring, conflicts }: Merge, comparison: Comparison): Promise<boolean> {
    const removed = bring.filter(({ stored }) => stored.isDeleted);
    const written = bring.filter(({ stored }) => !stored.isDeleted);
    for (const { stored, before } of removed)
      if (!(await this.replace(comparison, { path: stored.path, before, content: undefined, stored }))) return false;
    const bringFile = async ({ stored, before }: Merge['bring'][number]) => {
      const content = await this.contentOf(stored);
      if (content) return this.replace(comparison, { path: stored.path, before, content, stored });
      comparison.lost.add(stored.path);
      comparison.pending.set(stored.path, stored);
      return true;
    };
    if ((await mapLimited(written, PARALLEL, bringFile)).includes(false)) return false;
    for (const conflict of conflicts) if (!(await this.keepBoth(comparison, conflict))) return false;
    return true;
  }

  private async keepBoth(comparison: Comparison, { stored, local, keptAs }: Conflict): Promise<boolean> {
    const { tree, later, pending } = comparison;
    const theirs = await this.contentOf(stored);
    if (!theirs) {
      // The text of this gateway is the only one, and is stored next.
      comparison.lost.add(stored.path);
      return true;
    }
    const earlier = later === 'local' ? theirs : await tree.read(stored.path);
    const before = comparison.local.get(keptAs);
    if (!earlier || !(await this.replace(comparison, { path: keptAs, before, content: earlier, stored }))) return false;
    if (later === 'local' || pending.has(stored.path)) return true;
    return this.replace(comparison, { path: stored.path, before: local, content: theirs, stored });
  }

  /** Resolves false when the file has changed since the scan. A change that cannot be made is pending. */
  private async replace({ tree, local, pending }: Comparison, { path, before, content, stored }: Replacement): Promise<boolean> {
    const file = await tree.replace(path, before, content);
    if (file === 'changed') return false;
    if (file === 'unreplaceable') pending.set(stored.path, stored);
    else if (file) local.set(path, file);
    else local.delete(path);
    return true;
  }

  private async contentOf({ tenantId, hash, mode, isLink }: WorkspaceFileRecord): Promise<TreeContent | undefined> {
    const bytes = await this.deps.blobs.get(tenantId, hash);
    return bytes && { bytes, mode, isLink };
  }

  /** Stores how the workspace differs from the newest version. Resolves with the version that is stored then; undefined when something has changed. */
  private async storeChanges(
    { tenantId, tree, local }: Pick<Comparison, 'tenantId' | 'tree'> & { local: TreeState['files'] },
    { version, files }: Pick<TreeState, 'version' | 'files'>,
    sessionId: string | undefined,
  ): Promise<number | undefined> {
    const next = version + 1;
    const toRow = (path: string, file: ScannedFile, isDeleted: boolean): WorkspaceFileRecord => {
      const { hash, size, mode, isLink } = file;
      return { tenantId, path, version: next, isDeleted, hash, size, mode, isLink, sessionId };
    };
    const written = [...local].filter(([path, file]) => !isSameFile(file, files.get(path)));
    const deleted = [...files].filter(([path]) => !local.has(path));
    if (written.length + deleted.length === 0) return version;
    const head = this.headOf(next, local);
    if (!(await this.putBlobs(tenantId, tree, new Map(written)))) return undefined;
    const rows = [...written.map(([path, file]) => toRow(path, file, false)), ...deleted.map(([path, file]) => toRow(path, file, true))];
    const isStored = await this.deps.store.transaction('none', tx => tx.workspaceFiles.commit(tenantId, head, rows));
    return isStored ? next : undefined;
  }

  private headOf(version: number, local: ReadonlyMap<string, ScannedFile>): WorkspaceHead {
    const { limits } = this.deps;
    let bytes = 0;
    for (const { size } of local.values()) bytes += size;
    if (bytes <= limits.bytes) return { version, files: local.size, bytes };
    throw new WorkspaceError(
      'too_large',
      `The workspace has ${bytes} bytes, more than ${limits.bytes} (NETA_WORKSPACE_SNAPSHOT_MB).`,
      `工作区有 ${bytes} 字节，超过 ${limits.bytes} 字节（NETA_WORKSPACE_SNAPSHOT_MB）。`,
    );
  }

  /** Resolves false when a file is not as the scan found it. */
  private async putBlobs(tenantId: string, tree: WorkspaceTree, written: ReadonlyMap<string, ScannedFile>): Promise<boolean> {
    const { blobs } = this.deps;
    const missing = new Set(await blobs.missing(tenantId, [...new Set([...written.values()].map(({ hash }) => hash))]));
    let batch: Blob[] = [];
    let size = 0;
    for (const [path, { hash }] of written) {
      if (!missing.delete(hash)) continue;
      const read = await tree.read(path);
      if (read?.file.hash !== hash) return false;
      batch.push({ hash, bytes: read.bytes });
      size += read.bytes.length;
      if (size < MOST_BYTES && batch.length < MOST_BLOBS) continue;
      await blobs.put(tenantId, batch);
      [batch, size] = [[], 0];
    }
    if (batch.length > 0) await blobs.put(tenantId, batch);
    return true;
  }

  private async remember(tenantId: string, tree: WorkspaceTree, state: TreeState): Promise<void> {
    const known = this.states.get(tenantId);
    this.states.set(tenantId, state);
    if (known?.version !== state.version || known.pending.length !== state.pending.length) await tree.saveState(state);
  }

  private noteLeftOut(tenantId: string, leftOut: readonly string[], lost: readonly string[]): void {
    const [first] = leftOut;
    const [firstLost] = lost;
    if (firstLost === undefined) this.lossy.delete(tenantId);
    else this.lossy.add(tenantId);
    if (firstLost !== undefined)
      this.problems.set(
        tenantId,
        `The stored bytes of ${lost.length} files of the workspace of ${tenantId} are missing, such as those of ${firstLost}.`,
      );
    else if (first === undefined) this.problems.delete(tenantId);
    else
      this.problems.set(
        tenantId,
        `${leftOut.length} files of the workspace of ${tenantId} stay at this gateway, such as ${first}: they cannot be read or replaced, or have more than 32 MiB.`,
      );
  }
}

/** True when the file was lost at an earlier comparison. */
const isKnownLoss = (state: TreeState, pending: WorkspaceFileRecord | undefined): boolean =>
  pending !== undefined && state.pending.some(({ path, hash }) => path === pending.path && hash === pending.hash);
