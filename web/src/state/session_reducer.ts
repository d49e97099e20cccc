/** Applies events and actions to the view of a session. Pure. */

import type { ToolExecutionSummary } from '../api/rest_types';
import { changeStateOf } from './file_changes';
import { applyEvent, buildTurn, createTurn } from './turn_reducer';
import { type AskedChange, isOver, type RunEvent, type SessionView, type Turn, type TurnError, type TurnItem } from './view_types';

/** A cursor after which events are missing. Ask the gateway for them. */
export interface Gap {
  runId: string;
  seq: number;
}

/** Applies events in order and skips duplicates. Stops at a gap and reports it. */
export function applyEvents(view: SessionView, events: readonly RunEvent[]): { view: SessionView; gap?: Gap } {
  const turns = [...view.turns];
  let gap: Gap | undefined;
  for (const event of events) {
    const index = findOrAdoptTurn(turns, event);
    const turn = turns[index];
    const lastSeq = turn?.lastSeq ?? 0;
    if (event.seq <= lastSeq) continue;
    if (event.seq > lastSeq + 1) {
      gap ??= { runId: event.runId, seq: lastSeq };
      continue;
    }
    // Rebuild a turn that came from stored messages when its first event arrives: the events hold everything.
    const base = event.seq === 1 && turn ? buildTurn(turn, []) : (turn ?? createTurn(event.runId, ''));
    const next = applyEvent(base, event);
    if (turn) turns[index] = next;
    else turns.push(next);
  }
  return { view: { ...view, turns }, gap };
}

/** Replaces a run with the given events. */
export function resetRun(view: SessionView, runId: string, events: readonly RunEvent[], lastSeq: number): SessionView {
  const known = view.turns.find(turn => turn.runId === runId);
  const rebuilt = buildTurn(known ?? createTurn(runId, ''), events);
  const turn: Turn = { ...rebuilt, lastSeq: Math.max(rebuilt.lastSeq, lastSeq) };
  if (!known) return { ...view, turns: [...view.turns, turn] };
  return { ...view, turns: view.turns.map(candidate => (candidate === known ? turn : candidate)) };
}

/** Adds the details of a finished run that came from stored messages. Does not change a run that has live events. */
export function enrichRun(view: SessionView, runId: string, events: readonly RunEvent[]): SessionView {
  const known = view.turns.find(turn => turn.runId === runId);
  if (!known || known.lastSeq > 0 || events[0]?.seq !== 1 || events.at(-1)?.type !== 'run_end') return view;
  return resetRun(view, runId, events, 0);
}

/** Adds what the gateway says about undoing the changes of a run. */
export function noteUndo(view: SessionView, runId: string, executions: readonly ToolExecutionSummary[]): SessionView {
  const states = new Map(executions.map(execution => [execution.toolCallId, changeStateOf(execution)]));
  const note = (item: TurnItem): TurnItem => {
    const undo = item.kind === 'tool' ? states.get(item.toolCallId) : undefined;
    return undo && item.kind === 'tool' ? { ...item, undo } : item;
  };
  return { ...view, turns: view.turns.map(turn => (turn.runId === runId ? { ...turn, items: turn.items.map(note) } : turn)) };
}

/**
 * Puts the latest stored turns before the turns that only this page knows. A run with live events keeps its live turn. Turns before the stored ones
 * stay where they are.
 */
export function mergeHistory(view: SessionView, stored: readonly Turn[]): SessionView {
  const storedIds = new Set(stored.map(turn => turn.runId));
  const isStored = (turn: Turn) => turn.runId !== undefined && storedIds.has(turn.runId);
  const here = new Map(view.turns.filter(turn => turn.runId !== undefined).map(turn => [turn.runId, turn]));
  const merged = stored.map(turn => preferLive(turn, here.get(turn.runId)));
  const earlier = view.turns.slice(0, Math.max(0, view.turns.findIndex(isStored)));
  return { ...view, turns: [...earlier, ...merged, ...view.turns.slice(earlier.length).filter(turn => !isStored(turn))] };
}

/** Puts earlier stored turns before all others. */
export function prependHistory(view: SessionView, earlier: readonly Turn[]): SessionView {
  const here = new Set(view.turns.map(turn => turn.runId));
  return { ...view, turns: [...earlier.filter(turn => !here.has(turn.runId)), ...view.turns] };
}

/** Adds a message before the gateway has stored it. */
export function addPending(view: SessionView, clientMessageId: string, input: string, images: readonly string[] = []): SessionView {
  const base = { ...createTurn('', input), images: images.length > 0 ? images : undefined };
  const turn: Turn = { ...base, key: clientMessageId, runId: undefined, clientMessageId, state: 'sending' };
  return { ...view, turns: [...view.turns, turn] };
}

/** Adds the images of the message that started a run. */
export function putImages(view: SessionView, runId: string, images: readonly string[]): SessionView {
  return { ...view, turns: view.turns.map(turn => (turn.runId === runId ? { ...turn, images } : turn)) };
}

/** Connects a stored message with its run, which may have started already. */
export function acknowledge(view: SessionView, clientMessageId: string, runId: string): SessionView {
  const begun = view.turns.some(turn => turn.runId === runId && turn.clientMessageId !== clientMessageId);
  const turns = begun
    ? view.turns.filter(turn => turn.clientMessageId !== clientMessageId || turn.runId === runId)
    : view.turns.map(turn =>
        turn.clientMessageId === clientMessageId && !turn.runId ? { ...turn, runId, state: 'queued' as const } : turn,
      );
  return { ...view, turns };
}

/** Counts the steering messages with this text, both those that the agent has read and those that it has not. */
export function countSteering({ turns }: SessionView, text: string): number {
  const said = turns.flatMap(({ items }) => items).filter(item => item.kind === 'said' && item.text === text);
  const waiting = turns.flatMap(({ steering = [] }) => steering).filter(other => other === text);
  return said.length + waiting.length;
}

/**
 * Adds a message that went into an active run, unless the agent has read it already. `before`: the number of steering messages with this text when the
 * message was sent.
 */
export function addSteering(view: SessionView, { runId, text, before }: { runId: string; text: string; before: number }): SessionView {
  const isRead = countSteering(view, text) > before;
  const add = (turn: Turn): Turn => (isOver(turn) || isRead ? turn : { ...turn, steering: [...(turn.steering ?? []), text] });
  return { ...view, turns: view.turns.map(turn => (turn.runId === runId ? add(turn) : turn)) };
}

/** Marks a message as refused, or, without an error, as being sent again. */
export function markUnsent(view: SessionView, clientMessageId: string, error: TurnError | undefined): SessionView {
  return {
    ...view,
    turns: view.turns.map(turn =>
      turn.clientMessageId === clientMessageId && !turn.runId ? { ...turn, state: error ? 'unsent' : 'sending', error } : turn,
    ),
  };
}

/** Marks a run that was cancelled before it started. */
export function markCancelled(view: SessionView, runId: string): SessionView {
  return {
    ...view,
    turns: view.turns.map(turn => (turn.runId === runId && turn.state === 'queued' ? { ...turn, state: 'cancelled' } : turn)),
  };
}

/** Changes one question or approval in any turn. */
export function updateQuestion(view: SessionView, requestId: string, change: AskedChange): SessionView {
  const turns = view.turns.map(turn => {
    const index = turn.items.findIndex(item => (item.kind === 'clarify' || item.kind === 'approval') && item.requestId === requestId);
    const item = turn.items[index];
    return item?.kind === 'clarify' || item?.kind === 'approval'
      ? { ...turn, items: turn.items.with(index, { ...item, ...change }) }
      : turn;
  });
  return { ...view, turns };
}

/** Finds the turn of the event's run. A run that starts with the text of an unacknowledged message belongs to that message. */
function findOrAdoptTurn(turns: Turn[], event: RunEvent): number {
  const index = turns.findIndex(turn => turn.runId === event.runId);
  if (index >= 0 || event.type !== 'run_start') return index;
  const pending = turns.findIndex(turn => turn.state === 'sending' && !turn.runId && turn.input === event.data.input);
  const turn = turns[pending];
  if (turn) turns[pending] = { ...turn, runId: event.runId };
  return pending;
}

function preferLive(stored: Turn, live: Turn | undefined): Turn {
  if (!live) return stored;
  if (live.lastSeq === 0 && stored.state !== 'queued') return { ...stored, key: live.key };
  // The events do not say which images the message had, and those of earlier versions not who wrote it.
  const { images = stored.images, by = stored.by } = live;
  return images === live.images && by === live.by ? live : { ...live, images, by };
}
