/**
 * Hides the spill files of sessions from tools whose caller does not see the session. Only tools that use the workspace port are kept out: commands,
 * manifest tools and MCP servers read the directory by themselves.
 */
import { posix } from 'node:path';
import type { FileSearch } from '../../port/file_search';
import { type DirectoryEntry, type Workspace, WorkspaceError } from '../../port/workspace';
import type { TenantWorkspace } from '../../port/workspaces';
import { sessionOfSpillPath } from './result_files';

/** Resolves true when the caller of the tools sees the session. */
type Sees = (sessionId: string) => Promise<boolean>;

/** Returns the same workspace, in which folders of results of sessions that are not seen do not exist. */
export function withoutPrivateResults({ workspace, fileSearch, shell }: TenantWorkspace, sees: Sees): TenantWorkspace {
  const guard = new ResultGuard(workspace, sees);
  return { workspace: guardWorkspace(workspace, guard), fileSearch: guardSearch(workspace, fileSearch, guard), shell };
}

class ResultGuard {
  constructor(
    private readonly workspace: Workspace,
    private readonly sees: Sees,
  ) {}

  /** Resolves true for a path outside the folders of results, and in a folder of a session that is seen. `path`: relative to the workspace. */
  async isOpen(path: string): Promise<boolean> {
    const sessionId = sessionOfSpillPath(path);
    return sessionId === undefined || this.sees(sessionId);
  }

  /** Rejects `not_found` when the path, or the path to which its symlinks lead, is in a folder that is not open. */
  async assertOpen(path: string): Promise<void> {
    const asked = this.workspace.relative(path);
    // A path that cannot be resolved is refused by the call itself, with its reason.
    const real = await this.workspace.resolvePath(path).catch(() => asked);
    if ((await this.isOpen(asked)) && (await this.isOpen(real))) return;
    throw new WorkspaceError('not_found', `${asked} does not exist.`, `${asked} 不存在。`);
  }

  /** Keeps the rows whose path below the directory is open. */
  async keepOpen<T>(directory: string, rows: readonly T[], pathOf: (row: T) => string): Promise<T[]> {
    const real = await this.workspace.resolvePath(directory).catch(() => this.workspace.relative(directory));
    const kept: T[] = [];
    for (const row of rows) if (await this.isOpen(posix.join(real, pathOf(row)))) kept.push(row);
    return kept;
  }
}

const nameOf = ({ name }: DirectoryEntry): string => name;

function guardWorkspace(workspace: Workspace, guard: ResultGuard): Workspace {
  const at = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await guard.assertOpen(path);
    return work();
  };
  return {
    root: workspace.root,
    relative: path => workspace.relative(path),
    stat: path => at(path, () => workspace.stat(path)),
    readFile: (path, options) => at(path, () => workspace.readFile(path, options)),
    writeFile: (path, data) => at(path, () => workspace.writeFile(path, data)),
    openFile: path => at(path, () => workspace.openFile(path)),
    async stageFile(data, options) {
      const staged = await workspace.stageFile(data, options);
      const { size, hash } = staged;
      return { size, hash, replace: path => at(path, () => staged.replace(path)), discard: () => staged.discard() };
    },
    removeFile: path => at(path, () => workspace.removeFile(path)),
    makeDirectory: path => at(path, () => workspace.makeDirectory(path)),
    removeDirectory: path => at(path, () => workspace.removeDirectory(path)),
    list: (path, options) => at(path, async () => guard.keepOpen(path, await workspace.list(path, options), nameOf)),
    listPage: (path, page) =>
      at(path, async () => {
        const { entries, isMore } = await workspace.listPage(path, page);
        return { entries: await guard.keepOpen(path, entries, nameOf), isMore };
      }),
    resolvePath: path => at(path, () => workspace.resolvePath(path)),
    lookAlikes: async path => guard.keepOpen('.', await workspace.lookAlikes(path), found => found),
    withFileLock: (path, work, options) => at(path, () => workspace.withFileLock(path, work, options)),
  };
}

function guardSearch(workspace: Workspace, fileSearch: TenantWorkspace['fileSearch'], guard: ResultGuard): Omit<FileSearch, 'close'> {
  const refusalAt = async (path: string) => {
    try {
      await guard.assertOpen(path);
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof WorkspaceError)) throw thrown;
      const { code, message, messageZh } = thrown;
      return { kind: 'refused' as const, code, message, messageZh };
    }
  };
  return {
    async search(request, signal) {
      const outcome = (await refusalAt(request.path)) ?? (await fileSearch.search(request, signal));
      if (outcome.kind !== 'searched') return outcome;
      const matches = await guard.keepOpen('.', outcome.matches, ({ path }) => path);
      return { ...outcome, matches, keyFiles: await guard.keepOpen('.', outcome.keyFiles, path => path) };
    },
    async list(request, signal) {
      const outcome = (await refusalAt(request.path)) ?? (await fileSearch.list(request, signal));
      if (outcome.kind !== 'listed') return outcome;
      return { ...outcome, entries: await guard.keepOpen(workspace.relative(request.path), outcome.entries, ({ path }) => path) };
    },
  };
}
