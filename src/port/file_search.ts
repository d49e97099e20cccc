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
  /** Also looks into .git, node_modules and the like. */
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
      /** Files left out because they are no text, or too large. */
      filesSkipped: number;
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
  /** Glob for paths relative to it. */
  pattern: string;
  maxResults: number;
}

export type FileListOutcome =
  | {
      kind: 'listed';
      /** Paths relative to the directory. */
      entries: { path: string; kind: FileStat['kind']; size: number }[];
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
