/** Passes questions and approvals on when nobody has answered in time. The run that waits does it; after a crash, the process that continues the run. */
import { addressName } from '../../port/approval_address';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunHooks } from '../run_log/run_hooks';

export interface EscalationDeps {
  store: Store;
  clock: Clock;
  hooks: Pick<RunHooks, 'escalated' | 'committed'>;
  onError: LogError;
}

export class Escalations {
  constructor(private readonly deps: EscalationDeps) {}

  /** Calls `onPassed` when the question was passed on. Call the returned function when the wait for the question is over. */
  passOnInTime(run: RunRecord, question: QuestionRecord, onPassed: () => void = () => {}): () => void {
    const { clock, onError } = this.deps;
    const { escalate, escalatedAt, createdAt, id: requestId } = question;
    if (!escalate || escalatedAt !== undefined) return () => {};
    let isOver = false;
    const passOn = () =>
      this.passOn(run, question, { to: escalate.to, isOver: () => isOver }).then(onPassed, thrown => {
        if (!isOver) onError('a question could not be passed on', thrown, { requestId });
      });
    const stopTimer = clock.after(Math.max(0, createdAt + escalate.afterMs - clock.now()), () => void passOn());
    return () => {
      isOver = true;
      stopTimer();
    };
  }

  private async passOn(run: RunRecord, question: QuestionRecord, { to, isOver }: { to: string; isOver: () => boolean }): Promise<void> {
    const { store, clock, hooks } = this.deps;
    const { tenantId, id } = question;
    const giveUp = () => {
      if (isOver()) throw new Error('the wait is over');
    };
    await retryWhileStoreUnavailable(
      clock,
      () =>
        store.transaction('none', async tx => {
          const passed = { escalatedAt: clock.now(), passedTo: addressName(to) };
          if (!(await tx.questions.passOn(tenantId, id, passed))) return;
          for (const write of hooks.escalated) await write(tx, run, { question: { ...question, ...passed }, to });
        }),
      giveUp,
    );
    for (const tell of hooks.committed) tell();
  }
}
