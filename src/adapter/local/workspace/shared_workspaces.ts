/** Workspaces on a disk that several gateways share: the lock of a file keeps out the works of all of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../port/clock';
import type { FileLock } from '../../../port/store/file_locks';
import type { Store } from '../../../port/store/store';
import { type Workspace, WorkspaceError } from '../../../port/workspace';
import type { TenantWorkspace, Workspaces } from '../../../port/workspaces';

export interface SharedWorkspacesDeps {
  store: Store;
  clock: Clock;
  /** Instance id of this gateway. */
  self: string;
}

/** Works under a lock read and write one file. */
const MOST_WAIT_MS = 15_000;
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 200;
const FIRST_RELEASE_PAUSE_MS = 100;
const LAST_RELEASE_PAUSE_MS = 10_000;

export function shareWorkspaces(workspaces: Workspaces, deps: SharedWorkspacesDeps): Workspaces {
  const shared = new Map<string, TenantWorkspace>();
  const closing = new AbortController();
  return {
    get hasSeveralTenants() {
      return workspaces.hasSeveralTenants;
    },
    workspaceOf(tenantId) {
      const known = shared.get(tenantId);
      if (known) return known;
      const own = workspaces.workspaceOf(tenantId);
      const locks = new SharedLocks(own.workspace, tenantId, { ...deps, closed: closing.signal });
      const withFileLock: Workspace['withFileLock'] = (path, work) => locks.withFileLock(path, work);
      const made = { ...own, workspace: Object.create(own.workspace, { withFileLock: { value: withFileLock } }) };
      shared.set(tenantId, made);
      return made;
    },
    close() {
      closing.abort();
      return workspaces.close();
    },
  };
}

class SharedLocks {
  /** Paths whose locks are released later. */
  private readonly unreleased = new Set<string>();

  constructor(
    private readonly workspace: Workspace,
    private readonly tenantId: string,
    private readonly deps: SharedWorkspacesDeps & { closed: AbortSignal },
  ) {}

  /**
   * The works of this gateway wait for each other first, so that one of them at a time asks the store. Has no `isEntry`: symlinks are replaced for
   * snapshots alone, which do without a shared disk.
   */
  withFileLock<T>(given: string, work: () => Promise<T>): Promise<T> {
    return this.workspace.withFileLock(given, async () => {
      const lock = { tenantId: this.tenantId, path: await this.workspace.resolvePath(given), owner: this.deps.self };
      await this.acquire(lock);
      return work().finally(() => this.release(lock).catch(() => this.releaseLater(lock)));
    });
  }

  private async acquire(lock: FileLock): Promise<void> {
    const { store, clock } = this.deps;
    const tryToLock = () => store.transaction('none', tx => tx.fileLocks.acquire(lock, clock.now()));
    const until = clock.monotonic() + MOST_WAIT_MS;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; !(await tryToLock()); pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
        if (clock.monotonic() > until) throw isLocked(lock.path);
        await pause(pauseMs);
      }
    } catch (thrown) {
      // The store may have committed the lock and lost the answer.
      if (!(thrown instanceof WorkspaceError)) this.releaseLater(lock);
      throw thrown;
    }
  }

  private release(lock: FileLock): Promise<void> {
    return this.deps.store.transaction('none', tx => tx.fileLocks.release(lock));
  }

  /**
   * Releases a lock whose release has failed: other gateways could not change the file as long as this gateway keeps its lease. Done inside the lock of
   * this gateway, so that the lock of a later work on the file is not released.
   */
  private releaseLater(lock: FileLock): void {
    if (this.unreleased.has(lock.path)) return;
    this.unreleased.add(lock.path);
    this.retryRelease(lock, FIRST_RELEASE_PAUSE_MS);
  }

  private retryRelease(lock: FileLock, pauseMs: number): void {
    const { closed } = this.deps;
    const retry = () =>
      this.workspace.withFileLock(lock.path, async () => {
        await this.release(lock);
        this.unreleased.delete(lock.path);
      });
    pause(pauseMs, undefined, { ref: false, signal: closed })
      .then(retry)
      .catch(() => {
        if (!closed.aborted) this.retryRelease(lock, Math.min(pauseMs * 2, LAST_RELEASE_PAUSE_MS));
      });
  }
}

const isLocked = (path: string): WorkspaceError =>
  new WorkspaceError('io', `${path} is being changed at another gateway. Try again.`, `${path} 正在另一个网关上被修改，请重试。`);
