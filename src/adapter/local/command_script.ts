/** How a command is started: limits first, then the command in a shell of its own; for a terminal also the notes that it leaves behind. */
import { MAX_STATE_BYTES, type ShellLimits, type TerminalState } from '../../port/shell';
import { MARKER_NAME } from './process_tree';

export interface CommandScript {
  interpreter: '/bin/bash' | '/bin/sh';
  limits: Pick<ShellLimits, 'processes' | 'memoryBytes' | 'cpuSeconds' | 'fileBytes'>;
  /** In a user namespace of its own, where processes are counted apart from all others of the user. */
  sandboxed: boolean;
  command: string;
  variables?: TerminalState['variables'] | undefined;
}

/** Where the parent reads the notes of a terminal. */
export const NOTES_FD = 3;

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Belong to one process or one command. */
const OF_THE_COMMAND = new Set(['PWD', 'SHLVL', '_', MARKER_NAME]);
/** Between being asked to end for its processor time and being killed for it. */
const CPU_GRACE_SECONDS = 5;
const PROCESS_ROOM = 2;

/** Arguments for the interpreter. */
export function commandArguments(script: CommandScript): string[] {
  const { interpreter, command, variables } = script;
  const setLimits = limitScript(script);
  // One shell inside another: the outer joins stderr to stdout, so that their order is kept, and leaves no line of its own in the command.
  if (!variables) return ['-c', `${setLimits} exec "$0" -c "$1" 2>&1`, interpreter, command];
  // Scripts like to use the low numbers themselves; a plain sh has no others.
  const fd = interpreter === '/bin/bash' ? 198 : 9;
  // The variables are set here and not for the sandbox's own program, which a variable such as LD_PRELOAD would subvert from outside.
  const outer = `${setLimits} exec ${fd}>&${NOTES_FD} ${NOTES_FD}>&- 2>&1; c=$1 s=$2; shift 2; exec /usr/bin/env "$@" "$0" -c "$s" "$0" "$c"`;
  return ['-c', outer, interpreter, command, terminalScript(fd), ...environmentArguments(variables)];
}

/** What a terminal's notes say; undefined when they are not complete or too large. `initial`: what every command starts with. */
export function readNotes(notes: Buffer, initial: Readonly<Record<string, string>>): TerminalState | undefined {
  const [cwd, ...entries] = notes.toString('utf8').split('\0');
  // Every entry ends with a NUL, so the last part is empty when all of them came.
  if (!cwd || entries.pop() !== '' || notes.length > MAX_STATE_BYTES) return undefined;
  const found = new Map(entries.map(entry => splitEntry(entry)));
  const changed = [...found].filter(([name, value]) => isKept(name) && initial[name] !== value);
  const removed = Object.keys(initial).filter(name => isKept(name) && !found.has(name));
  return { cwd, variables: Object.fromEntries([...changed, ...removed.map(name => [name, null] as const)]) };
}

/** Limits that the machine already has lower cannot be raised, and need not be. */
function limitScript({ interpreter, limits, sandboxed }: CommandScript): string {
  const { processes, memoryBytes, cpuSeconds, fileBytes } = limits;
  const fileBlock = interpreter === '/bin/bash' ? 1024 : 512;
  const steps = [
    'ulimit -c 0',
    `ulimit -d ${Math.ceil(memoryBytes / 1024)}`,
    `ulimit -f ${Math.ceil(fileBytes / fileBlock)}`,
    `ulimit -Ht ${cpuSeconds + CPU_GRACE_SECONDS}`,
    `ulimit -St ${cpuSeconds}`,
    // Above the limit, so that who passes that is seen and ended; this keeps a burst small until then. It does not bind root.
    ...(sandboxed && interpreter === '/bin/bash' ? [`ulimit -u ${PROCESS_ROOM * processes}`] : []),
    // When the machine runs out of memory, this goes before the gateway does.
    'echo 1000 > /proc/self/oom_score_adj',
  ];
  return `{ ${steps.join('; ')}; } 2>/dev/null;`;
}

/**
 * Runs $1 and then writes directory and exported variables, also when the command ends by `exit`, and once only. What the command set for its own
 * shell (-e, -u, -x, IFS) changes nothing in what comes after it.
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

const isKept = (name: string): boolean => VARIABLE_NAME.test(name) && !OF_THE_COMMAND.has(name) && !name.startsWith('__neta_');
