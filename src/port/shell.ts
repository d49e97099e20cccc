/** Runs commands for tools. */

/** What every command is held to, all its processes together unless said otherwise. */
export interface ShellLimits {
  /** Processes and threads alive at once. Watched: a burst may pass it for a moment before everything is killed. */
  processes: number;
  /** Of one process what the kernel lets it allocate; of all processes together watched, like `processes`. */
  memoryBytes: number;
  /** Processor time of one process, kept by the kernel. */
  cpuSeconds: number;
  /** Size of a file that is written, kept by the kernel. */
  fileBytes: number;
  /** The most of its output that a tool may ask to keep. */
  outputBytes: number;
  /** The longest time that a tool may give a command. */
  timeMs: number;
}

/** What a terminal remembers from one command to the next. */
export interface TerminalState {
  /** Absolute, as the commands see it. */
  cwd: string;
  /** Exported variables that differ from those every command starts with; null: one of those was removed. */
  variables: Record<string, string | null>;
}

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
  /** Present for a terminal: variables to start with, as a state has them. The result says what they have become. */
  variables?: TerminalState['variables'];
}

export interface ShellResult {
  /** null when the process was killed by a signal. */
  exitCode: number | null;
  /** stdout and stderr in the order they came. */
  output: string;
  truncated: boolean;
  /** Why the process was killed by us, if it was. */
  killed?: 'timeout' | 'aborted' | 'output_limit' | 'process_limit' | 'memory_limit';
  /** The kernel ended the command for this limit. */
  limit?: 'cpu' | 'file_size';
  /** Of a terminal, as the command left it; absent when it did not come that far (killed, replaced by exec) or is larger than MAX_STATE_BYTES. */
  state?: TerminalState;
  durationMs: number;
}

/** Names and values of a terminal's variables, and its directory. */
export const MAX_STATE_BYTES = 64 * 1024;

/** The sandbox that commands run in. `none`: they run as the user of the gateway, with its files and its network. */
export type SandboxKind = 'bubblewrap' | 'namespaces' | 'none';

export interface Shell {
  /** Shown at start, in /info, in /readyz and in docs. */
  readonly isolation: SandboxKind;
  /** The operator wrote NETA_SANDBOX=none. False with isolation `none`: no sandbox works on this machine. */
  readonly isUnsandboxedByChoice: boolean;
  readonly limits: ShellLimits;
  /** Whether processes and memory of a whole command can be watched here. */
  readonly isWatched: boolean;
  /** Resolves when the whole process tree is dead. Rejects only when the shell itself cannot be started. */
  run(request: ShellRequest): Promise<ShellResult>;
}
