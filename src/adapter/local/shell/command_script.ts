/** Builds the script that starts a command: sets limits, then runs the command in its own shell. A terminal also writes its state to NOTES_FD. */
import { MAX_STATE_BYTES, type ShellLimits, type TerminalState } from '../../../port/shell';
import { MARKER_NAME } from '../processes/process_tree';

export interface CommandScript {
  interpreter: '/bin/bash' | '/bin/sh';
  limits: Pick<ShellLimits, 'processes' | 'memoryBytes' | 'cpuSeconds' | 'fileBytes'>;
  /** Runs in its own user namespace, where `ulimit -u` counts only its own processes. */
  sandboxed: boolean;
  command: string;
  variables?: TerminalState['variables'] | undefined;
}

/** Descriptor on which a terminal writes its state to the parent. */
export const NOTES_FD = 3;

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables of a single process or command, which the terminal does not keep. */
const TRANSIENT_VARIABLES = new Set(['PWD', 'SHLVL', '_', MARKER_NAME]);
/** Seconds between SIGXCPU and SIGKILL when the CPU time is used up. */
const CPU_GRACE_SECONDS = 5;
const PROCESS_ROOM = 2;

/** Returns the arguments of the interpreter. */
export function commandArguments(script: CommandScript): string[] {
  const { interpreter, command, variables } = script;
  const setLimits = limitScript(script);
  // The outer shell joins stderr to stdout, which keeps their order; the inner shell sees only the command.
  if (!variables) return ['-c', `${setLimits} exec "$0" -c "$1" 2>&1`, interpreter, command];
  // Scripts often use low descriptors themselves; a plain sh has low descriptors only.
  const fd = interpreter === '/bin/bash' ? 198 : 9;
  // Set the variables here, not for the sandbox's own program: a variable such as LD_PRELOAD would subvert that from outside.
  const outer = `${setLimits} exec ${fd}>&${NOTES_FD} ${NOTES_FD}>&- 2>&1; c=$1 s=$2; shift 2; exec /usr/bin/env "$@" "$0" -c "$s" "$0" "$c"`;
  return ['-c', outer, interpreter, command, terminalScript(fd), ...environmentArguments(variables)];
}

/** Decodes the state that a terminal wrote; undefined when it is incomplete or too large. `initial`: the environment of every command. */
export function readNotes(notes: Buffer, initial: Readonly<Record<string, string>>): TerminalState | undefined {
  const [cwd, ...entries] = notes.toString('utf8').split('\0');
  // Every entry ends with a NUL, so the last element is empty when the state is complete.
  if (!cwd || entries.pop() !== '' || notes.length > MAX_STATE_BYTES) return undefined;
  const found = new Map(entries.map(entry => splitEntry(entry)));
  const changed = [...found].filter(([name, value]) => isKept(name) && initial[name] !== value);
  const removed = Object.keys(initial).filter(name => isKept(name) && !found.has(name));
  return { cwd, variables: Object.fromEntries([...changed, ...removed.map(name => [name, null] as const)]) };
}

/** Returns the commands that set the limits; `cpuSeconds` may be Infinity. Errors are ignored: a limit that the machine already sets lower cannot be raised, and need not be. */
export function limitScript({ interpreter, limits, sandboxed }: Pick<CommandScript, 'interpreter' | 'limits' | 'sandboxed'>): string {
  const { processes, memoryBytes, cpuSeconds, fileBytes } = limits;
  const fileBlock = interpreter === '/bin/bash' ? 1024 : 512;
  const steps = [
    'ulimit -c 0',
    `ulimit -d ${Math.ceil(memoryBytes / 1024)}`,
    `ulimit -f ${Math.ceil(fileBytes / fileBlock)}`,
    ...(Number.isFinite(cpuSeconds) ? [`ulimit -Ht ${cpuSeconds + CPU_GRACE_SECONDS}`, `ulimit -St ${cpuSeconds}`] : []),
    // Twice the limit: CommandWatch ends the command at the limit, and this bounds a burst until then. Root is not bound by it.
    ...(sandboxed && interpreter === '/bin/bash' ? [`ulimit -u ${PROCESS_ROOM * processes}`] : []),
    // The kernel kills the command before the gateway when memory runs out.
    'echo 1000 > /proc/self/oom_score_adj',
  ];
  return `{ ${steps.join('; ')}; } 2>/dev/null;`;
}

/**
 * Runs $1 and then writes directory and exported variables, once, also when the command calls `exit`. Shell options of the command (-e, -u, -x,
 * IFS) do not affect the part after it.
 */
function terminalScript(fd: number): string {
  return [
    `__neta_note() { [ "\${__neta_noted-}" ] && return; __neta_noted=1; { printf '%s\\0' "$PWD"; /usr/bin/env -0; } >&${fd}; } 2>/dev/null`,
    "trap '{ set +aeux; } 2>/dev/null; __neta_note' EXIT",
    '__neta_command=$1; shift',
    'eval "$__neta_command"',
    '{ __neta_code=$?; set +aeux; } 2>/dev/null; __neta_note; exit "$__neta_code"',
  ].join('\n');
}

function environmentArguments(variables: TerminalState['variables']): string[] {
  const entries = Object.entries(variables).filter(([name]) => isKept(name));
  const removed = entries.flatMap(([name, value]) => (value === null ? ['-u', name] : []));
  return [...removed, ...entries.flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`))];
}

function splitEntry(entry: string): [name: string, value: string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

const isKept = (name: string): boolean => VARIABLE_NAME.test(name) && !TRANSIENT_VARIABLES.has(name) && !name.startsWith('__neta_');
