/** Runs commands for tools. */

export interface ShellRequest {
  command: string;
  /** Absolute, inside the workspace. */
  cwd: string;
  timeoutMs: number;
  /** Bytes of combined output kept and delivered; past twice this the process is killed. */
  maxOutputBytes: number;
  signal: AbortSignal;
  /** stdout and stderr as they come, decoded, in order; stops at the cap. */
  onOutput?: (chunk: string) => void;
}

export interface ShellResult {
  /** null when the process was killed by a signal. */
  exitCode: number | null;
  /** stdout and stderr in the order they came. */
  output: string;
  truncated: boolean;
  /** Why the process was killed by us, if it was. */
  killed?: 'timeout' | 'aborted' | 'output_limit';
  durationMs: number;
}

export interface Shell {
  /** How commands are kept apart from the host: said at start, in readyz and in docs. */
  readonly isolation: 'bubblewrap' | 'process_group';
  /** Resolves when the whole process tree is dead. Rejects only when the shell itself cannot be started. */
  run(request: ShellRequest): Promise<ShellResult>;
}
