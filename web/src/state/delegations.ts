/** Applies the events of delegation to the items of a turn. Pure. */
import type { DelegateItem, TerminalStatus, TurnItem, Usage } from './view_types';

/** `summary` is the member's last answer, or what it has when its run was cut. */
export type DelegateEvent =
  | { type: 'delegate_start'; ts: string; data: { childRunId: string; childSessionId: string; member: string; task: string } }
  | { type: 'delegate_end'; ts: string; data: { childRunId: string; status: TerminalStatus; summary: string; usage?: Usage } };

export function isDelegateEvent(event: { type: string }): event is DelegateEvent {
  return event.type === 'delegate_start' || event.type === 'delegate_end';
}

/** Adds or ends a task of a member. The same child appears once, also when its start is reported again after a restart. */
export function applyDelegation(items: readonly TurnItem[], { type, data, ts }: DelegateEvent): readonly TurnItem[] {
  const index = items.findIndex(item => item.kind === 'delegate' && item.childRunId === data.childRunId);
  const known = items[index];
  if (type === 'delegate_start') {
    const { childRunId, childSessionId, member, task } = data;
    const item: DelegateItem = { kind: 'delegate', id: childRunId, childRunId, childSessionId, member, task, state: 'open', startedAt: ts };
    return known ? items : [...items, item];
  }
  if (known?.kind !== 'delegate') return items;
  const { status, summary, usage } = data;
  return items.with(index, { ...known, state: status, summary, endedAt: ts, ...(usage && { usage }) });
}
