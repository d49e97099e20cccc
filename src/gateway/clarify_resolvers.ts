/**
 * The questions that wait in this process, by requestId. The map only wakes a waiting run quickly; the stored question is the truth. It belongs
 * to the module and not to a connection, because the answer may come over another connection, or over REST. `main` hands it to QuestionService.
 */
import type { QuestionOwner, QuestionWaiters } from '../service/question/question_service';

interface Entry {
  owner: QuestionOwner;
  resolve: (answer: string | undefined) => void;
}

const waiting = new Map<string, Entry>();

export const clarifyResolvers: QuestionWaiters = {
  wait(requestId, owner) {
    return new Promise(resolve => waiting.set(requestId, { owner, resolve }));
  },
  answer(requestId, owner, answer) {
    const entry = waiting.get(requestId);
    if (!entry || entry.owner.tenantId !== owner.tenantId || entry.owner.sessionId !== owner.sessionId) return false;
    waiting.delete(requestId);
    entry.resolve(answer);
    return true;
  },
  release(requestId) {
    waiting.get(requestId)?.resolve(undefined);
    waiting.delete(requestId);
  },
  size: () => waiting.size,
};
