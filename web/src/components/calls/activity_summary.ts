/** Says in words and numbers what quiet tool calls did. */
import type { Messages } from '../../i18n/messages';
import { isMiss } from '../../state/activity';
import type { ToolItem } from '../../state/view_types';
import { labelOf } from './tool_label';

type Kind = keyof Messages['activity'];

const KINDS: Readonly<Record<string, Kind>> = {
  read_file: 'read',
  file_read: 'read',
  list_dir: 'list',
  file_list: 'list',
  file_exists: 'list',
  search: 'search',
  bash: 'command',
  terminal: 'command',
  fetch_page: 'page',
  crawl_batch: 'page',
  web_search: 'web',
  memory_recall: 'recall',
  session_search: 'recall',
  read_skill: 'skill',
  read_skill_file: 'skill',
};

/** Returns a line such as "Read 12 files, ran 3 commands". Kinds stand in the order of their first call. */
export function summarizeActivity(calls: readonly ToolItem[], messages: Messages): string {
  const kinds = [...new Set(calls.map(kindOf))];
  const grouped = kinds.map(kind => [kind, calls.filter(call => kindOf(call) === kind)] as const);
  const parts = grouped.map(([kind, group]) =>
    kind === 'other' ? otherTools(group, messages) : messages.activity[kind](countOf(kind, group)),
  );
  const text = parts.join(messages.listSeparator);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const kindOf = ({ name }: ToolItem): Kind => KINDS[name] ?? 'other';

/** Counts files once, however many of their parts were read; counts other calls. */
function countOf(kind: Kind, calls: readonly ToolItem[]): number {
  if (kind !== 'read' && kind !== 'list') return calls.length;
  return new Set(calls.map(({ args }) => (typeof args === 'object' && args !== null && 'path' in args ? args.path : '.'))).size;
}

function otherTools(calls: readonly ToolItem[], messages: Messages): string {
  const [first] = calls;
  const isOne = calls.every(({ name }) => name === first?.name);
  return isOne && first
    ? messages.activityNamed(labelOf(first, messages), calls.length)
    : messages.activity.other(new Set(calls.map(({ name }) => name)).size);
}

/** Returns the number of calls that found nothing. */
export const countMisses = (calls: readonly ToolItem[]): number => calls.filter(isMiss).length;

/** Returns the time from the first start to the last end in milliseconds; undefined while the times are not loaded. */
export function spanOf(calls: readonly ToolItem[]): number | undefined {
  const spans = calls.flatMap(({ startedAt, durationMs }) =>
    startedAt && durationMs !== undefined ? [[Date.parse(startedAt), durationMs] as const] : [],
  );
  if (spans.length === 0) return undefined;
  return Math.max(...spans.map(([start, duration]) => start + duration)) - Math.min(...spans.map(([start]) => start));
}
