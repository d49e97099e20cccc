/** The runs that execute in this process, as observers see them: each is begun once and ended once. */
import type { Clock } from '../../port/clock';
import type { Observer, OpenWork, WorkEnded } from '../../port/observer';
import type { RunRecord } from '../../port/store/runs';
import { toObservedRun } from '../run_log/observed_run';

export class ObservedRuns {
  private readonly open = new Map<string, OpenWork<'run'>>();

  constructor(private readonly deps: { observer: Observer; clock: Pick<Clock, 'now'> }) {}

  begin(run: RunRecord): void {
    const { observer, clock } = this.deps;
    const { createdAt: acceptedAt, startedAt = clock.now() } = run;
    this.open.set(run.id, observer.begin('run', { run: toObservedRun(run), acceptedAt, startedAt, isResumed: run.epoch > 1 }));
  }

  /** Does nothing for a run that has ended already. */
  end({ id }: Pick<RunRecord, 'id'>, ended: WorkEnded['run']): void {
    this.open.get(id)?.end(ended);
    this.open.delete(id);
  }
}
