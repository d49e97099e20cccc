/** Jobs over a real store with a clock that only the test advances; runs are rows that the test ends. */

import { recordJobOutcome } from '../../src/feature/jobs/job_outcome';
import { JobScheduler } from '../../src/feature/jobs/job_scheduler';
import { JobService } from '../../src/feature/jobs/job_service';
import { JobStarter } from '../../src/feature/jobs/job_starter';
import type { JobRecord, JobRunRecord } from '../../src/feature/jobs/store/job_records';
import type { JobInput } from '../../src/feature/jobs/tools/job_access';
import type { Clock } from '../../src/port/clock';
import type { Store } from '../../src/port/store/store';
import type { LockedRequest } from '../../src/service/limits/run_limiter';
import type { Admission, AdmissionWork, StartRequest } from '../../src/service/run/start_request';
import { NO_AUDIT } from './no_audit';
import { NO_OWNERS, TENANT_USER } from './no_owners';
import { aRun, aSession, TENANT } from './store_records';

/** A clock with one timer, as the scheduler uses it. */
export class JobClock implements Clock {
  private monotonicMs = 0;
  private timer: { at: number; callback: () => void } | undefined;
  private onArmed = () => {};
  /** Number of timers that would fire some day. */
  armed = 0;

  constructor(private wall: number) {}

  now = (): number => this.wall + this.monotonicMs;
  monotonic = (): number => this.monotonicMs;

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.monotonicMs + milliseconds, callback };
    this.timer = timer;
    if (milliseconds !== Number.POSITIVE_INFINITY) this.armed += 1;
    this.onArmed();
    return () => {
      if (this.timer === timer) this.timer = undefined;
    };
  }

  /** Sets the wall clock forward or back. */
  step(milliseconds: number): void {
    this.wall += milliseconds;
  }

  /** Calls `act`, which makes the scheduler look, and waits until it has looked. */
  async looks(act: () => unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onArmed = resolve;
    await act();
    await promise;
  }

  /** Lets the time pass, timer by timer. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.monotonicMs + milliseconds;
    for (let { timer } = this; timer && timer.at <= end; timer = this.timer) {
      const { at, callback } = timer;
      this.monotonicMs = Math.max(this.monotonicMs, at);
      this.timer = undefined;
      await this.looks(callback);
    }
    this.monotonicMs = end;
  }
}

export interface JobBench {
  clock: JobClock;
  jobs: JobService;
  scheduler: JobScheduler;
  starter: JobStarter;
  /** Requests that were admitted, in order. */
  requests: StartRequest[];
  errors: unknown[];
  create(input?: Partial<JobInput>): Promise<JobRecord>;
  job(id: string): Promise<JobRecord>;
  /** The runs of a job, oldest first. */
  runs(id: string): Promise<JobRunRecord[]>;
  endRun(runId: string, status?: 'completed' | 'failed' | 'cancelled'): Promise<void>;
  /** The next admissions reject with this. */
  refuse(error: Error | undefined): void;
  /** Number of admissions that were refused. */
  refusals(): number;
}

let ids = 0;

export function createJobBench(store: Store, start: string, agents: readonly string[] = ['default']): JobBench {
  const clock = new JobClock(Date.parse(start));
  const requests: StartRequest[] = [];
  const errors: unknown[] = [];
  let refusal: Error | undefined;
  let refusals = 0;
  const next = (prefix: string) => `${prefix}_${++ids}`;
  const startWithin = async (_asks: LockedRequest, work: AdmissionWork<Admission | undefined>) => {
    const admission = await store.transaction('none', tx =>
      work(tx, async request => {
        if (refusal) {
          refusals += 1;
          throw refusal;
        }
        requests.push(request);
        const { tenantId, newSession } = request;
        const sessionId = request.sessionId ?? next('ses');
        if (request.sessionId === undefined) await tx.sessions.insert(aSession({ tenantId, id: sessionId, ...newSession }));
        const run = await tx.runs.insert(aRun({ tenantId, id: next('run'), sessionId, door: request.door, status: 'queued' }));
        return { run, deduplicated: false };
      }),
    );
    return admission && { run: admission.run, deduplicated: false, steered: false };
  };
  const directory = {
    has: (name: string) => agents.includes(name),
    assertAgentExists: () => undefined,
  };
  const preparation = { prepareRequest: () => undefined };
  const starter = new JobStarter({
    store,
    clock,
    auditLog: NO_AUDIT,
    agents: directory,
    preparation,
    sessionAccess: { assertMay: async () => {} },
    people: { findPerson: () => undefined },
    startWithin,
    clarifyTimeoutMs: 1_000,
  });
  const scheduler = new JobScheduler({ store, clock, starter, onError: (_message, thrown) => errors.push(thrown) });
  const jobs = new JobService({
    store,
    auditLog: NO_AUDIT,
    clock,
    ids: { next, uuid: () => next('uuid') },
    agents: directory,
    starter,
    ownedThings: NO_OWNERS,
    defaultLocale: 'en',
    timeZone: 'UTC',
    onChange: () => scheduler.wake(),
  });
  const job = async (id: string) => (await jobs.getJob(TENANT_USER, id)).job;
  return {
    clock,
    jobs,
    scheduler,
    starter,
    requests,
    errors,
    job,
    async create(input = {}) {
      const fields = { name: 'Water', schedule: { cron: '0 8 * * *', timeZone: 'UTC' }, input: 'Water the beds', ...input };
      return (await jobs.createJob({ ...TENANT_USER, keyName: 'ci' }, fields)).job;
    },
    runs: async id => (await jobs.listRuns(TENANT_USER, id, { limit: 100 })).data.reverse(),
    endRun: (runId, status = 'completed') =>
      store.transaction('none', async tx => {
        await tx.runs.update(TENANT, runId, { from: ['queued', 'running'] }, { status, endedAt: clock.now() });
        const error = { code: 'model_refused' as const, message: 'The model refused.', retryable: false };
        await recordJobOutcome(tx, { tenantId: TENANT, id: runId }, { status, error, now: clock.now() });
      }),
    refuse(error) {
      refusal = error;
    },
    refusals: () => refusals,
  };
}
