/** Arranges the items of a turn for the page. Pure. */
import { isOnTaskCard } from './delegations';
import type { DelegateItem, PlainItem, Turn, TurnItem } from './view_types';

/** Tools whose call shows as a question. */
const ASKING: ReadonlySet<string> = new Set(['clarify', 'escalate']);

/** Tasks that stand together are shown side by side. */
export type DelegateGroup = [DelegateItem, ...DelegateItem[]];

/** Returns the visible items in order, with neighbouring delegated tasks as one group. */
export function groupItems(turn: Turn): (PlainItem | DelegateGroup)[] {
  const grouped: (PlainItem | DelegateGroup)[] = [];
  for (const item of turn.items) {
    const last = grouped.at(-1);
    if (isRepeated(item, turn)) continue;
    if (item.kind !== 'delegate') grouped.push(item);
    else if (Array.isArray(last)) last.push(item);
    else grouped.push([item]);
  }
  return grouped;
}

/** Questions and delegated tasks have cards of their own; their tool calls would repeat them. */
function isRepeated(item: TurnItem, turn: Turn): boolean {
  if (isOnTaskCard(item, turn.items)) return true;
  const isQuestion = item.kind === 'tool' && ASKING.has(item.name) && item.state !== 'failed';
  return isQuestion && turn.items.some(other => other.kind === 'clarify');
}
