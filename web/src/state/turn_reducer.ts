/** Applies events of one run to its turn. Pure: the same events give the same turn, live, replayed or loaded later. */
import { fileAddress, imageAddress } from '../api/attachment_address';
import { endDelegation, startDelegation } from './delegations';
import {
  type ApprovalData,
  type ClarificationData,
  isOpenQuestion,
  type RunEvent,
  type TextItem,
  type ToolItem,
  type ToolState,
  type Turn,
  type TurnItem,
} from './view_types';

/** Number of latest characters of live tool output to keep. The result holds the rest. */
export const MAX_LIVE_OUTPUT = 20_000;

/** Creates the turn of a run of which only the id is known. */
export function createTurn(runId: string, input: string): Turn {
  return { key: runId, runId, input, state: 'queued', lastSeq: 0, items: [], segmentStart: 0 };
}

/**
 * Returns the turn after the event. The caller has checked that `event.seq` is the next one. An unknown event type only advances the
 * cursor.
 */
export function applyEvent(turn: Turn, event: RunEvent): Turn {
  return endThought(turn, reduce(turn, event), event.ts);
}

/** Notes when a thought ended: with the first event that is no part of it. */
function endThought({ items }: Turn, next: Turn, ts: string): Turn {
  const index = items.length - 1;
  const [before, after] = [items[index], next.items[index]];
  if (before?.kind !== 'reasoning' || before.done || after?.kind !== 'reasoning' || !after.done) return next;
  return { ...next, items: next.items.with(index, { ...after, endedAt: ts }) };
}

function reduce(turn: Turn, event: RunEvent): Turn {
  const next: Turn = { ...turn, lastSeq: event.seq };
  switch (event.type) {
    case 'run_start':
      return {
        ...next,
        state: 'running',
        startedAt: event.ts,
        input: event.data.input ?? turn.input,
        by: event.data.by ?? turn.by,
        files: event.data.files?.map(({ id, name }) => ({ name, address: fileAddress(event.sessionId, id) })),
        model: event.data.model,
        demo: event.data.demo,
      };
    case 'text_delta':
      return { ...next, items: appendText(turn, 'text', event.data.text) };
    case 'reasoning_delta':
      return { ...next, items: appendText(turn, 'reasoning', event.data.text, event.ts) };
    case 'message_end': {
      const { role, content } = event.data;
      const items = role === 'user' ? addSaid(turn.items, content, event.data.by) : settleMessage(turn, content);
      const steering = role === 'user' ? dropFirst(turn.steering, content) : turn.steering;
      return { ...next, items, steering, segmentStart: items.length };
    }
    case 'tool_call_start':
      return { ...next, items: [...closeOpen(turn.items), createTool(turn, event.data, event.ts)] };
    case 'tool_call_delta':
      return { ...next, items: updateTool(turn, event.data.toolCallId, tool => appendOutput(tool, event.data.output)) };
    case 'tool_call_end':
      return { ...next, items: endTool(turn, event) };
    case 'todo_update':
      return { ...next, todos: event.data.todos };
    case 'clarify_request':
      return { ...next, state: 'waiting', items: putQuestion(turn, event.data) };
    case 'clarify_end':
      return goOn(next, closeQuestion(turn, event.data));
    case 'approval_request':
      return { ...next, state: 'waiting', items: putApproval(turn, event.data) };
    case 'approval_update':
      return { ...next, items: updateApproval(turn, event.data) };
    case 'approval_end':
      return goOn(next, closeApproval(turn, event.data));
    case 'delegate_start':
      return { ...next, items: startDelegation(closeOpen(turn.items), event) };
    case 'delegate_end':
      return { ...next, items: endDelegation(turn.items, event) };
    case 'context_compacted':
      return { ...next, items: [...closeOpen(turn.items), { kind: 'compacted', id: `compacted${turn.items.length}`, ...event.data }] };
    case 'workspace_conflict':
    case 'workspace_file_lost':
      return { ...next, items: [...closeOpen(turn.items), { kind: 'file_notice', id: `file${turn.items.length}`, ...event.data }] };
    case 'model_fallback':
      return { ...next, items: addFallback(turn.items, event.data) };
    case 'usage':
      return { ...next, usage: event.data, contextTokens: event.data.inputTokens + event.data.outputTokens };
    case 'run_end':
      return endRun(next, event.data, event.ts);
    default:
      return next;
  }
}

/** The run goes on once nothing waits for a person: an answer may ask several questions, and several crew members may ask at the same time. */
function goOn(turn: Turn, items: readonly TurnItem[]): Turn {
  const isWaiting = items.some(item => (item.kind === 'clarify' || item.kind === 'approval') && item.status === 'pending');
  return { ...turn, state: isWaiting ? 'waiting' : 'running', items };
}

/** Builds a turn from all its events, e.g. of a replay_reset. */
export function buildTurn(base: Turn, events: readonly RunEvent[]): Turn {
  const unknown = { error: undefined, stoppedBy: undefined, reason: undefined, question: undefined };
  const empty: Turn = { ...base, ...unknown, state: 'queued', lastSeq: 0, items: [], segmentStart: 0 };
  return events.reduce((turn, event) => (event.seq > turn.lastSeq ? applyEvent(turn, event) : turn), empty);
}

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;
type DataOf<T extends RunEvent['type']> = EventOf<T>['data'];

function appendText(turn: Turn, kind: 'text' | 'reasoning', text: string, startedAt?: string): readonly TurnItem[] {
  const last = turn.items.at(-1);
  if (last?.kind === kind && !last.done) return [...turn.items.slice(0, -1), { ...last, text: last.text + text }];
  const begun = { id: `${kind}${turn.items.length}`, text, done: false };
  return [...closeOpen(turn.items), kind === 'text' ? { kind, ...begun } : { kind, ...begun, startedAt }];
}

function closeOpen(items: readonly TurnItem[]): readonly TurnItem[] {
  const last = items.at(-1);
  if ((last?.kind !== 'text' && last?.kind !== 'reasoning') || last.done) return items;
  return [...items.slice(0, -1), { ...last, done: true }];
}

/** Adds a message that the person sent into the active run. */
export function addSaid(items: readonly TurnItem[], text: string, by?: string): readonly TurnItem[] {
  return [...closeOpen(items), { kind: 'said', id: `said${items.length}`, text, by }];
}

function dropFirst(texts: readonly string[] | undefined, text: string): readonly string[] | undefined {
  const index = texts?.indexOf(text) ?? -1;
  return index === -1 ? texts : texts?.toSpliced(index, 1);
}

/** Adds the change to another model. When that model fails too before it has said anything, both changes stand in one line. */
function addFallback(items: readonly TurnItem[], { from, to, reason }: DataOf<'model_fallback'>): readonly TurnItem[] {
  const before = closeOpen(items);
  const last = before.at(-1);
  const failed = { model: from, reason };
  if (last?.kind === 'fallback' && last.to === from) return [...before.slice(0, -1), { ...last, failed: [...last.failed, failed], to }];
  return [...before, { kind: 'fallback', id: `fallback${before.length}`, failed: [failed], to }];
}

/** Completes a message: its whole text replaces the text of the deltas. */
function settleMessage(turn: Turn, content: string): readonly TurnItem[] {
  const items = closeOpen(turn.items);
  const streamed = items.slice(turn.segmentStart).filter((item): item is TextItem => item.kind === 'text');
  if (streamed.map(item => item.text).join('') === content) return items;
  const settled = items.filter((item, index) => index < turn.segmentStart || item.kind !== 'text');
  return content === '' ? settled : [...settled, { kind: 'text', id: streamed[0]?.id ?? `text${items.length}`, text: content, done: true }];
}

function createTool(turn: Turn, data: { toolCallId: string; name: string; label: string; args?: unknown }, startedAt?: string): ToolItem {
  // A model may use the same call id again in a later message, so the position is part of the key.
  const id = `${data.toolCallId}#${turn.items.length}`;
  return {
    kind: 'tool',
    id,
    toolCallId: data.toolCallId,
    name: data.name,
    label: data.label,
    args: data.args,
    startedAt,
    state: 'running',
    output: '',
  };
}

function updateTool(turn: Turn, toolCallId: string, update: (tool: ToolItem) => ToolItem): readonly TurnItem[] {
  const index = turn.items.findLastIndex(item => item.kind === 'tool' && item.toolCallId === toolCallId);
  const tool = turn.items[index];
  return tool?.kind === 'tool' ? turn.items.with(index, update(tool)) : turn.items;
}

function appendOutput(tool: ToolItem, output: string): ToolItem {
  return { ...tool, output: (tool.output + output).slice(-MAX_LIVE_OUTPUT) };
}

function endTool(turn: Turn, { data, ts: endedAt, sessionId }: EventOf<'tool_call_end'>): readonly TurnItem[] {
  const end = (tool: ToolItem): ToolItem => ({
    ...tool,
    label: data.label,
    state: toolStateOf(data),
    output: '',
    result: data.result,
    images: data.images?.map(({ id }) => imageAddress(sessionId, id)),
    durationMs: data.durationMs,
    cached: data.cached,
    duplicate: data.duplicate,
    details: data.details,
  });
  const known = turn.items.some(item => item.kind === 'tool' && item.toolCallId === data.toolCallId && item.state === 'running');
  return known ? updateTool(turn, data.toolCallId, end) : [...closeOpen(turn.items), end(createTool(turn, data, endedAt))];
}

function toolStateOf({ ok, status, details }: DataOf<'tool_call_end'>): ToolState {
  if (ok) return 'ok';
  if (status === 'cancelled') return 'stopped';
  if (status === 'unknown') return 'unknown';
  return details?.['approval'] === undefined ? 'failed' : 'denied';
}

function putQuestion(turn: Turn, data: ClarificationData): readonly TurnItem[] {
  const index = turn.items.findIndex(item => item.kind === 'clarify' && item.requestId === data.requestId);
  const known = turn.items[index];
  if (known?.kind === 'clarify') return turn.items.with(index, { ...known, expiresAt: data.expiresAt });
  const open = turn.items.find(isOpenQuestion);
  const askedWith = open && (open.askedWith ?? open.requestId);
  return [...closeOpen(turn.items), { kind: 'clarify', id: data.requestId, ...data, status: 'pending', askedWith }];
}

function closeQuestion(turn: Turn, data: DataOf<'clarify_end'>): readonly TurnItem[] {
  return turn.items.map(item =>
    item.kind === 'clarify' && item.requestId === data.requestId
      ? { ...item, status: data.status, answer: data.answer, by: data.decidedBy }
      : item,
  );
}

function putApproval(turn: Turn, data: ApprovalData): readonly TurnItem[] {
  return [...closeOpen(turn.items), { kind: 'approval', id: data.requestId, ...data, status: 'pending' }];
}

function updateApproval(turn: Turn, { requestId, approvals, escalatedTo }: DataOf<'approval_update'>): readonly TurnItem[] {
  return turn.items.map(item => (item.kind === 'approval' && item.requestId === requestId ? { ...item, approvals, escalatedTo } : item));
}

function closeApproval(turn: Turn, { requestId, status, approvals, ...said }: DataOf<'approval_end'>): readonly TurnItem[] {
  return turn.items.map(item =>
    item.kind === 'approval' && item.requestId === requestId ? { ...item, status, said, approvals: approvals ?? item.approvals } : item,
  );
}

function endRun(turn: Turn, data: DataOf<'run_end'>, endedAt: string): Turn {
  const items = closeOpen(turn.items).map(stopItem);
  const silent = data.text !== '' && !items.some(item => item.kind === 'text');
  return {
    ...turn,
    state: data.status,
    steering: undefined,
    items: silent ? [...items, { kind: 'text', id: `text${items.length}`, text: data.text, done: true }] : items,
    usage: data.usage,
    endedAt,
    error: data.error,
    stoppedBy: data.by,
    reason: data.reason,
    question: data.clarification,
  };
}

function stopItem(item: TurnItem): TurnItem {
  if (item.kind === 'delegate' && item.state === 'open') return { ...item, state: 'cancelled' };
  if (item.kind === 'tool' && item.state === 'running') return { ...item, state: 'stopped' };
  if ((item.kind === 'clarify' || item.kind === 'approval') && item.status === 'pending') return { ...item, status: 'cancelled' };
  return item;
}
