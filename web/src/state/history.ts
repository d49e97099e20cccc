/** Builds the turns of a session from REST: the messages hold texts and tool calls, the runs hold how they ended. */
import type { HistoryMessage, RunSummary } from '../api/rest_types';
import { addSaid, createTurn } from './turn_reducer';
import type { ToolItem, Turn, TurnItem } from './view_types';

/** Builds one turn per run. Messages and runs come oldest first. */
export function buildHistory(messages: readonly HistoryMessage[], runs: readonly RunSummary[]): Turn[] {
  const runById = new Map(runs.map(run => [run.runId, run]));
  const turns = new Map<string, Turn>();
  for (const message of messages) {
    const turn = turns.get(message.runId) ?? createTurn(message.runId, '');
    turns.set(message.runId, addMessage(turn, message));
  }
  for (const run of runs) {
    if (!turns.has(run.runId)) turns.set(run.runId, createTurn(run.runId, run.input ?? ''));
  }
  return [...turns.values()].map(turn => addOutcome(turn, runById.get(turn.runId ?? '')));
}

function addMessage(turn: Turn, message: HistoryMessage): Turn {
  switch (message.role) {
    case 'user':
      if (message.summary)
        return { ...turn, items: [...turn.items, { kind: 'compacted', id: `compacted${turn.items.length}`, summary: message.content }] };
      // The first message started the run; later messages were sent into it.
      if (turn.input !== '' || turn.items.length > 0) return { ...turn, items: addSaid(turn.items, message.content, message.by) };
      return { ...turn, input: message.content, by: message.by, images: message.imageUrls ?? turn.images, files: message.sentFiles };
    case 'assistant':
      if (message.byGateway) return turn;
      return { ...turn, items: [...turn.items, ...toItems(turn, message)] };
    case 'tool':
      return {
        ...turn,
        items: turn.items.map(item => (isOpenCall(item, message) ? { ...item, result: message.content, images: message.imageUrls } : item)),
      };
    default:
      return turn;
  }
}

function toItems(turn: Turn, message: HistoryMessage): TurnItem[] {
  const start = turn.items.length;
  const calls = (message.toolCalls ?? []).map(
    (call, index): ToolItem => ({
      kind: 'tool',
      id: `${call.toolCallId}#${start + index + 1}`,
      toolCallId: call.toolCallId,
      name: call.name,
      label: '',
      args: parseArguments(call.arguments),
      state: 'ended',
      output: '',
    }),
  );
  return message.content ? [{ kind: 'text', id: `text${start}`, text: message.content, done: true }, ...calls] : calls;
}

function isOpenCall(item: TurnItem, message: HistoryMessage): item is ToolItem {
  return item.kind === 'tool' && item.toolCallId === message.toolCallId && item.result === undefined;
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function addOutcome(turn: Turn, run: RunSummary | undefined): Turn {
  if (!run) return { ...turn, state: 'completed' };
  return {
    ...turn,
    by: turn.by ?? run.keyName,
    state: run.status,
    usage: run.usage,
    startedAt: run.startedAt ?? run.createdAt,
    endedAt: run.endedAt,
    error: run.error,
    stoppedBy: run.cancelledBy,
    reason: run.reason,
    question: run.clarification,
  };
}
