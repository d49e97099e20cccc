/** Tells quiet tool calls from calls that a person should see. Pure; docs/decisions/0115 says why. */
import { appOf } from './app_call';
import type { ToolItem } from './view_types';

/** Tools that change files, memories, skills or jobs, or that ask a person. Their calls stay visible, and their failures are failures. */
const VISIBLE: ReadonlySet<string> = new Set([
  ...['patch', 'write_file', 'file_write', 'file_delete', 'file_mkdir'],
  ...['cron', 'memory_save', 'memory_forget', 'skill_manage'],
  ...['clarify', 'escalate', 'delegate_task', 'delegate_parallel'],
]);

/** Programs that end with exit code 1 to say "nothing found", "different" or "no". */
const ASKING_PROGRAMS: ReadonlySet<string> = new Set(
  'grep egrep fgrep zgrep rg ag find diff cmp test [ [[ which type command pgrep cat head tail less ls stat file wc readlink'.split(' '),
);
/** Programs beside them that neither change a file nor start another program. */
const PASSIVE_PROGRAMS: ReadonlySet<string> = new Set('cd echo printf sort uniq cut tr true pwd'.split(' '));
/** Arguments with which such a program changes files or starts another program. */
const CHANGING_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  find: /\s-(?:exec|ok|delete|fprint|fls)/,
  sort: /\s(?:-\w*o|--o|--compress)/,
  uniq: /\s[^-\s]/,
  rg: /\s--(?:pre|hostname-bin)/,
  ag: /\s--pager/,
  less: /\s(?:-\w*o|--log|\+)/i,
  file: /\s(?:-\w*C|--compile)/,
  // Without -v or -V, `command` runs the program that it names.
  command: /^command\s+(?!-[vV]\s)/,
};
/** Texts of a program that could not do its work. */
const BROKEN = /permission denied|operation not permitted|no space left|read-only file system|input\/output error|cannot allocate/i;

/** The plan is shown by the panel, so its calls have no card. A refused plan keeps its card. */
export function isShownAsPlan(call: ToolItem): boolean {
  return call.name === 'todo' && (call.state === 'ok' || call.state === 'ended' || call.state === 'running');
}

/** Returns true for a call that belongs into the line of quiet work. */
export function isQuiet(call: ToolItem): boolean {
  if (VISIBLE.has(call.name) || call.details?.['diff'] !== undefined || appOf(call)) return false;
  return call.state === 'ok' || call.state === 'ended' || call.state === 'running' || isMiss(call);
}

/** Returns true for a failed call that only says no: a missing file, or a search that found nothing. */
export function isMiss({ state, name, args, details, result = '' }: ToolItem): boolean {
  if (state !== 'failed' || VISIBLE.has(name)) return false;
  if (details?.['code'] === 'not_found') return true;
  const command = name === 'bash' || name === 'terminal' ? commandOf(args) : undefined;
  if (command === undefined || BROKEN.test(result) || !onlyAsks(command)) return false;
  return details?.['exitCode'] === 1 || (details?.['exitCode'] === 2 && /No such file or directory/.test(result));
}

function commandOf(args: unknown): string | undefined {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined;
  return typeof command === 'string' ? command : undefined;
}

/** Returns true when each program of the command only asks, so that its exit code is an answer. A doubtful command does not only ask. */
function onlyAsks(command: string): boolean {
  const words = command
    .replaceAll(/'([^']*)'/g, (_quoted, text: string) => wordFor(text))
    // Inside double quotes, a shell still runs the programs of `$(...)`.
    .replaceAll(/"((?:\\.|[^"\\])*)"/g, (quoted, text: string) => (RUNS_INSIDE.test(text) ? quoted : wordFor(text)))
    .replaceAll(/\\\r?\n/g, ' ')
    .replaceAll(HARMLESS_REDIRECTION, ' ');
  if (RUNS_INSIDE.test(words) || /[<>]/.test(words)) return false;
  const calls = words
    .split(/\|\|?|&&?|;|\n/)
    .map(part => part.trim())
    .filter(part => part !== '');
  const programs = calls.map(call => call.split(/\s+/)[0] ?? '');
  return (
    programs.some(isAsking) && programs.every(isHarmless) && calls.every((call, i) => !CHANGING_ARGUMENTS[programs[i] ?? '']?.test(call))
  );
}

/** Programs that a shell runs inside a word. */
const RUNS_INSIDE = /\$\(|`/;
/** Redirections that write no file: to /dev/null, to another output, and from a file. */
const HARMLESS_REDIRECTION = /(?:\d|&)?>>?\s*\/dev\/null(?![\w/.])|\d?>&\d(?![\w/.])|<\s*[\w./-]+/g;

/** Returns a word in the place of a quoted text: an argument such as "-delete" stays what it is. */
const wordFor = (text: string): string => (/^-[\w-]+$/.test(text) ? text : 'text');

const isAsking = (program: string): boolean => ASKING_PROGRAMS.has(program);
const isHarmless = (program: string): boolean => isAsking(program) || PASSIVE_PROGRAMS.has(program);
