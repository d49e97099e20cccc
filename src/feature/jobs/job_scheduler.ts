/** Looks at the due times of jobs: one timer to the next one, none while no job has one. */
import { AppError, type ErrorCode } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Store } from '../../port/store/store';
import type { JobStarter } from './job_starter';
import type { JobRecord } from './store/job_records';

/** A step of the wall clock is noticed after this time at most. */
const MAX_WAIT_MS = 60_000;
/** A due time that is older than this was missed: the process, or the machine, was asleep. */
const LATE_MS = 60_000;
/** The same limit at the first look: no gateway ran when the due time came. */
const LATE_AT_START_MS = 1_000;
/** Wait after a failure, such as a full queue of runs or a store that is away. */
const RETRY_MS = 5_000;
/** Longest wait after a refusal, such as that of a used-up day: the limits may change before it ends. */
const MAX_REFUSED_MS = 60_000;
/** Milliseconds between two looks while a due time waits: for the end of an earlier run, or for the end of a refusal. */
const QUEUED_MS = 1_000;
/** Refusals that end by themselves. */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>(['rate_limited', 'quota_exceeded', 'draining', 'not_accepting']);

export interface JobSchedulerDeps {
  store: Store;
  clock: Clock;
  starter: JobStarter;
  onError: LogError;
}

export class JobScheduler {
  private isStopped = true;
  private isLooking = false;
  /** A job changed during the look. */
  private isStale = false;
  private isFirstLook = true;
  /** Due times that the first look found too late and could not start. */
  private missedBefore: ReadonlySet<string> = new Set();
  /** Due times that were refused -> when they are tried again. */
  private refused = new Map<string, number>();
  /** The next look tries refused due times at once. */
  private isAllowedAgain = false;
  private stopTimer = () => {};

  constructor(private readonly deps: JobSchedulerDeps) {}

  /** Starts the runs that are due, and from now on each one at its time. Returns at once; a failure is logged and retried. */
  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.wake();
  }

  /** Computes the next due time again. Call it after a job was created or changed. */
  wake(): void {
    this.isStale = true;
    if (!this.isStopped && !this.isLooking) void this.look();
  }

  /** Tries refused due times at once. Call it after the reason for the refusals has ended. */
  retry(): void {
    this.isAllowedAgain = true;
    this.wake();
  }

  /** Starts no more runs. A run that is being started still starts. */
  stop(): void {
    this.isStopped = true;
    this.stopTimer();
  }

  /** Starts due runs and sets the timer to the next due time. Never rejects. */
  private async look(): Promise<void> {
    this.stopTimer();
    this.isLooking = true;
    this.isStale = false;
    const waitMs = await this.startDueRuns().catch(thrown => {
      this.deps.onError('the due times of jobs cannot be read', thrown);
      return RETRY_MS;
    });
    this.isLooking = false;
    if (this.isStopped) return;
    if (this.isStale) return this.look();
    this.stopTimer = this.deps.clock.after(waitMs, () => void this.look());
  }

  /** Starts due runs. Resolves with the milliseconds until the next look; Infinity while no job has a due time. */
  private async startDueRuns(): Promise<number> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const lateMs = this.isFirstLook ? LATE_AT_START_MS : LATE_MS;
    const isLate = ({ nextRunAt = now }: JobRecord) => now - nextRunAt > lateMs;
    const failed: JobRecord[] = [];
    const refusedBefore: ReadonlyMap<string, number> = this.isAllowedAgain ? new Map() : this.refused;
    this.isAllowedAgain = false;
    this.refused = new Map();
    for (const job of await store.read.jobs.due(now)) {
      if (this.isStopped) return RETRY_MS;
      const retryAt = refusedBefore.get(dueTimeOf(job)) ?? now;
      // A wall clock that was set back must not make the wait longer.
      if (retryAt > now && retryAt <= now + MAX_REFUSED_MS) {
        this.refused.set(dueTimeOf(job), retryAt);
        continue;
      }
      const isMissed = isLate(job) || this.missedBefore.has(dueTimeOf(job));
      if (!(await this.startDueRun(job, { now, isMissed }))) failed.push(job);
    }
    if (this.isFirstLook) this.missedBefore = new Set(failed.filter(isLate).map(dueTimeOf));
    this.isFirstLook = false;
    if (failed.some(job => !this.refused.has(dueTimeOf(job)))) return RETRY_MS;
    if (this.refused.size > 0) return QUEUED_MS;
    const { nextRunAt, isQueued } = await store.read.jobs.nextTimes();
    if (nextRunAt === undefined) return isQueued ? QUEUED_MS : Infinity;
    return Math.min(Math.max(0, nextRunAt - clock.now()), isQueued ? QUEUED_MS : MAX_WAIT_MS);
  }

  /** Starts a due run. Resolves false when it must be tried again. */
  private async startDueRun(job: JobRecord, due: { now: number; isMissed: boolean }): Promise<boolean> {
    try {
      await this.deps.starter.startDueRun(job, due);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !PASSING.has(thrown.code)) {
        this.deps.onError(`the run of the job ${job.id} cannot be started`, thrown);
        return false;
      }
      const waitMs = Math.min(MAX_REFUSED_MS, Math.max(RETRY_MS, thrown.retryAfterMs ?? 0));
      this.refused.set(dueTimeOf(job), this.deps.clock.now() + waitMs);
      return false;
    }
  }
}

const dueTimeOf = ({ tenantId, id, nextRunAt }: JobRecord): string => `${tenantId} ${id} ${nextRunAt}`;
