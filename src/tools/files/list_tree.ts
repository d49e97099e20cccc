/** Lists the paths of a tree that match a glob. A pattern can make each comparison slow, so it runs in a worker thread. */
import type { FileListOutcome, FileListRequest } from '../../port/file_search';
import { type Workspace, WorkspaceError } from '../../port/workspace';
import { compileGlob } from './glob';
import type { SearchLimits } from './search_tree';
import { isIgnoredName, walk } from './walk';

/** Entries to read before a list ends. */
export const MAX_LISTED_ENTRIES = 20_000;

type Listed = Extract<FileListOutcome, { kind: 'listed' }>;

/** Lists the files of a tree that match. Rejects only with the signal's reason. */
export async function listTree(workspace: Workspace, request: FileListRequest, limits: SearchLimits): Promise<FileListOutcome> {
  try {
    return await listMatches(workspace, request, limits);
  } catch (thrown) {
    if (thrown instanceof WorkspaceError) {
      const { code, message, messageZh } = thrown;
      return { kind: 'refused', code, message, messageZh };
    }
    throw thrown;
  }
}

async function listMatches(workspace: Workspace, request: FileListRequest, limits: SearchLimits): Promise<FileListOutcome> {
  const { path, pattern, maxResults } = request;
  const glob = compileGlob(pattern);
  if (!glob) return { kind: 'bad_pattern' };
  const namedEntries = new Set(pattern.split('/'));
  const includeIgnored = request.includeIgnored || [...namedEntries].some(isIgnoredName);
  const options = { maxEntries: MAX_LISTED_ENTRIES, maxDepth: glob.depth, includeIgnored, namedEntries, signal: limits.signal };
  const entries = walk(workspace, path, options);
  const found: Listed['entries'] = [];
  let ignored = 0;
  const listed = (isComplete: boolean): Listed => ({ kind: 'listed', entries: found, ignored, isComplete });
  for (let next = await entries.next(); ; next = await entries.next()) {
    if (next.done) return listed(!next.value);
    const { path: name, kind, size, isIgnored } = next.value;
    if (limits.isTimeUp()) return listed(false);
    if (!glob.matches(name)) continue;
    if (isIgnored && kind !== 'directory') {
      ignored += 1;
      continue;
    }
    if (found.length === maxResults) return listed(false);
    found.push({ path: name, kind, size });
  }
}
