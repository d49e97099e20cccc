/** Says what a tool call does, in one line for lists and for the audit log. */
import { clipStart } from './clip_text';

const MAX_COMMAND = 200;
/** Arguments that say by themselves what a call does. */
const TELLING = ['command', 'path', 'url', 'query', 'question', 'task'] as const;

/** Returns the command of a call, or its most telling argument; without one, all arguments as JSON. */
export function commandOf({ args, command }: { args: unknown; command?: string }): string {
  const fields: Record<string, unknown> = typeof args === 'object' && args !== null ? { ...args } : {};
  const telling = TELLING.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
  const text = command ?? telling ?? JSON.stringify(args) ?? '';
  return clipStart(String(text).replaceAll(/\s+/g, ' ').trim(), MAX_COMMAND);
}
