/** Tells the page around the frame when the agent waits for the person, and when an answer has ended. It learns no texts of the chat. */
import type { ChatController } from '../chat/chat_controller';
import { type AppState, isAsking } from '../state/app_state';
import { findActiveTurn, isActive, isOver } from '../state/view_types';
import type { HostLink } from './host_link';

export function reportToHost({ store }: Pick<ChatController, 'store'>, host: HostLink): void {
  let wasAsking = false;
  /** The runs that work, so that the ends of earlier ones are not told again when the chat is loaded. */
  let working = new Set<string>();
  store.subscribe(() => {
    const state = store.get();
    const { view, sessionId = '' } = state;
    const isWaiting = isAsking(state);
    if (isWaiting !== wasAsking) host.tell({ type: 'question', isWaiting, sessionId, kind: kindOf(state) });
    wasAsking = isWaiting;
    for (const turn of view.turns) {
      if (turn.runId && working.has(turn.runId) && isOver(turn))
        host.tell({ type: 'end', sessionId, runId: turn.runId, state: turn.state });
    }
    working = new Set(view.turns.filter(isActive).flatMap(({ runId }) => runId ?? []));
  });
}

/** A crew member asks for approvals alone. */
function kindOf({ view }: AppState): 'clarification' | 'approval' {
  const isQuestion = findActiveTurn(view)?.items.some(item => item.kind === 'clarify' && item.status === 'pending');
  return isQuestion ? 'clarification' : 'approval';
}
