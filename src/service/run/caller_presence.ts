/** Cancels a run once all its callers have left, after a while in which a retry of the request may join it. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { RunReader, RunRecord, RunState } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';

const GRACE_MS = 2_000;
/** Milliseconds after a takeover: the retries of a client reach the new process only once it listens. */
const TAKEOVER_GRACE_MS = 10_000;

type RunKey = Pick<RunRecord, 'tenantId' | 'id'>;

/** True for a run of a door whose runs end with their callers, except responses in the background. */
const mayEndWithCaller = ({ door }: Pick<RunRecord, 'door'>): boolean => door === 'openai' || door === 'agui' || door === 'responses';

/** Responses in the background publish what is stored alone. */
const isBoundToCaller = (run: Pick<RunRecord, 'door' | 'interaction'>): boolean =>
  mayEndWithCaller(run) && (run.door !== 'responses' || run.interaction.publishes !== 'stored');

interface Presence {
  callers: number;
  stopTimer?: () => void;
}

export interface CallerPresenceDeps {
  store: ReadableStore<Pick<RunReader, 'getRun'>>;
  clock: Clock;
  cancelRun: (tenantId: string, runId: string) => Promise<unknown>;
  onError: LogError;
}

export class CallerPresence {
  private readonly runs = new Map<string, Presence>();
  private isStopped = false;

  constructor(private readonly deps: CallerPresenceDeps) {}

  /** Adds a caller that waits for the run, or reads it. Call the returned function when it leaves, or has the end of the run; later calls do nothing. */
  addCaller(run: RunKey): (how: 'left' | 'ended') => void {
    const key = `${run.tenantId}\n${run.id}`;
    const presence = this.runs.get(key) ?? { callers: 0 };
    this.runs.set(key, presence);
    presence.callers += 1;
    presence.stopTimer?.();
    let isPresent = true;
    return how => {
      if (!isPresent) return;
      isPresent = false;
      presence.callers -= 1;
      if (presence.callers > 0) return;
      if (how === 'ended') this.runs.delete(key);
      else presence.stopTimer = this.deps.clock.after(GRACE_MS, () => this.cancel(key, run));
    };
  }

  /** Calls `expectCaller` for queued runs that a process has left which has died. */
  private readonly expectCallers = async (queued: readonly RunState[]): Promise<void> => {
    for (const { tenantId, id } of queued.filter(mayEndWithCaller)) {
      const run = await this.deps.store.read.getRun(tenantId, id);
      if (run) this.expectCaller(run);
    }
  };

  /** Call it for a run that was taken over from a process that has died, and its callers with it. A retry of the request may join it. */
  readonly expectCaller = (run: RunRecord): void => {
    if (!isBoundToCaller(run)) return;
    const key = `${run.tenantId}\n${run.id}`;
    const presence = this.runs.get(key) ?? { callers: 0 };
    if (presence.callers > 0) return;
    this.runs.set(key, presence);
    presence.stopTimer?.();
    presence.stopTimer = this.deps.clock.after(TAKEOVER_GRACE_MS, () => this.cancel(key, run));
  };

  /** What the supervisor of runs tells. */
  get listeners() {
    return { onTakeover: this.expectCaller, onQueueFound: this.expectCallers };
  }

  /** Cancels nothing from now on: the end of this process ends the answers of its callers, and the next process expects them. */
  stop(): void {
    this.isStopped = true;
  }

  private cancel(key: string, { tenantId, id }: RunKey): void {
    this.runs.delete(key);
    if (this.isStopped) return;
    this.deps.cancelRun(tenantId, id).catch(thrown => {
      this.deps.onError('a run whose caller left could not be cancelled', thrown, { runId: id });
    });
  }
}
