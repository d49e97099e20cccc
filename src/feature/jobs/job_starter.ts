/** Starts the runs of jobs. The claim of a due time and its run are stored in one transaction, so a due time has exactly one run. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Actor } from '../../port/principal';
import { narrowTools, type RunTools } from '../../port/run_tools';
import type { ReadableStore, StoreTransaction } from '../../port/store/store';
import { ownerOf, type SessionAccess } from '../../service/access/session_access';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import type { LockedRequest } from '../../service/limits/run_limiter';
import type { RunPreparation } from '../../service/run/run_preparation';
import type { AcceptedRun, Admission, AdmissionWork, RequestKey, StartRequest } from '../../service/run/start_request';
import { changeJob, disabled } from './change_job';
import { nextDueTime } from './due_times';
import { pausedJob } from './job_outcome';
import type { JobRecord, JobTrigger } from './store/job_records';

export interface JobStarterDeps {
  store: ReadableStore<'jobs'>;
  clock: Clock;
  auditLog: AuditRecorder;
  agents: Pick<VisibleAgents, 'has'>;
  preparation: Pick<RunPreparation, 'prepareRequest'>;
  sessionAccess: Pick<SessionAccess, 'assertMay'>;
  people: { findPerson(tenantId: string, handle: string): object | undefined };
  /** Starts the run that the work admits, if any. */
  startWithin: (asks: LockedRequest, work: AdmissionWork<Admission | undefined>) => Promise<AcceptedRun | undefined>;
  /** Milliseconds that a question of a run stays open. */
  clarifyTimeoutMs: number;
}

/** The outcome of a look at a due job. */
interface Claim {
  /** The job to store. */
  job: JobRecord;
  /** The run to start. Absent: no run starts. */
  start?: { dueAt: number; trigger: JobTrigger };
}

/** Another process changed the job after it was read, so its session may not be the locked one; the transaction is rolled back. */
class LostClaim extends Error {}

/** The caller who runs a job now, the names of the request, and the tools that are left to the calling run. */
export type JobCaller = Actor & Pick<StartRequest, 'trace' | 'requestId'> & { only?: RunTools };

type Admit = (request: StartRequest) => Promise<Admission>;

export class JobStarter {
  constructor(private readonly deps: JobStarterDeps) {}

  /**
   * Claims the due time of a job and starts its run, unless the job's rules or another process say otherwise. `isMissed`: nobody looked when the
   * time came. Rejects as AgentExecutor.start does; the due time then stays open.
   */
  async startDueRun(due: JobRecord, { now, isMissed }: { now: number; isMissed: boolean }): Promise<void> {
    const { startWithin } = this.deps;
    await this.prepare(due);
    const following = await followingTime(due, now);
    try {
      await startWithin(lockedOf(due), async (tx, admit) => {
        const job = await tx.jobs.get(due.tenantId, due.id);
        if (job?.version !== due.version) return undefined;
        const claim = await this.claimDueTime(tx, job, { now, isMissed, following });
        const { start } = claim;
        if (start) return this.startRun(tx, claim.job, { ...start, admit, isClaim: true });
        if (claim.job !== job) await tx.jobs.update(claim.job);
        return undefined;
      });
    } catch (thrown) {
      if (!(thrown instanceof LostClaim)) throw thrown;
    }
  }

  /** Starts a run now, also of a disabled job. Rejects `not_found`, also for a job whose session the caller does not see, and as AgentExecutor.start does. */
  async startManualRun(caller: JobCaller, id: string, idempotency?: RequestKey): Promise<AcceptedRun> {
    for (;;) {
      try {
        return await this.tryManualRun(caller, id, idempotency);
      } catch (thrown) {
        if (!(thrown instanceof LostClaim)) throw thrown;
      }
    }
  }

  private async tryManualRun(caller: JobCaller, id: string, idempotency?: RequestKey): Promise<AcceptedRun> {
    const { tenantId, keyName, trace, requestId, only } = caller;
    const { store, clock, sessionAccess } = this.deps;
    const dueAt = clock.now();
    const stored = await store.read.jobs.get(tenantId, id);
    if (!stored) throw noJob();
    await this.prepare(stored);
    const asks = { ...lockedOf(stored), keyName: keyName ?? stored.keyName, idempotency };
    if (asks.sessionId !== undefined) await sessionAccess.assertMay(asks, asks.sessionId, 'drive');
    const accepted = await this.deps.startWithin(asks, async (tx, admit) => {
      const job = await tx.jobs.get(tenantId, id);
      if (!job) throw noJob();
      if (job.sessionId !== stored.sessionId) throw new LostClaim();
      const start = {
        dueAt,
        trigger: 'manual' as const,
        admit,
        keyName,
        trace,
        requestId,
        only,
        idempotency,
      };
      const admission = await this.startRun(tx, job, start);
      const details = { runId: admission.run.id };
      if (!admission.deduplicated) await this.deps.auditLog.record({ ...byActor(caller), action: 'job.run', target: id, details }, tx);
      return admission;
    });
    if (!accepted) throw noJob();
    return accepted;
  }

  /** Does what the run needs before its transaction. The job may change until then. */
  private async prepare({ tenantId, agent, locale, input: text, sessionId }: JobRecord): Promise<void> {
    await this.deps.preparation.prepareRequest({ tenantId, text, agent, locale, onBusy: 'enqueue', sessionId });
  }

  /** Decides about the due time and moves the job to the following one. */
  private async claimDueTime(
    tx: StoreTransaction,
    due: JobRecord,
    { now, isMissed, following }: { now: number; isMissed: boolean; following: FollowingTime },
  ): Promise<Claim> {
    if (following === 'unreadable') return { job: pausedJob(due, noSchedule(due)) };
    const { tenantId, keyName } = due;
    if (!this.deps.agents.has(due.agent, { tenantId, keyName })) return { job: pausedJob(due, noAgent(due)) };
    if (due.owner !== undefined && !this.deps.people.findPerson(due.tenantId, due.owner)) return { job: pausedJob(due, noOwner(due)) };
    const { nextRunAt: dueAt, queuedDueAt } = due;
    const isDue = dueAt !== undefined && dueAt <= now;
    const job = isDue ? moved(due, following) : due;
    if (queuedDueAt !== undefined) {
      // At most one run waits; due times that pass meanwhile have no run of their own.
      if (await this.isBusy(tx, job)) return { job };
      const { queuedDueAt: _started, ...rest } = job;
      return { job: rest, start: { dueAt: queuedDueAt, trigger: 'schedule' } };
    }
    if (!isDue || (isMissed && due.onMissed === 'skip') || (await tx.jobs.hasRun(due.tenantId, due.id, dueAt))) return { job };
    if (!(await this.isBusy(tx, job))) return { job, start: { dueAt, trigger: isMissed ? 'missed' : 'schedule' } };
    return { job: due.onOverlap === 'queue' ? { ...job, queuedDueAt: dueAt } : job };
  }

  private async isBusy(tx: StoreTransaction, { tenantId, id }: JobRecord): Promise<boolean> {
    return (await tx.jobs.countUnfinishedRuns(tenantId, id)) > 0;
  }

  /** Admits the run and records it. `isClaim`: rejects LostClaim when the stored job no longer has the version of `job`. */
  private async startRun(
    tx: StoreTransaction,
    job: JobRecord,
    start: { dueAt: number; trigger: JobTrigger; admit: Admit; isClaim?: boolean; idempotency?: RequestKey } & Partial<JobCaller>,
  ): Promise<Admission> {
    const { dueAt, trigger, admit, isClaim = false, keyName = job.keyName, trace, requestId, only, idempotency } = start;
    const tools = narrowTools(job.tools, only);
    const { tenantId, id: jobId } = job;
    const admission = await admit({
      ...(await this.requestOf(tx, job)),
      limits: tools && { tools },
      keyName,
      trace,
      requestId,
      idempotency,
    });
    if (admission.deduplicated) return admission;
    const { id: runId, sessionId } = admission.run;
    // A session of another person is none in which the job goes on.
    const isOwn = ownerOf(keyName) === ownerOf(job.keyName);
    const keepsSession = job.session === 'same' && job.sessionId !== sessionId && isOwn;
    if (isClaim && !(await tx.jobs.update({ ...job, sessionId: keepsSession ? sessionId : job.sessionId }))) throw new LostClaim();
    if (!isClaim && keepsSession) await changeJob(tx, job, stored => ({ ...stored, sessionId }));
    await tx.jobs.insertRun({ tenantId, jobId, runId, sessionId, dueAt, trigger, createdAt: this.deps.clock.now() });
    return admission;
  }

  private async requestOf(tx: StoreTransaction, job: JobRecord): Promise<Omit<StartRequest, 'keyName'>> {
    const { tenantId, id: jobId, name, agent, locale, input } = job;
    const known = job.session === 'same' && job.sessionId !== undefined ? await tx.sessions.get(tenantId, job.sessionId) : undefined;
    return {
      tenantId,
      door: 'job',
      text: input,
      sessionId: known?.id,
      newSession: known ? undefined : { title: name, origin: { jobId } },
      agent,
      locale,
      onBusy: 'enqueue',
      // No person waits for this run: its questions become its answer, and calls that need approval are refused.
      interaction: { clarify: 'text', clarifyTimeoutMs: this.deps.clarifyTimeoutMs, approvals: 'none' },
    };
  }
}

/** The session that a run of the job goes on with, and the key for which it counts. */
const lockedOf = ({ tenantId, id, keyName, session, sessionId }: JobRecord): LockedRequest => ({
  tenantId,
  keyName,
  job: { tenantId, id },
  sessionId: session === 'same' ? sessionId : undefined,
});

export const noJob = (): AppError => new AppError('not_found', { message: 'There is no such job.', messageZh: '没有这个任务。' });

function moved(job: JobRecord, nextRunAt: number | undefined): JobRecord {
  if (nextRunAt !== undefined) return { ...job, nextRunAt };
  return { ...disabled(job), queuedDueAt: job.queuedDueAt };
}

type FollowingTime = number | 'unreadable' | undefined;

/** Resolves 'unreadable' for a schedule that this gateway cannot compute: another version stored it, or its time zone no longer exists. */
async function followingTime(due: JobRecord, now: number): Promise<FollowingTime> {
  try {
    return await nextDueTime(due, Math.max(now, due.nextRunAt ?? now));
  } catch {
    return 'unreadable';
  }
}

const noSchedule = ({ schedule, locale }: JobRecord): string => {
  const text = 'cron' in schedule ? `${schedule.cron} (${schedule.timeZone})` : JSON.stringify(schedule);
  return locale === 'zh-CN' ? `无法读取时间安排：${text}` : `The schedule cannot be read: ${text}`;
};

const noAgent = ({ agent, locale }: JobRecord): string =>
  locale === 'zh-CN' ? `智能体 ${agent} 已不存在。` : `There is no agent ${agent} any more.`;

const noOwner = ({ owner, locale }: JobRecord): string =>
  locale === 'zh-CN' ? `${owner} 的账户已停用或移除。` : `The account of ${owner} is disabled or removed.`;
