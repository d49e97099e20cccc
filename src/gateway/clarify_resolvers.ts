/**
 * The one module-level map of waiting questions. The map outlives the connection that asked, because another connection or REST may answer. `main`
 * hands the map to QuestionService, which registers, wakes and releases the waiting runs for every door.
 */
import type { GivenAnswer } from '../port/store/questions';
import type { QuestionResolvers, SessionKey } from '../service/question/question_resolvers';

interface Entry {
  session: SessionKey;
  resolve: (answer: GivenAnswer | undefined) => void;
}

const waiting = new Map<string, Entry>();

export const clarifyResolvers: QuestionResolvers = {
  wait(requestId, session) {
    return new Promise(resolve => waiting.set(requestId, { session, resolve }));
  },
  resolve(requestId, { tenantId, sessionId }, answer) {
    const entry = waiting.get(requestId);
    if (!entry || entry.session.tenantId !== tenantId || entry.session.sessionId !== sessionId) return false;
    waiting.delete(requestId);
    entry.resolve(answer);
    return true;
  },
  release(requestId) {
    waiting.get(requestId)?.resolve(undefined);
    return waiting.delete(requestId);
  },
};
