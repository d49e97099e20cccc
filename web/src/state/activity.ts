/** Tells quiet tool calls from calls that a person should see. Pure; docs/decisions/0115 says why. */
import type { ToolItem } from './view_types';

/** Tools that change files, memories, skills or jobs, or that ask somebody. Their calls stay visible. */
const VISIBLE: ReadonlySet<string> = new Set([
  ...['patch', 'write_file', 'file_write', 'file_delete', 'file_mkdir'],
  ...['cron', 'memory_save', 'memory_forget', 'skill_manage'],
  ...['clarify', 'escalate', 'delegate_task', 'delegate_parallel'],
]);

/** Programs that end with exit code 1 to say "nothing found", "different" or "no". */
const ASKING_PROGRAMS: ReadonlySet<string> = new Set(
  'grep egrep fgrep zgrep rg ag find diff cmp test [ [[ which type command pgrep cat head tail less ls stat file wc readlink'.split(' '),
);
/** Programs beside them that change nothing. */
const PASSIVE_PROGRAMS: ReadonlySet<string> = new Set('cd echo printf sort uniq cut tr sed awk xargs true pwd'.split(' '));

/** The plan is shown by the panel, so its calls have no card. A refused plan keeps its card. */
export function isShownAsPlan(call: ToolItem): boolean {
  return call.name === 'todo' && (call.state === 'ok' || call.state === 'ended' || call.state === 'running');
}

/** Returns true for a call that belongs into the line of quiet work. */
export function isQuiet(call: ToolItem): boolean {
  if (VISIBLE.has(call.name) || call.details?.['diff'] !== undefined) return false;
  return call.state === 'ok' || call.state === 'ended' || call.state === 'running' || isMiss(call);
}

/** Returns true for a failed call that only says no: a missing file, or a search that found nothing. */
export function isMiss({ state, name, args, details, result = '' }: ToolItem): boolean {
  if (state !== 'failed') return false;
  if (details?.['code'] === 'not_found') return true;
  const command = name === 'bash' || name === 'terminal' ? commandOf(args) : undefined;
  if (command === undefined || !onlyAsks(command)) return false;
  return details?.['exitCode'] === 1 || (details?.['exitCode'] === 2 && /No such file or directory/.test(result));
}

function commandOf(args: unknown): string | undefined {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined;
  return typeof command === 'string' ? command : undefined;
}

/** Returns true when each program of the command only asks, so that its exit code is an answer. */
function onlyAsks(command: string): boolean {
  const programs = command
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'text')
    .split(/\|\|?|&&|;|\n/)
    .map(part => part.trim().split(/\s+/)[0] ?? '')
    .filter(program => program !== '');
  return programs.some(isAsking) && programs.every(program => isAsking(program) || PASSIVE_PROGRAMS.has(program));
}

const isAsking = (program: string): boolean => ASKING_PROGRAMS.has(program);
