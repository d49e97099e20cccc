/** Jobs: prompts that the gateway gives to an agent by itself, on a schedule. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Actor } from '../../port/principal';
import { narrowTools, type RunTools } from '../../port/run_tools';
import type { AuditAction } from '../../port/store/audit';
import type { Page, PageRequest } from '../../port/store/page';
import type { Locale } from '../../port/store/sessions';
import type { Store, StoreTransaction } from '../../port/store/store';
import { authorAfter } from '../../service/access/author_after';
import {
  assertMayChange,
  isSeen,
  type OwnedThings,
  ownedBy,
  type SharingRequest,
  seenBy,
  type ThingUser,
} from '../../service/access/owned_things';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { OncePerKey } from '../../service/once_per_key';
import type { AcceptedRun, RequestKey } from '../../service/run/start_request';
import type { ToolCaller } from '../../service/tool/tool_access';
import { disabled } from './change_job';
import { nextDueTime } from './due_times';
import { checkSchedule } from './job_schedule';
import { type JobCaller, type JobStarter, noJob } from './job_starter';
import type { JobRecord, JobRunRecord } from './store/job_records';
import type { JobAccess, JobInput, JobView } from './tools/job_access';

export type { JobView };

/** Jobs of one owner. */
const MAX_JOBS = 50;
/** Jobs that a tool lists: those of a person and of the tenant. */
const MAX_LISTED = 2 * MAX_JOBS;

/** Fields that are absent stay as they are. */
type JobChanges = Partial<JobInput> & SharingRequest;

export interface JobServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  agents: Pick<VisibleAgents, 'assertAgentExists'>;
  starter: JobStarter;
  auditLog: AuditRecorder;
  ownedThings: OwnedThings;
  defaultLocale: Locale;
  /** Time zone for a cron that names none. */
  timeZone: string;
  /** Called after a job was created or changed. */
  onChange: () => void;
}

export class JobService {
  constructor(private readonly deps: JobServiceDeps) {}

  async listJobs({ tenantId, viewer }: ThingUser, request: PageRequest): Promise<Page<JobView>> {
    const { lists } = this.deps.store;
    const page = await lists.jobs.list(tenantId, request, viewer);
    const latest = new Map((await lists.jobs.latestRuns(tenantId)).map(run => [run.jobId, run]));
    return { ...page, data: page.data.map(job => toView(job, latest.get(job.id))) };
  }

  /** Reads a job. Rejects `not_found`, also for a job that the user does not see. */
  async getJob(user: ThingUser, id: string): Promise<JobView> {
    const job = await this.deps.store.read.jobs.get(user.tenantId, id);
    return this.viewOf(seenBy(user, job, noJob));
  }

  /**
   * The runs of the job count for the key of the caller. Rejects `invalid_request` with the field in `param`, `not_found` for the agent,
   * `quota_exceeded` when the person, or the tenant, has 50 jobs, and `idempotency_mismatch`.
   */
  async createJob(user: ThingUser, input: JobInput & Pick<JobRecord, 'tools'>, once = new OncePerKey()): Promise<JobView> {
    const { store, clock, ids, agents } = this.deps;
    const { tenantId, keyName } = user;
    const access = ownedBy(keyName);
    // A time that was valid for the first request may have passed.
    const earlier = await once.findEarlier(store.read, tenantId);
    if (earlier !== undefined) return this.getJob(user, earlier);
    const { name, input: text, schedule: given, agent = 'default', enabled = true } = input;
    agents.assertAgentExists(agent, { tenantId, keyName });
    const now = clock.now();
    const schedule = await checkSchedule(given, { now, timeZone: this.deps.timeZone });
    const job: JobRecord = {
      tenantId,
      id: ids.next('job'),
      name,
      schedule,
      input: text,
      agent,
      locale: input.locale ?? this.deps.defaultLocale,
      session: input.session ?? 'new',
      onMissed: input.onMissed ?? 'run',
      onOverlap: input.onOverlap ?? 'skip',
      enabled,
      keyName,
      tools: input.tools,
      failures: 0,
      version: 1,
      createdAt: now,
      updatedAt: now,
      ...access,
    };
    const stored = enabled ? await scheduled(job, { now, isNew: true }) : job;
    await store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      once.makeOnce(tx, { tenantId, now }, async () => {
        if ((await tx.jobs.count(tenantId, access.owner)) >= MAX_JOBS) throw tooMany();
        await tx.jobs.insert(stored);
        await this.record(tx, user, { action: 'job.create', job: stored });
        return stored.id;
      }),
    );
    if (once.replayedId !== undefined) return this.getJob(user, once.replayedId);
    this.deps.onChange();
    return { job: stored };
  }

  /**
   * Changes a job. Fields that are left out stay as they are. `only`: narrows the tools of the job, unless the change renames or pauses it. Other
   * changes of a person make the job that person's. A new
   * schedule enables a job whose `at` has passed. Rejects like `createJob`, and `not_found` for the job.
   */
  async updateJob(user: ThingUser, id: string, changes: JobChanges, only?: RunTools): Promise<JobView | undefined> {
    const { store, clock, agents } = this.deps;
    const { tenantId, keyName } = user;
    const { visibility, sharedWith, ...work } = changes;
    const { schedule: given, ...fields } = work;
    if (fields.agent !== undefined) agents.assertAgentExists(fields.agent, { tenantId, keyName });
    const now = clock.now();
    const schedule = given && (await checkSchedule(given, { now, timeZone: this.deps.timeZone }));
    for (let isStored = false; !isStored; ) {
      const { job } = await this.getJob(user, id);
      const sharing = this.deps.ownedThings.sharingOf(user, job, { visibility, sharedWith });
      if (Object.keys(work).length > 0) assertMayChange(user, job);
      const more = isHarmless(work) ? {} : { tools: narrowTools(job.tools, only), ...authorOf(job, user) };
      const changed = await toChanged(job, { ...fields, ...(schedule && { schedule }), ...more, ...sharing, updatedAt: now });
      isStored = await store.transaction('none', async tx => {
        if (!(await tx.jobs.update(changed))) return false;
        await this.record(tx, user, { action: 'job.update', job: changed, fields: Object.keys(changes) });
        return true;
      });
    }
    this.deps.onChange();
    const job = await store.read.jobs.get(tenantId, id);
    return job && isSeen(user.viewer, job) ? this.viewOf(job) : undefined;
  }

  /** Deletes a job and resolves with it; its sessions and runs stay. Rejects `not_found`. */
  async deleteJob(user: ThingUser, id: string): Promise<JobView> {
    const { tenantId } = user;
    const view = await this.getOwnJob(user, id);
    await this.deps.store.transaction({ job: { tenantId, id } }, async tx => {
      if (!(await tx.jobs.delete(tenantId, id))) throw noJob();
      await this.record(tx, user, { action: 'job.delete', job: view.job });
    });
    return view;
  }

  /** Starts a run now, which counts for the key of the caller. Rejects `not_found`, and as AgentExecutor.start does. */
  async runJobNow(caller: JobCaller & ThingUser, id: string, idempotency?: RequestKey): Promise<AcceptedRun> {
    await this.getOwnJob(caller, id);
    return this.deps.starter.startManualRun(caller, id, idempotency);
  }

  /** Lists the newest first. Rejects `not_found`. */
  async listRuns(user: ThingUser, id: string, page: PageRequest): Promise<Page<JobRunRecord>> {
    await this.getJob(user, id);
    return this.deps.store.lists.jobs.listRuns(user.tenantId, id, page);
  }

  /**
   * Returns access to the jobs for tools. New jobs have the language of the caller, and their runs count for its key. Jobs that are made, changed or
   * started here get no tools beyond those that are left to the calling run.
   */
  accessFor(caller: ToolCaller): JobAccess {
    const { locale } = caller;
    const only = caller.run?.tools;
    const user = () => this.deps.ownedThings.userOfCall(caller);
    return {
      timeZone: this.deps.timeZone,
      listJobs: async () => (await this.listJobs(await user(), { limit: MAX_LISTED })).data,
      createJob: async input => this.createJob(await user(), { locale, ...input, tools: only }),
      updateJob: async (id, changes) => {
        const view = await this.updateJob(await user(), id, changes, only);
        if (!view) throw noJob();
        return view;
      },
      deleteJob: async id => this.deleteJob(await user(), id),
      runJobNow: async id => {
        const { run } = await this.runJobNow({ ...(await user()), only }, id);
        return { runId: run.id, sessionId: run.sessionId };
      },
    };
  }

  /** Rejects `not_found`, and `forbidden` for a job of another person that the user sees. */
  private async getOwnJob(user: ThingUser, id: string): Promise<JobView> {
    const view = await this.getJob(user, id);
    assertMayChange(user, view.job);
    return view;
  }

  private record(
    tx: StoreTransaction,
    actor: Actor,
    { action, job, fields }: { action: AuditAction; job: JobRecord; fields?: readonly string[] },
  ): Promise<void> {
    const details = { agent: job.agent, enabled: job.enabled, fields };
    return this.deps.auditLog.record({ ...byActor(actor), action, target: job.id, details }, tx);
  }

  private async viewOf(job: JobRecord): Promise<JobView> {
    const [lastRun] = await this.deps.store.read.jobs.latestRuns(job.tenantId, job.id);
    return toView(job, lastRun);
  }
}

/** Renaming and pausing cannot make the agent do more than before. */
const isHarmless = ({ name: _name, enabled, ...rest }: Partial<JobInput>): boolean => enabled !== true && Object.keys(rest).length === 0;

const toView = (job: JobRecord, lastRun: JobRunRecord | undefined): JobView => ({ job, lastRun });

/** Another author does not go on in the session of the first one. */
function authorOf({ keyName: before, sessionId }: JobRecord, { keyName: editor }: Actor): Pick<JobRecord, 'keyName' | 'sessionId'> {
  const keyName = authorAfter(before, editor);
  return { keyName, sessionId: keyName === before ? sessionId : undefined };
}

/** Applies the changes of a request, made at `updatedAt`. */
async function toChanged(
  job: JobRecord,
  changes: Partial<Omit<JobRecord, 'tenantId' | 'id'>> & Pick<JobRecord, 'updatedAt'>,
): Promise<JobRecord> {
  const hasEnded = 'at' in job.schedule && job.schedule.at <= changes.updatedAt && job.pausedReason === undefined;
  const changed = { ...job, enabled: changes.schedule && hasEnded ? true : job.enabled, ...changes };
  if (changes.enabled === false) return disabled(changed);
  const isNew = changes.schedule !== undefined;
  const isRestarted = changed.enabled && (!job.enabled || isNew);
  return isRestarted ? scheduled(withoutPause(changed), { now: changes.updatedAt, isNew }) : changed;
}

/** The enabled job with its first due time from now on. `isNew`: the schedule was checked just now. Throws when no due time is left. */
async function scheduled(job: JobRecord, { now, isNew }: { now: number; isNew: boolean }): Promise<JobRecord> {
  const { schedule } = job;
  // A time of the last minute was accepted with the schedule, and is due at once.
  const nextRunAt = isNew && 'at' in schedule ? schedule.at : await nextDueTime(job, now);
  if (nextRunAt !== undefined) return { ...job, nextRunAt };
  const param = 'at' in schedule ? '/schedule/at' : '/schedule/cron';
  throw invalidField(param, 'no due time is left; set another one.', '已没有到期时间；请另设一个。');
}

function withoutPause({ pausedReason: _reason, queuedDueAt: _queued, ...job }: JobRecord): JobRecord {
  return { ...job, failures: 0 };
}

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `There are ${MAX_JOBS} jobs, which is the limit. Delete one first.`,
    messageZh: `已有 ${MAX_JOBS} 个任务，达到上限。请先删除一个。`,
    details: { limit: MAX_JOBS },
  });

/** The services of this feature, by the names under which its controllers inject them. */
export interface JobServices {
  jobService: JobService;
}
