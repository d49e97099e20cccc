/** Searches file contents and lists files of the workspace, without blocking the event loop. */
import type { FileStat, WorkspaceError } from './workspace';

export interface FileSearchRequest {
  /** RE2 syntax, or plain text when `literal`. */
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** File or directory, absolute inside the workspace or relative to it. */
  path: string;
  /** Glob for the path of a file below `path`, or for its name alone when the glob has no slash. */
  include?: string;
  /** Also search files that .gitignore names, .git, node_modules and other folders that are skipped by default. */
  includeIgnored: boolean;
  maxResults: number;
}

/** Most key files that an outcome names. */
export const MAX_NAMED_FILES = 20;

export interface FileMatch {
  /** Relative to the workspace. */
  path: string;
  /** Counted from 1. */
  line: number;
  /** Text of the line; a long line is truncated around the match. */
  text: string;
}

export type FileSearchOutcome =
  | {
      kind: 'searched';
      matches: FileMatch[];
      filesSearched: number;
      /** Number of files left out because they are binary or too large. */
      filesSkipped: number;
      /** Number of files and directories left out because a .gitignore names them; a directory counts as one, whatever it holds. */
      ignored: number;
      /** Files left out because their names are usual for keys or passwords; at most MAX_NAMED_FILES. */
      keyFiles: string[];
      /** The limit that ended the search early. */
      stopped?: 'results' | 'time' | 'files';
    }
  | { kind: 'bad_pattern'; message: string }
  /** The workspace refused the path. */
  | { kind: 'refused'; code: WorkspaceError['code']; message: string; messageZh: string }
  /** The search exceeded its time or memory limit and was terminated. */
  | { kind: 'overrun'; by: 'time' | 'memory' };

export interface FileListRequest {
  /** Directory, absolute inside the workspace or relative to it. */
  path: string;
  /** Glob for paths relative to the directory. An entry whose name the pattern spells out is listed even when .gitignore names it. */
  pattern: string;
  /** Also list files that .gitignore names, and enter .git, node_modules and the like. */
  includeIgnored: boolean;
  maxResults: number;
}

export type FileListOutcome =
  | {
      kind: 'listed';
      /** Paths relative to the directory. */
      entries: { path: string; kind: FileStat['kind']; size: number }[];
      /** Number of matching files left out because a .gitignore names them. Ignored directories are listed, but not entered. */
      ignored: number;
      /** False when there are more entries than maxResults. */
      isComplete: boolean;
    }
  | { kind: 'bad_pattern' }
  /** The workspace refused the path. */
  | { kind: 'refused'; code: WorkspaceError['code']; message: string; messageZh: string }
  /** The search exceeded its time or memory limit and was terminated. */
  | { kind: 'overrun'; by: 'time' | 'memory' };

/**
 * @example
 * import type { FileSearch } from './file_search';
 *
 * // Lists the files that hold a word.
 * export async function filesWith(search: FileSearch, word: string, signal: AbortSignal): Promise<string[]> {
 *   const request = { pattern: word, literal: true, ignoreCase: false, path: '.', includeIgnored: false, maxResults: 100 };
 *   const outcome = await search.search(request, signal);
 *   return outcome.kind === 'searched' ? [...new Set(outcome.matches.map(match => match.path))] : [];
 * }
 */
export interface FileSearch {
  /** Resolves with every other failure as an outcome. Rejects with the signal's reason when it aborts, or when no worker thread can be started. */
  search(request: FileSearchRequest, signal: AbortSignal): Promise<FileSearchOutcome>;
  /** Lists files. Rejects as search does. */
  list(request: FileListRequest, signal: AbortSignal): Promise<FileListOutcome>;
  /** Terminates the running searches and rejects them. */
  close(): Promise<void>;
}
