/** Cancels a run once all its callers have left, after a while in which a retry of the request may join it. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { RunRecord } from '../../port/store/runs';

const GRACE_MS = 2_000;
/** Milliseconds after a takeover: the retries of a client reach the new process only once it listens. */
const TAKEOVER_GRACE_MS = 10_000;

type RunKey = Pick<RunRecord, 'tenantId' | 'id'>;

/** True for a run that ends with its caller. Responses in the background publish what is stored alone. */
const isBoundToCaller = ({ door, interaction }: Pick<RunRecord, 'door' | 'interaction'>): boolean =>
  door === 'openai' || door === 'agui' || (door === 'responses' && interaction.publishes !== 'stored');

interface Presence {
  callers: number;
  stopTimer?: () => void;
}

export interface CallerPresenceDeps {
  clock: Clock;
  cancelRun: (tenantId: string, runId: string) => Promise<unknown>;
  onError: LogError;
}

export class CallerPresence {
  private readonly runs = new Map<string, Presence>();

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

  private cancel(key: string, { tenantId, id }: RunKey): void {
    this.runs.delete(key);
    this.deps.cancelRun(tenantId, id).catch(thrown => {
      this.deps.onError('a run whose caller left could not be cancelled', thrown, { runId: id });
    });
  }
}
