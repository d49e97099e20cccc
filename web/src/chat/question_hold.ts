/** Keeps a question open while the person types an answer, so that the deadline does not cut it off. */
import { findQuestion } from '../state/view_types';
import type { ChatContext } from './chat_context';
import { extendQuestion } from './question_actions';

export interface QuestionHold {
  /**
   * Requests more time at the first key press in an answer, and whenever a quarter of the time is gone. Call it at every key press. Never rejects.
   */
  keepOpen(requestId: string): Promise<void>;
}

/** Longest time that typing keeps one question open, in milliseconds. */
const LIMIT_MS = 3_600_000;
/** More time is requested when less than this share of the time is left. */
const ASK_BELOW = 0.75;

interface Held {
  since: number;
  isAsking: boolean;
  /** Time that the gateway grants per extension, in milliseconds; known after the first one. */
  wholeMs?: number;
}

export function createQuestionHold(context: ChatContext): QuestionHold {
  const heldById = new Map<string, Held>();

  const leftMs = (requestId: string): number => {
    const { view, children, clockOffsetMs } = context.store.get();
    const question = [view, ...Object.values(children)].map(each => findQuestion(each, requestId)).find(Boolean);
    return question?.status === 'pending' ? Date.parse(question.expiresAt) - Date.now() - clockOffsetMs : 0;
  };

  return {
    async keepOpen(requestId) {
      const left = leftMs(requestId);
      if (left <= 0) return void heldById.delete(requestId);
      const current = heldById.get(requestId) ?? { since: Date.now(), isAsking: false };
      heldById.set(requestId, current);
      if (current.isAsking || Date.now() - current.since > LIMIT_MS) return;
      if (current.wholeMs !== undefined && left > current.wholeMs * ASK_BELOW) return;
      current.isAsking = true;
      try {
        await extendQuestion(context, requestId);
        current.wholeMs = leftMs(requestId);
      } catch {
        // The page is offline or the question has just closed. The text stays, and the next key retries.
      } finally {
        current.isAsking = false;
      }
    },
  };
}
