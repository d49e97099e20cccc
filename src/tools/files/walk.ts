/** Goes through a directory tree of the workspace, within bounds. */
import { posix } from 'node:path';
import type { DirectoryEntry, Workspace } from '../../port/workspace';
import { WorkspaceError } from '../../port/workspace';

/** Kept by programs for themselves, and large. */
const IGNORED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv', '.neta']);

export const isIgnoredName = (name: string): boolean => IGNORED_NAMES.has(name);

export interface WalkOptions {
  /** Entries looked at before the walk ends. */
  maxEntries: number;
  /** Directories below the start that are gone into; 0 is the start alone. */
  maxDepth: number;
  includeIgnored: boolean;
  signal: AbortSignal;
}

export interface WalkedEntry extends DirectoryEntry {
  /** Relative to the start. */
  path: string;
}

const MAX_DEPTH = 64;

/**
 * Entries in name order, a directory before what is in it; symlinks are given, not followed. Returns whether the bound of entries ended it. Throws
 * WorkspaceError for the start only: what cannot be read below it is passed over.
 */
export async function* walk(workspace: Workspace, start: string, options: WalkOptions): AsyncGenerator<WalkedEntry, boolean> {
  const root = workspace.relative(start);
  let left = options.maxEntries;
  const waiting: WalkedEntry[] = [];
  const open = async (path: string): Promise<void> => {
    const entries = await workspace.list(posix.join(root, path), { maxEntries: left + 1 });
    waiting.push(...entries.map(entry => ({ ...entry, path: posix.join(path, entry.name) })).reverse());
  };
  await open('.');
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    options.signal.throwIfAborted();
    if (left === 0) return true;
    left -= 1;
    yield entry;
    const depth = entry.path.split('/').length;
    const isOpened = entry.kind === 'directory' && depth <= Math.min(options.maxDepth, MAX_DEPTH);
    if (isOpened && (options.includeIgnored || !isIgnoredName(entry.name))) await open(entry.path).catch(ignoreRefusal);
  }
  return false;
}

/** Removed or closed to us meanwhile; the rest of the tree is still worth looking at. */
function ignoreRefusal(thrown: unknown): void {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
}
