/** Looks for names in a tree. A pattern can make each comparison slow, so it belongs in a thread of its own. */
import type { FileListOutcome, FileListRequest } from '../../port/file_search';
import { type Workspace, WorkspaceError } from '../../port/workspace';
import { compileGlob } from './glob';
import type { SearchLimits } from './search_tree';
import { isIgnoredName, walk } from './walk';

/** Entries looked at before a list ends. */
export const MAX_LISTED_ENTRIES = 20_000;

type Listed = Extract<FileListOutcome, { kind: 'listed' }>;

/** Rejects only with the signal's reason. */
export async function listTree(workspace: Workspace, request: FileListRequest, limits: SearchLimits): Promise<FileListOutcome> {
  try {
    return await listMatches(workspace, request, limits);
  } catch (thrown) {
    if (thrown instanceof WorkspaceError) return { kind: 'refused', code: thrown.code, message: thrown.message };
    throw thrown;
  }
}

async function listMatches(workspace: Workspace, request: FileListRequest, limits: SearchLimits): Promise<FileListOutcome> {
  const { path, pattern, maxResults } = request;
  const glob = compileGlob(pattern);
  if (!glob) return { kind: 'bad_pattern' };
  const includeIgnored = pattern.split('/').some(isIgnoredName);
  const entries = walk(workspace, path, { maxEntries: MAX_LISTED_ENTRIES, maxDepth: glob.depth, includeIgnored, signal: limits.signal });
  const found: Listed['entries'] = [];
  for (let next = await entries.next(); ; next = await entries.next()) {
    if (next.done) return { kind: 'listed', entries: found, isComplete: !next.value };
    const { path: name, kind, size } = next.value;
    if (limits.isTimeUp()) return { kind: 'listed', entries: found, isComplete: false };
    if (!glob.matches(name)) continue;
    if (found.length === maxResults) return { kind: 'listed', entries: found, isComplete: false };
    found.push({ path: name, kind, size });
  }
}
