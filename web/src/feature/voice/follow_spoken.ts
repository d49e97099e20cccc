/** Reads the answer to a spoken message aloud, when the person has chosen that. */
import type { ChatController } from '../../chat/chat_controller';
import { isOver } from '../../state/view_types';
import { answerOf, readAloud } from './read_aloud';

export interface SpokenFollower {
  /** Says that a person has spoken words of the next message of the open chat. */
  remember(): void;
  stop(): void;
}

/** Where the person has spoken. */
interface Spoken {
  /** Absent: in a chat without a message. */
  sessionId: string | undefined;
  /** The turns before the spoken message. */
  known: ReadonlySet<string>;
  /** The turn of the spoken message, once it is sent. */
  key?: string;
}

export function followSpoken(controller: ChatController): SpokenFollower {
  const { store, preferences } = controller;
  let spoken: Spoken | undefined;
  const stop = store.subscribe(() => {
    if (!spoken) return;
    const { sessionId, view } = store.get();
    const { known } = spoken;
    if (spoken.sessionId !== undefined && spoken.sessionId !== sessionId) spoken = undefined;
    else if (spoken.key === undefined) spoken.key = view.turns.find(turn => !known.has(turn.key) && !isOver(turn))?.key;
    const turn = spoken?.key === undefined ? undefined : view.turns.find(({ key }) => key === spoken?.key);
    if (!turn || !isOver(turn)) return;
    spoken = undefined;
    if (turn.state === 'completed' && preferences.get().readSpoken === 'on') readAloud(turn.key, answerOf(turn), controller);
  });
  return {
    remember: () => {
      const { sessionId, view } = store.get();
      spoken = { sessionId, known: new Set(view.turns.map(({ key }) => key)) };
    },
    stop,
  };
}
