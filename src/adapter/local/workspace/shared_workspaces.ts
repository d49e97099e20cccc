/** Workspaces on a disk that several gateways share: the lock of a file keeps out the works of all of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../port/clock';
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

export function shareWorkspaces(workspaces: Workspaces, deps: SharedWorkspacesDeps): Workspaces {
  const shared = new Map<string, TenantWorkspace>();
  return {
    get hasSeveralTenants() {
      return workspaces.hasSeveralTenants;
    },
    workspaceOf(tenantId) {
      const known = shared.get(tenantId);
      if (known) return known;
      const own = workspaces.workspaceOf(tenantId);
      const made = { ...own, workspace: withSharedLocks(own.workspace, tenantId, deps) };
      shared.set(tenantId, made);
      return made;
    },
    close: () => workspaces.close(),
  };
}

/** The works of this gateway wait for each other first, so that one of them at a time asks the store. */
function withSharedLocks(workspace: Workspace, tenantId: string, { store, clock, self }: SharedWorkspacesDeps): Workspace {
  return Object.create(workspace, {
    withFileLock: {
      value: <T>(given: string, work: () => Promise<T>): Promise<T> =>
        workspace.withFileLock(given, async () => {
          const lock = { tenantId, path: await workspace.resolvePath(given), owner: self };
          const tryToLock = () => store.transaction('none', tx => tx.fileLocks.acquire(lock, clock.now()));
          const until = clock.monotonic() + MOST_WAIT_MS;
          for (let pauseMs = FIRST_PAUSE_MS; !(await tryToLock()); pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
            if (clock.monotonic() > until) throw isLocked(lock.path);
            await pause(pauseMs);
          }
          // A lock that cannot be released now is taken again by this gateway, or ends with its lease.
          return work().finally(() => store.transaction('none', tx => tx.fileLocks.release(lock)).catch(() => {}));
        }),
    },
  });
}

const isLocked = (path: string): WorkspaceError =>
  new WorkspaceError('io', `${path} is being changed at another gateway. Try again.`, `${path} 正在另一个网关上被修改，请重试。`);
