/** Applies events from the socket to the view: batched per frame, in order, each event once. */
import type { ReplayReset, ServerMessage } from '../connection/protocol';
import { createFrameBatch } from '../platform/frame_batch';
import { applyEvents, type Gap, resetRun, updateQuestion } from '../state/session_reducer';
import type { RunEvent, SessionView } from '../state/view_types';
import type { ChatContext } from './chat_context';

export interface LiveEvents {
  receive(message: ServerMessage): void;
  flush(): void;
  /** Remembers deadlines that are newer than the deadlines in events that will be replayed. */
  noteDeadlines(questions: readonly { requestId: string; expiresAt: string }[]): void;
}

export interface LiveEventsOptions {
  /** Called when events are missing. Ask for the events after the cursor. */
  onGap(gap: Gap): void;
  /** Called when a run of any session started or ended. */
  onRunBoundary(sessionId: string): void;
  /** Called with the first event of a run of any session, after the view has it. */
  onRunStarted(event: ServerMessage): void;
  /** Called when a run of any session starts or stops waiting for a person. */
  onAsked(): void;
}

const ASKING = new Set<string>(['clarify_request', 'clarify_end', 'approval_request', 'approval_end', 'run_end']);

export function createLiveEvents(context: ChatContext, options: LiveEventsOptions): LiveEvents {
  const deadlines = new Map<string, string>();
  const batch = createFrameBatch<ServerMessage>(messages => {
    const { view, gap } = reduce(context, messages);
    if (view !== context.store.get().view) context.store.set({ view: applyDeadlines(view, messages, deadlines) });
    if (gap) options.onGap(gap);
    for (const message of messages) if (message.type === 'run_start') options.onRunStarted(message);
  });
  return {
    receive: message => {
      if (message.type === 'run_start' || message.type === 'run_end') options.onRunBoundary(message.sessionId);
      if (ASKING.has(message.type)) options.onAsked();
      batch.push(message);
    },
    flush: batch.flush,
    noteDeadlines: questions => {
      for (const question of questions) deadlines.set(question.requestId, question.expiresAt);
      const { view } = context.store.get();
      const changed = questions.reduce((current, { requestId, expiresAt }) => updateQuestion(current, requestId, { expiresAt }), view);
      context.store.set({ view: changed });
    },
  };
}

function reduce(context: ChatContext, messages: readonly ServerMessage[]): { view: SessionView; gap?: Gap } {
  const { sessionId } = context.store.get();
  let { view } = context.store.get();
  let gap: Gap | undefined;
  let run: RunEvent[] = [];
  const settle = () => {
    if (run.length === 0) return;
    const result = applyEvents(view, run);
    view = result.view;
    gap ??= result.gap;
    run = [];
  };
  for (const message of messages) {
    if (isRunEvent(message)) {
      if (message.sessionId === sessionId) run.push(message);
    } else if (message.type === 'replay_reset' && message.sessionId === sessionId) {
      settle();
      const { runId, snapshot, lastSeq }: ReplayReset = message.data;
      view = resetRun(view, runId, snapshot.events, lastSeq);
    }
  }
  settle();
  return { view, gap };
}

function applyDeadlines(view: SessionView, messages: readonly ServerMessage[], deadlines: ReadonlyMap<string, string>): SessionView {
  return messages.reduce((current, message) => {
    if (message.type !== 'clarify_request' && message.type !== 'approval_request') return current;
    const { requestId } = message.data;
    const expiresAt = deadlines.get(requestId);
    return expiresAt === undefined ? current : updateQuestion(current, requestId, { expiresAt });
  }, view);
}

/** Returns true for an event of a run, which has a `seq`, also when this page does not know its type. */
function isRunEvent(message: ServerMessage): message is RunEvent {
  return 'seq' in message && 'runId' in message;
}
