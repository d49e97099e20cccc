/** Typing an answer keeps its question open, so that a timer does not cut off a half-written answer. */
import { findQuestion } from '../state/view_types';
import type { ChatContext } from './chat_context';
import { extendQuestion } from './question_actions';

export interface QuestionHold {
  /** A key was pressed in an answer. Asks for more time at the first one, and again each time a quarter of it is gone. Never rejects. */
  keepOpen(requestId: string): Promise<void>;
}

/** Longest time that typing keeps one question open, in milliseconds. */
const LIMIT_MS = 3_600_000;
/** Share of the whole time that may be left before more is asked for. */
const ASK_BELOW = 0.75;

interface Held {
  requestId: string;
  since: number;
  isAsking: boolean;
  /** Time that the gateway adds each time, in milliseconds; known after its first reply. */
  wholeMs?: number;
}

export function createQuestionHold(context: ChatContext): QuestionHold {
  let held: Held | undefined;

  const leftMs = (requestId: string): number => {
    const { view, clockOffsetMs } = context.store.get();
    const question = findQuestion(view, requestId);
    return question?.status === 'pending' ? Date.parse(question.expiresAt) - Date.now() - clockOffsetMs : 0;
  };

  return {
    async keepOpen(requestId) {
      if (held?.requestId !== requestId) held = { requestId, since: Date.now(), isAsking: false };
      const current = held;
      const left = leftMs(requestId);
      if (current.isAsking || left <= 0 || Date.now() - current.since > LIMIT_MS) return;
      if (current.wholeMs !== undefined && left > current.wholeMs * ASK_BELOW) return;
      current.isAsking = true;
      try {
        await extendQuestion(context, requestId);
        current.wholeMs = leftMs(requestId);
      } catch {
        // Offline, or closed in this moment: the text stays, and the next key tries again.
      } finally {
        current.isAsking = false;
      }
    },
  };
}
