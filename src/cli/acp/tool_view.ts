/** Shows tool calls as an editor expects them: kind, title, files and diffs. */
import { isAbsolute, join } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  file_read: 'read',
  file_exists: 'read',
  list_dir: 'read',
  file_list: 'read',
  read_skill: 'read',
  read_skill_file: 'read',
  search: 'search',
  session_search: 'search',
  memory_recall: 'search',
  web_search: 'search',
  patch: 'edit',
  write_file: 'edit',
  file_write: 'edit',
  file_mkdir: 'edit',
  file_delete: 'delete',
  bash: 'execute',
  terminal: 'execute',
  calculator: 'execute',
  fetch_page: 'fetch',
  crawl_batch: 'fetch',
  get_weather: 'fetch',
  todo: 'think',
};

/** The arguments that say best what a call is about. */
const TELLING_ARGUMENTS = ['path', 'command', 'query', 'pattern', 'url', 'expression'];
const MAX_TITLE = 120;

export interface ShownCall {
  name: string;
  label: string;
  args: unknown;
}

export const kindOf = (name: string): ToolKind => KINDS[name] ?? 'other';

/** Returns the label of the tool with the argument that says most, in one line. */
export function titleOf({ label, args }: ShownCall): string {
  const given = argumentsOf(args);
  const detail = TELLING_ARGUMENTS.map(name => given[name]).find(value => typeof value === 'string');
  const title = detail === undefined ? label : `${label}: ${String(detail).replaceAll(/\s+/g, ' ')}`;
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE)}…`;
}

/** Returns the files that the arguments name. `root`: the folder of the workspace, because editors take absolute paths alone. */
export function locationsOf({ args }: ShownCall, root: string): ToolCallLocation[] {
  const { path } = argumentsOf(args);
  return typeof path === 'string' && path !== '' ? [{ path: absolute(path, root) }] : [];
}

/** Returns a diff for each changed place of a unified diff. Lines that are no lines of a diff, such as a note that it is truncated, are left out. */
export function diffsOf(unified: string, root: string): ToolCallContent[] {
  const diffs: ToolCallContent[] = [];
  let path = '';
  let place: { old: string[]; written: string[]; isNew: boolean } | undefined;
  const close = () => {
    if (!place) return;
    const { old, written, isNew } = place;
    diffs.push({ type: 'diff', path: absolute(path, root), oldText: isNew ? null : old.join('\n'), newText: written.join('\n') });
    place = undefined;
  };
  for (const line of unified.split('\n')) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    if (hunk) {
      close();
      place = { old: [], written: [], isNew: hunk[1] === '0' && hunk[2] === '0' };
    } else if (!place) {
      if (line.startsWith('+++ b/')) path = line.slice('+++ b/'.length);
    } else {
      if (line.startsWith(' ') || line.startsWith('-')) place.old.push(line.slice(1));
      if (line.startsWith(' ') || line.startsWith('+')) place.written.push(line.slice(1));
    }
  }
  close();
  return diffs;
}

export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });

const absolute = (path: string, root: string): string => (isAbsolute(path) ? path : join(root, path));

const argumentsOf = (args: unknown): Record<string, unknown> =>
  typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
