/** Arranges the items of a turn for the page. Pure. */
import { isQuiet, isShownAsPlan } from './activity';
import { wasAsked } from './approvals';
import { isOnTaskCard } from './delegations';
import type { ClarifyItem, DelegateItem, PlainItem, ReasoningItem, ToolItem, Turn, TurnItem } from './view_types';

/** Tools whose call shows as a question. */
const ASKING: ReadonlySet<string> = new Set(['clarify', 'escalate']);

/** Tasks that stand together are shown side by side. */
export type DelegateGroup = { kind: 'crew'; items: [DelegateItem, ...DelegateItem[]] };

/** Quiet calls in a row, with the thoughts between them; or one other call. */
export interface ActivityGroup {
  kind: 'activity';
  items: [ToolItem, ...(ToolItem | ReasoningItem)[]];
}

/** Questions that were open at the same time: one form answers them. */
export interface QuestionGroup {
  kind: 'questions';
  items: [ClarifyItem, ...ClarifyItem[]];
}

export type TurnGroup = Exclude<PlainItem, ToolItem> | DelegateGroup | ActivityGroup | QuestionGroup;

/**
 * Returns the visible items in order: neighbouring delegated tasks as one group, quiet work as one group, and questions that were open together as
 * one group. Each other call is a group of one.
 */
export function groupItems(turn: Turn): TurnGroup[] {
  const grouped: TurnGroup[] = [];
  for (const item of turn.items) {
    const last = grouped.at(-1);
    if (isRepeated(item, turn)) continue;
    if (item.kind === 'tool' && isQuiet(item)) foldCall(grouped, item);
    else if (item.kind === 'tool') grouped.push({ kind: 'activity', items: [item] });
    else if (item.kind === 'clarify') joinQuestion(grouped, item);
    else if (item.kind !== 'delegate') grouped.push(item);
    else if (last?.kind === 'crew') last.items.push(item);
    else grouped.push({ kind: 'crew', items: [item] });
  }
  return grouped;
}

/** Puts a question to the questions with which it was open. */
function joinQuestion(grouped: TurnGroup[], question: ClarifyItem): void {
  const isFirst = (group: TurnGroup) => group.kind === 'clarify' && group.requestId === question.askedWith;
  const index = grouped.findIndex(group => isFirst(group) || (group.kind === 'questions' && isFirst(group.items[0])));
  const found = grouped[index];
  if (found?.kind === 'questions') found.items.push(question);
  else if (found?.kind === 'clarify') grouped[index] = { kind: 'questions', items: [found, question] };
  else grouped.push(question);
}

/** Adds a quiet call to the quiet work before it; thoughts between the two join them. */
function foldCall(grouped: TurnGroup[], call: ToolItem): void {
  const index = grouped.findLastIndex(({ kind }) => kind !== 'reasoning');
  const last = grouped[index];
  if (last?.kind !== 'activity' || !isQuiet(last.items[0])) grouped.push({ kind: 'activity', items: [call] });
  else last.items.push(...(grouped.splice(index + 1) as ReasoningItem[]), call);
}

/** Questions, delegated tasks and the plan are shown in another place; their tool calls would repeat them. */
function isRepeated(item: TurnItem, turn: Turn): boolean {
  if (isOnTaskCard(item, turn.items)) return true;
  if (item.kind !== 'tool') return false;
  if (isShownAsPlan(item) || wasAsked(item, turn.items)) return true;
  return ASKING.has(item.name) && item.state !== 'failed' && turn.items.some(other => other.kind === 'clarify');
}
