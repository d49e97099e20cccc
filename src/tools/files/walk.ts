/** Walks a directory tree of the workspace, within limits. */
import { posix } from 'node:path';
import type { DirectoryEntry, Workspace } from '../../port/workspace';
import { WorkspaceError } from '../../port/workspace';
import { IGNORE_FILE, IgnoreRules, MAX_IGNORE_FILE_BYTES } from './ignore_rules';

/** Directories that programs keep for themselves; often large. */
const IGNORED_NAMES: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv', '.neta']);

export const isIgnoredName = (name: string): boolean => IGNORED_NAMES.has(name);

export interface WalkOptions {
  /** Entries to read before the walk ends. */
  maxEntries: number;
  /** Levels of directories to enter below the start; 0 lists the start alone. */
  maxDepth: number;
  /** Enters directories of the fixed names, and disregards .gitignore. */
  includeIgnored: boolean;
  /** Names that .gitignore does not hide, because the caller spelled them out. */
  namedEntries?: ReadonlySet<string>;
  signal: AbortSignal;
}

export interface WalkedEntry extends DirectoryEntry {
  /** Relative to the start. */
  path: string;
  /** True when a .gitignore names the entry. Such a directory is not entered. */
  isIgnored: boolean;
}

const MAX_DEPTH = 64;
/** .gitignore files that one walk reads; later ones have no effect. */
const MAX_IGNORE_FILES = 200;

/**
 * Yields entries in name order, a directory before its content; yields symlinks without following them. Returns true when maxEntries ended the
 * walk. Throws WorkspaceError for the start only; directories below it that cannot be read are skipped.
 */
export async function* walk(workspace: Workspace, start: string, options: WalkOptions): AsyncGenerator<WalkedEntry, boolean> {
  const root = workspace.relative(start);
  const reader = new IgnoreFileReader(workspace, options.includeIgnored);
  let left = options.maxEntries;
  const waiting: { entry: DirectoryEntry; path: string; rules: IgnoreRules }[] = [];
  const open = async (path: string, above: IgnoreRules): Promise<void> => {
    const directory = posix.join(root, path);
    const entries = await workspace.list(directory, { maxEntries: left + 1 });
    // A truncated listing may lack the .gitignore of the directory, so its rules are read in any case.
    const rules = entries.length > left || entries.some(isIgnoreFile) ? await reader.extend(above, directory) : above;
    for (const entry of entries.reverse()) waiting.push({ entry, path: posix.join(path, entry.name), rules });
  };
  await open('.', await reader.rulesAbove(root));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, rules } = next;
    options.signal.throwIfAborted();
    if (left === 0) return true;
    left -= 1;
    // Matching many rules takes time, so do it entry by entry: the caller checks its time limit in between.
    const isIgnored = !options.namedEntries?.has(next.entry.name) && rules.isIgnored(posix.join(root, path), next.entry.kind);
    const entry = { ...next.entry, path, isIgnored };
    yield entry;
    if (entry.kind !== 'directory' || entry.isIgnored || entry.path.split('/').length > Math.min(options.maxDepth, MAX_DEPTH)) continue;
    if (!options.includeIgnored && isIgnoredName(entry.name)) continue;
    await open(entry.path, reader.inside(rules, posix.join(root, entry.path))).catch(ignoreRefusal);
  }
  return false;
}

/** Git does not follow a symlinked .gitignore either. */
const isIgnoreFile = ({ name, kind, size }: DirectoryEntry): boolean =>
  name === IGNORE_FILE && kind === 'file' && size <= MAX_IGNORE_FILE_BYTES;

class IgnoreFileReader {
  private left = MAX_IGNORE_FILES;

  constructor(
    private readonly workspace: Workspace,
    private readonly isOff: boolean,
  ) {}

  /** Rules of the directories above the start. None when they hide the start: the caller named it. */
  async rulesAbove(start: string): Promise<IgnoreRules> {
    let rules = IgnoreRules.none;
    const names = start === '.' ? [] : start.split('/');
    for (const [depth] of names.entries()) {
      rules = await this.extend(rules, posix.join('.', ...names.slice(0, depth)));
      if (rules.isIgnored(names.slice(0, depth + 1).join('/'), 'directory')) return IgnoreRules.none;
    }
    return rules;
  }

  /** Rules inside a directory: none when the directory is ignored and the caller named it. */
  inside(rules: IgnoreRules, directory: string): IgnoreRules {
    return rules.isIgnored(directory, 'directory') ? IgnoreRules.none : rules;
  }

  /** Adds the rules of the directory's .gitignore, if it can be read. */
  async extend(rules: IgnoreRules, directory: string): Promise<IgnoreRules> {
    if (this.isOff || this.left === 0) return rules;
    this.left -= 1;
    try {
      const bytes = await this.workspace.readFile(posix.join(directory, IGNORE_FILE), { maxBytes: MAX_IGNORE_FILE_BYTES });
      return rules.extend(directory, Buffer.from(bytes).toString('utf8'));
    } catch (thrown) {
      ignoreRefusal(thrown);
      return rules;
    }
  }
}

/** Skips an entry that was removed or became unreadable during the walk. */
function ignoreRefusal(thrown: unknown): void {
  if (!(thrown instanceof WorkspaceError)) throw thrown;
}
