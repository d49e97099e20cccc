/** Runs the commands of tools, in a sandbox where one works. */
import type { Bilingual } from '../utils/bilingual';

/** Limits of one command, for all its processes together unless stated otherwise. */
export interface ShellLimits {
  /** Processes and threads alive at once. They are counted at intervals, so a burst may exceed the limit for a moment before all are killed. */
  processes: number;
  /** Memory in bytes. The kernel limits each process; for all processes together it is measured at intervals, like `processes`. */
  memoryBytes: number;
  /** CPU time of one process, enforced by the kernel. */
  cpuSeconds: number;
  /** Size of a written file, enforced by the kernel. */
  fileBytes: number;
  /** Upper bound of ShellRequest.maxOutputBytes. */
  outputBytes: number;
  /** Upper bound of ShellRequest.timeoutMs. */
  timeMs: number;
}

/** State that a terminal keeps from one command to the next. */
export interface TerminalState {
  /** Absolute path inside the sandbox. */
  cwd: string;
  /** Exported variables that differ from the default environment; null: the variable was removed. */
  variables: Record<string, string | null>;
}

export interface ShellRequest {
  command: string;
  /** Absolute, inside the workspace. */
  cwd: string;
  timeoutMs: number;
  /** Bytes of stdout and stderr together that are kept. Twice as much output ends the command. */
  maxOutputBytes: number;
  signal: AbortSignal;
  /** Receives stdout and stderr while the command runs, decoded, in order, up to maxOutputBytes. */
  onOutput?: (chunk: string) => void;
  /** Language of the line that stands for missing output. Default: English. */
  locale?: keyof Bilingual;
  /** Present for a terminal: the variables of its state. The result then has the new state. */
  variables?: TerminalState['variables'];
}

export interface ShellResult {
  /** null when a signal ended the process. */
  exitCode: number | null;
  /** stdout and stderr in the order of arrival. */
  output: string;
  /** The middle of the output is missing. */
  truncated: boolean;
  /** Why the shell killed the command. */
  killed?: 'timeout' | 'aborted' | 'output_limit' | 'process_limit' | 'memory_limit';
  /** The kernel limit that ended the command. */
  limit?: 'cpu' | 'file_size';
  /** New state of the terminal. Absent when the command was killed or replaced the shell (exec), and when the state exceeds MAX_STATE_BYTES. */
  state?: TerminalState;
  durationMs: number;
}

/** Upper bound for the size of a terminal's state: its directory and the names and values of its variables. */
export const MAX_STATE_BYTES = 64 * 1024;

/** Sandbox of commands. `none`: they run as the user of the gateway, with its files and its network. */
export type SandboxKind = 'bubblewrap' | 'namespaces' | 'none';

/**
 * @example
 * import type { Shell } from './shell';
 *
 * // Runs a command in the workspace and shows its output while it runs.
 * export async function build(shell: Shell, cwd: string, signal: AbortSignal): Promise<boolean> {
 *   const { timeMs, outputBytes } = shell.limits;
 *   const request = { command: 'make', cwd, timeoutMs: timeMs, maxOutputBytes: outputBytes, signal };
 *   const { exitCode } = await shell.run({ ...request, onOutput: chunk => process.stdout.write(chunk) });
 *   return exitCode === 0;
 * }
 */
export interface Shell {
  /** The kind of sandbox. The start line, /info and /readyz show it. */
  readonly isolation: SandboxKind;
  /** True when the operator set NETA_SANDBOX=none. False with isolation `none`: no sandbox works on this machine. */
  readonly isUnsandboxedByChoice: boolean;
  /** Sentences for an operator: why no sandbox works on this machine, and how to get one. Absent with a sandbox, and when the operator wants none. */
  readonly sandboxProblem?: string;
  readonly limits: ShellLimits;
  /** True when this machine lets the shell measure processes and memory of a whole command. */
  readonly isWatched: boolean;
  /**
   * Resolves when every process of the command has ended: a failing, killed or aborted command is a result too. Rejects only when the shell
   * itself cannot be started.
   */
  run(request: ShellRequest): Promise<ShellResult>;
}
