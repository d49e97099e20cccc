/** Runs the programs of manifest tools as processes of their own, in the sandbox of commands where there is one. */

export type ToolRuntime = 'python' | 'javascript' | 'native';

export interface ToolEntryPoint {
  runtime: ToolRuntime;
  /** A path relative to `folder`; for `native` also an absolute path or a command of PATH. */
  entry: string;
  args: readonly string[];
  /** Absolute path of the manifest's folder. */
  folder: string;
}

/** A program that can be started. */
export interface ToolProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Directories that the process can read besides the workspace. */
  readonly readable: readonly string[];
  /** A text that changes with the entry file. */
  readonly version: string;
}

/** The reason why a program cannot be started: a clause without a full stop, and the field of the manifest that it is about. */
export interface ProgramProblem {
  readonly field: '/runtime' | '/entry';
  readonly problem: string;
}

export interface ToolProcessRequest {
  program: ToolProgram;
  /** Real path of the workspace in which the process starts. In a sandbox the process sees no other workspace. */
  workspace: string;
  /** The process may use the network of this machine. Without a sandbox every process can. */
  network: boolean;
  /** Absolute paths of directories that the process may read, or read and write, besides the workspace. */
  readable?: readonly string[];
  writable?: readonly string[];
  /** Memory of all processes of the program together. Default and upper bound: the limit of a command. */
  memoryBytes?: number;
  /** The process lives on between calls, so its processes and memory are measured every few seconds only. */
  isLasting?: boolean;
  /** Ends the process with all its descendants. */
  signal: AbortSignal;
  /** Receives each line of stdout, without its end. */
  onLine: (line: string) => void;
  /** Receives stderr, decoded. */
  onErrorOutput: (text: string) => void;
}

export interface ToolProcessEnd {
  /** null when a signal ended the process. */
  exitCode: number | null;
  /** The reason for which the gateway killed the process. */
  killed?: 'timeout' | 'aborted' | 'output_limit' | 'process_limit' | 'memory_limit';
  /** The kernel limit that ended the process. */
  limit?: 'cpu' | 'file_size';
}

export interface ToolProcess {
  /** Writes one line to stdin. The line is lost when the process does not read it. */
  writeLine(line: string): void;
  closeInput(): void;
  /** Starts the count of output anew; 16 MiB of stdout end the process. */
  renewOutputLimit(): void;
  /** Resolves when the process and all its descendants are dead. */
  readonly ended: Promise<ToolProcessEnd>;
}

/**
 * @example
 * import type { ToolProcesses } from './tool_processes';
 *
 * // No program can be started, for tests of other parts.
 * export const noProcesses: ToolProcesses = {
 *   isSandboxed: false,
 *   memoryBytes: 0,
 *   findProgram: async () => ({ field: '/runtime', problem: 'this gateway starts no programs' }),
 *   findDirectoryProblem: async () => undefined,
 *   start: async () => {
 *     throw new Error('This gateway starts no programs.');
 *   },
 * };
 */
export interface ToolProcesses {
  readonly isSandboxed: boolean;
  /** Upper bound of ToolProcessRequest.memoryBytes. */
  readonly memoryBytes: number;
  findProgram(entryPoint: ToolEntryPoint): Promise<ToolProgram | ProgramProblem>;
  /** Resolves with a clause such as `does not exist` when no tool can have this directory; undefined when one can. */
  findDirectoryProblem(path: string): Promise<string | undefined>;
  /** Starts a process. Rejects when it cannot be started. */
  start(request: ToolProcessRequest): Promise<ToolProcess>;
}
