/** Searches the files of the workspace by what they contain, away from the event loop. */
import type { FileStat, WorkspaceError } from './workspace';

export interface FileSearchRequest {
  /** RE2 syntax, or plain text when `literal`. */
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** File or directory, absolute inside the workspace or relative to it. */
  path: string;
  /** Glob that the path of a file below `path`, or its name alone when the glob has no slash, must match. */
  include?: string;
  /** Also searches what .gitignore names, and .git, node_modules and the like. */
  includeIgnored: boolean;
  maxResults: number;
}

export const MAX_NAMED_FILES = 20;

export interface FileMatch {
  /** Relative to the workspace. */
  path: string;
  /** Counted from 1. */
  line: number;
  /** The line, clipped around the match when it is long. */
  text: string;
}

export type FileSearchOutcome =
  | {
      kind: 'searched';
      matches: FileMatch[];
      filesSearched: number;
      /** Files left out because they are not text, or too large. */
      filesSkipped: number;
      /** Files and directories left out because a .gitignore names them; a directory counts as one. */
      ignored: number;
      /** Files left out because they usually hold keys or passwords, the first MAX_NAMED_FILES of them. */
      keyFiles: string[];
      /** Why the search ended early, when it did. */
      stopped?: 'results' | 'time' | 'files';
    }
  | { kind: 'bad_pattern'; message: string }
  /** The workspace refused the path. */
  | { kind: 'refused'; code: WorkspaceError['code']; message: string }
  /** Ended by force. */
  | { kind: 'overrun'; by: 'time' | 'memory' };

export interface FileListRequest {
  /** Directory, absolute inside the workspace or relative to it. */
  path: string;
  /** Glob for paths relative to it. An entry whose name it spells out is not ignored. */
  pattern: string;
  /** Also lists what .gitignore names, and enters .git, node_modules and the like. */
  includeIgnored: boolean;
  maxResults: number;
}

export type FileListOutcome =
  | {
      kind: 'listed';
      /** Paths relative to the directory. */
      entries: { path: string; kind: FileStat['kind']; size: number }[];
      /** Files that match but are left out because a .gitignore names them. Ignored directories are listed, but not entered. */
      ignored: number;
      isComplete: boolean;
    }
  | { kind: 'bad_pattern' }
  /** The workspace refused the path. */
  | { kind: 'refused'; code: WorkspaceError['code']; message: string }
  /** Ended by force. */
  | { kind: 'overrun'; by: 'time' | 'memory' };

export interface FileSearch {
  /** Rejects only with the signal's reason, or when no thread can be started. */
  search(request: FileSearchRequest, signal: AbortSignal): Promise<FileSearchOutcome>;
  /** As search. */
  list(request: FileListRequest, signal: AbortSignal): Promise<FileListOutcome>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
