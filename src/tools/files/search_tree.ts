/** Searches the lines of the files of a tree. Blocks between reads, so it runs in a worker thread. */
import { posix } from 'node:path';
import { RE2JS } from 're2js';
import { type FileMatch, type FileSearchOutcome, type FileSearchRequest, MAX_NAMED_FILES } from '../../port/file_search';
import { type Workspace, WorkspaceError } from '../../port/workspace';
import { clipStart } from '../../utils/clip_text';
import { decodeText } from '../text_codec';
import { compileGlob } from './glob';
import { isKeyFile } from './key_files';
import { walk } from './walk';

const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 100_000;
const MAX_LINE_UNITS = 300;
const LINES_PER_CHECK = 500;

export interface SearchLimits {
  signal: AbortSignal;
  /** Called between files and every 500 lines; true ends the search with the matches found so far. */
  isTimeUp: () => boolean;
  /** Files and directories to read at most; default 100,000. */
  maxEntries?: number;
}

type Tally = Extract<FileSearchOutcome, { kind: 'searched' }>;

/** Searches a tree. Rejects only with the signal's reason. */
export async function searchTree(workspace: Workspace, request: FileSearchRequest, limits: SearchLimits): Promise<FileSearchOutcome> {
  const expression = compileExpression(request);
  if (typeof expression === 'string') return { kind: 'bad_pattern', message: expression };
  const include = request.include === undefined ? undefined : compileGlob(request.include);
  if (request.include !== undefined && !include) return { kind: 'bad_pattern', message: 'include is not a valid file pattern.' };
  const tally: Tally = { kind: 'searched', matches: [], filesSearched: 0, filesSkipped: 0, ignored: 0, keyFiles: [] };
  const job: Job = { workspace, expression, tally, maxResults: request.maxResults, limits };
  try {
    if ((await workspace.stat(request.path)).kind === 'file') {
      await searchFile(job, workspace.relative(request.path));
      return tally;
    }
    const isWanted = (path: string) => !include || include.matches(request.include?.includes('/') ? path : posix.basename(path));
    await searchDirectory(job, request, isWanted);
    return tally;
  } catch (thrown) {
    if (thrown instanceof WorkspaceError) {
      const { code, message, messageZh } = thrown;
      return { kind: 'refused', code, message, messageZh };
    }
    throw thrown;
  }
}

interface Job {
  workspace: Workspace;
  expression: RE2JS;
  tally: Tally;
  maxResults: number;
  limits: SearchLimits;
}

function compileExpression({ pattern, literal, ignoreCase }: FileSearchRequest): RE2JS | string {
  try {
    return RE2JS.compile(literal ? RE2JS.quote(pattern) : pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'The pattern cannot be read.';
  }
}

async function searchDirectory(job: Job, request: FileSearchRequest, isWanted: (path: string) => boolean): Promise<void> {
  const { workspace, tally, limits } = job;
  const start = workspace.relative(request.path);
  const options = {
    maxEntries: limits.maxEntries ?? MAX_ENTRIES,
    maxDepth: Number.POSITIVE_INFINITY,
    includeIgnored: request.includeIgnored,
    signal: limits.signal,
  };
  const entries = walk(workspace, start, options);
  for (let next = await entries.next(); ; next = await entries.next()) {
    if (next.done) {
      if (next.value) tally.stopped = 'files';
      return;
    }
    if (limits.isTimeUp()) tally.stopped = 'time';
    if (tally.stopped) return;
    const { kind, size, path, isIgnored } = next.value;
    if (isIgnored && kind === 'directory') tally.ignored += 1;
    if (kind !== 'file' || !isWanted(path)) continue;
    if (isKeyFile(path)) {
      if (tally.keyFiles.length < MAX_NAMED_FILES) tally.keyFiles.push(posix.join(start, path));
      continue;
    }
    if (isIgnored) tally.ignored += 1;
    else if (size > MAX_SEARCHED_BYTES) tally.filesSkipped += 1;
    else await searchFile(job, posix.join(start, path)).catch(thrown => skipFile(thrown, tally));
  }
}

/** Skips a file that was removed, has grown or became unreadable after it was listed. */
function skipFile(thrown: unknown, tally: Tally): void {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
  tally.filesSkipped += 1;
}

async function searchFile({ workspace, expression, tally, maxResults, limits }: Job, path: string): Promise<void> {
  const decoded = decodeText(await workspace.readFile(path, { maxBytes: MAX_SEARCHED_BYTES }));
  if (decoded.kind !== 'text') {
    tally.filesSkipped += 1;
    return;
  }
  tally.filesSearched += 1;
  const { text } = decoded;
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    line += 1;
    const content = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    const found = matchOf(expression, content);
    if (found !== undefined) {
      if (tally.matches.length >= maxResults) {
        tally.stopped = 'results';
        return;
      }
      tally.matches.push({ path, line, text: around(content, found) } satisfies FileMatch);
    }
    if (line % LINES_PER_CHECK === 0 && limits.isTimeUp()) {
      tally.stopped = 'time';
      return;
    }
    start = end + 1;
  }
}

/** Returns the index of the first match. */
function matchOf(expression: RE2JS, line: string): number | undefined {
  if (!expression.test(line)) return undefined;
  const matcher = expression.matcher(line);
  return matcher.find() ? matcher.start() : undefined;
}

function around(line: string, at: number): string {
  if (line.length <= MAX_LINE_UNITS) return line;
  const start = Math.max(0, Math.min(at - 50, line.length - MAX_LINE_UNITS));
  const kept = clipStart(line.slice(start), MAX_LINE_UNITS);
  return `${start > 0 ? '...' : ''}${kept}${start + kept.length < line.length ? '...' : ''}`;
}
