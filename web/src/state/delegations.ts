/** Applies the events of delegation to the items of a turn. Pure. */
import type { ChildRunSummary } from '../api/rest_types';
import type { ApprovalItem, DelegateItem, RunEvent, TurnItem } from './view_types';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Adds a task of a member. The same child appears once, also when its start is reported again after a restart. */
export function startDelegation(items: readonly TurnItem[], { data, ts }: EventOf<'delegate_start'>): readonly TurnItem[] {
  if (items.some(item => isTaskOf(item, data.childRunId))) return items;
  const item: DelegateItem = { kind: 'delegate', id: data.childRunId, ...data, state: 'open', startedAt: ts };
  return [...items, item];
}

export function endDelegation(items: readonly TurnItem[], { data }: EventOf<'delegate_end'>): readonly TurnItem[] {
  const { childRunId, status, summary, usage, durationMs, error } = data;
  const end = { state: status, summary, usage, durationMs, error };
  return items.map(item => (isTaskOf(item, childRunId) ? { ...item, ...end } : item));
}

/** Builds a task from the member's run, for a turn whose events are no longer stored. */
export function toTask(run: ChildRunSummary): DelegateItem {
  const { runId, sessionId, agent, input = '', status, text, usage, error, createdAt, startedAt = createdAt, endedAt } = run;
  return {
    kind: 'delegate',
    id: runId,
    childRunId: runId,
    childSessionId: sessionId,
    member: agent,
    task: input,
    state: status === 'queued' || status === 'running' || status === 'waiting' ? 'open' : status,
    summary: text,
    startedAt,
    usage,
    error,
    durationMs: endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(startedAt),
  };
}

/** Puts stored tasks behind the latest of the calls that may have delegated them. */
export function addTasks(items: readonly TurnItem[], tasks: readonly DelegateItem[]): readonly TurnItem[] {
  const missing = tasks.filter(task => !items.some(item => isTaskOf(item, task.childRunId)));
  const call = items.findLastIndex(isDelegation);
  return items.toSpliced(call + 1, 0, ...missing);
}

/** Returns true for a call of a tool that delegates. Stored messages name the tool and nothing else. */
export function isDelegation(item: TurnItem): boolean {
  return item.kind === 'tool' && (item.name === 'delegate_task' || item.name === 'delegate_parallel');
}

/** Counts the tasks of running calls that no member has begun: only some of many tasks are worked on at the same time. */
export function countWaitingTasks(items: readonly TurnItem[]): number {
  const waiting = items.map(item => {
    if (item.kind !== 'tool' || item.state !== 'running' || !isOnTaskCard(item, items)) return 0;
    const tasks = typeof item.args === 'object' && item.args !== null && 'tasks' in item.args ? item.args.tasks : undefined;
    const started = items.filter(other => other.kind === 'delegate' && other.toolCallId === item.toolCallId).length;
    return Array.isArray(tasks) ? Math.max(0, tasks.length - started) : 0;
  });
  return waiting.reduce((sum, count) => sum + count, 0);
}

/** Returns the approvals that members ask for, and that stand on the cards of their tasks. */
export function approvalsOfMembers(items: readonly TurnItem[]): ApprovalItem[] {
  return items.filter((item): item is ApprovalItem => item.kind === 'approval' && hasTask(items, item));
}

/** Returns true when the card of a task already shows the item: the call that delegated it, or an approval of its member. */
export function isOnTaskCard(item: TurnItem, items: readonly TurnItem[]): boolean {
  if (item.kind === 'approval') return hasTask(items, item);
  return item.kind === 'tool' && items.some(other => other.kind === 'delegate' && other.toolCallId === item.toolCallId);
}

function hasTask(items: readonly TurnItem[], { childRunId }: ApprovalItem): boolean {
  return childRunId !== undefined && items.some(item => isTaskOf(item, childRunId));
}

function isTaskOf(item: TurnItem, childRunId: string): item is DelegateItem {
  return item.kind === 'delegate' && item.childRunId === childRunId;
}
