/** Pairs approvals with the calls that they decided about. Pure. A model may use the id of a call again, so the order counts too. */
import type { ApprovalItem, ToolItem, TurnItem } from './view_types';

/** Returns the call that began after its approval was decided, if it has begun. */
export function callOf(approval: ApprovalItem, items: readonly TurnItem[]): ToolItem | undefined {
  if (!isOwn(approval)) return undefined;
  const after = items.slice(items.indexOf(approval) + 1);
  return after.find((item): item is ToolItem => item.kind === 'tool' && item.toolCallId === approval.toolCallId);
}

/** Returns true when an approval decided about the call. The card of the approval then shows the call. */
export function wasAsked(call: ToolItem, items: readonly TurnItem[]): boolean {
  return items.some(item => item.kind === 'approval' && callOf(item, items) === call);
}

/** An approval that a crew member asked for belongs to a call of the member's run. */
const isOwn = ({ childRunId }: ApprovalItem): boolean => childRunId === undefined;
