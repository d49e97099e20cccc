/**
 * Brings what people ask at other gateways on the same store to the runs that execute here: cancels, and answers to questions. Those of this
 * gateway arrive by themselves.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { QuestionReader, QuestionRecord } from '../../port/store/questions';
import type { RunReader } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import { givenAnswer } from '../question/question_events';
import type { QuestionResolvers } from '../question/question_resolvers';
import type { RunCapacity } from './run_capacity';
import type { RunSupervisor } from './run_supervisor';

interface RemoteRequestsDeps {
  store: ReadableStore<Pick<RunReader, 'cancelledRunsOf'> & Pick<QuestionReader, 'closedQuestionsOf'>>;
  clock: Clock;
  identity: InstanceId;
  resolvers: QuestionResolvers;
  supervisor: Pick<RunSupervisor, 'cancelRun'>;
  capacity: Pick<RunCapacity, 'isInUse'>;
}

const POLL_MS = 400;

/** Asks the store again and again until the process ends. */
export function followRemoteRequests(deps: RemoteRequestsDeps): void {
  deps.clock.after(POLL_MS, () => {
    const asked = deps.capacity.isInUse ? readRequests(deps) : Promise.resolve();
    // When the store is unavailable, the next poll tries again.
    void asked.catch(() => {}).finally(() => followRemoteRequests(deps));
  });
}

async function readRequests({ store, identity, resolvers, supervisor }: RemoteRequestsDeps): Promise<void> {
  const [runs, questions] = await Promise.all([store.read.cancelledRunsOf(identity.self), store.read.closedQuestionsOf(identity.self)]);
  for (const question of questions) wake(resolvers, question);
  for (const { id } of runs) supervisor.cancelRun(id);
}

/** Does nothing for a question that nobody waits for here. */
function wake(resolvers: QuestionResolvers, question: QuestionRecord): void {
  if (question.status === 'answered') resolvers.resolve(question.id, question, givenAnswer(question));
  else resolvers.release(question.id);
}
