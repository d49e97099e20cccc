/** Waits for a person as long as the stored question is open. */
import type { Clock } from '../../port/clock';
import type { GivenAnswer, QuestionRecord } from '../../port/store/questions';
import type { Store } from '../../port/store/store';
import { givenAnswer } from './question_events';
import type { QuestionResolvers } from './question_resolvers';

const RETRY_MS = 1_000;

/**
 * Resolves with the answer, or with undefined once the deadline has passed or the signal has aborted. Reads the stored question first, because the
 * question may be answered already, and again at each deadline, because the person may have extended the deadline. Retries while the store is
 * unavailable.
 */
export async function waitForAnswer(
  { clock, store, resolvers }: { clock: Clock; store: Store; resolvers: QuestionResolvers },
  question: QuestionRecord,
  { answered, signal }: { answered: Promise<GivenAnswer | undefined>; signal: AbortSignal },
): Promise<GivenAnswer | undefined> {
  const release = () => resolvers.release(question.id);
  let stopTimer = () => {};
  const check = async (): Promise<void> => {
    const stored = await store.read.questions.get(question.tenantId, question.id).then(
      found => found ?? question,
      () => undefined,
    );
    if (!stored) stopTimer = clock.after(RETRY_MS, check);
    else if (stored.status === 'answered') resolvers.resolve(question.id, question, givenAnswer(stored));
    else if (stored.status !== 'pending' || stored.expiresAt <= clock.now()) release();
    else stopTimer = clock.after(stored.expiresAt - clock.now(), check);
  };
  signal.addEventListener('abort', release, { once: true });
  if (signal.aborted) release();
  await check();
  try {
    return await answered;
  } finally {
    stopTimer();
    signal.removeEventListener('abort', release);
  }
}
