/**
 * Brings requests of people at other gateways on the same store (cancels and answers to questions) to the runs that execute here. Requests at this
 * gateway reach their runs directly.
 */
import type { Clock } from '../../port/clock';
import type { InstanceId } from '../../port/instance_id';
import type { QuestionRecord } from '../../port/store/questions';
import type { ReadableStore } from '../../port/store/store';
import { givenAnswer } from '../question/question_events';
import type { QuestionResolvers } from '../question/question_resolvers';
import type { RunCapacity } from './run_capacity';
import type { RunSupervisor } from './run_supervisor';

interface RemoteRequestsDeps {
  store: ReadableStore<'runs' | 'questions'>;
  clock: Clock;
  identity: InstanceId;
  resolvers: QuestionResolvers;
  supervisor: Pick<RunSupervisor, 'cancelRun'>;
  capacity: Pick<RunCapacity, 'isInUse'>;
  /** Other gateways can be on the store. */
  isShared: boolean;
}

const POLL_MS = 400;

export class RemoteRequests {
  constructor(private readonly deps: RemoteRequestsDeps) {}

  /** Polls a shared store until the process ends: the last runs can be cancelled while the gateway drains. */
  start(): void {
    if (this.deps.isShared) this.schedulePoll();
  }

  private schedulePoll(): void {
    const { clock, capacity } = this.deps;
    clock.after(POLL_MS, () => {
      const read = capacity.isInUse ? this.readRequests() : Promise.resolve();
      // When the store is unavailable, the next poll tries again.
      void read.catch(() => {}).finally(() => this.schedulePoll());
    });
  }

  private async readRequests(): Promise<void> {
    const { store, identity, resolvers, supervisor } = this.deps;
    const [runs, questions] = await Promise.all([store.read.runs.cancelledOf(identity.self), store.read.questions.closedOf(identity.self)]);
    for (const question of questions) wake(resolvers, question);
    for (const { id } of runs) supervisor.cancelRun(id);
  }
}

/** Wakes the run that waits for the question; does nothing when no run here waits for it. */
function wake(resolvers: QuestionResolvers, question: QuestionRecord): void {
  if (question.status === 'answered') resolvers.resolve(question.id, question, givenAnswer(question));
  else resolvers.release(question.id);
}
