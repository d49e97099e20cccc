import type { JobRecord, JobRunRecord } from '../../../src/feature/jobs/store/job_records';
import type { Store } from '../../../src/port/store/store';
import { aRun, aSession, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const aJob = (fields: Partial<JobRecord> = {}): JobRecord => ({
  tenantId: TENANT,
  id: 'job_1',
  name: 'Water the beds',
  schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' },
  input: 'Which beds are dry?',
  agent: 'default',
  locale: 'en',
  session: 'new',
  onMissed: 'run',
  onOverlap: 'skip',
  enabled: true,
  nextRunAt: 5_000,
  failures: 0,
  version: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...fields,
});

const aJobRun = (fields: Partial<JobRunRecord> = {}): Omit<JobRunRecord, 'status' | 'startedAt'> => ({
  tenantId: TENANT,
  jobId: 'job_1',
  runId: 'run_1',
  sessionId: 'ses_1',
  dueAt: 5_000,
  trigger: 'schedule',
  createdAt: 5_001,
  ...fields,
});

export function describeJobs(store: CurrentStore): void {
  const insert = (...jobs: JobRecord[]) =>
    store().transaction('none', async tx => {
      for (const job of jobs) await tx.jobs.insert(job);
    });

  test('reads a job as it was stored, with and without optional fields', async () => {
    const full = aJob({
      id: 'job_2',
      schedule: { everyMs: 60_000 },
      locale: 'zh-CN',
      session: 'same',
      enabled: false,
      queuedDueAt: 4_000,
      sessionId: 'ses_9',
      failures: 5,
      pausedReason: 'five failures',
      keyName: 'ci',
    });
    delete full.nextRunAt;
    await insert(aJob(), full);
    expect(await store().read.jobs.get(TENANT, 'job_1')).toEqual(aJob());
    expect(await store().read.jobs.get(TENANT, 'job_2')).toEqual(full);
    expect(await store().read.jobs.get('globex', 'job_1')).toBeUndefined();
    await expect(insert(aJob())).rejects.toMatchObject({ code: 'internal' });
  });

  test('lists and counts the jobs of a tenant, the oldest first, in pages', async () => {
    await insert(aJob({ id: 'job_b' }), aJob({ id: 'job_a' }), aJob({ id: 'job_c', createdAt: 500 }), aJob({ tenantId: 'globex' }));
    const first = await store().read.jobs.list(TENANT, { limit: 2, maxBytes: 1_000_000 });
    expect(first.data.map(job => job.id)).toEqual(['job_c', 'job_a']);
    const second = await store().read.jobs.list(TENANT, { limit: 2, cursor: first.nextCursor! });
    expect(second).toEqual({ data: [aJob({ id: 'job_b' })] });
    expect([await store().read.jobs.count(TENANT), await store().read.jobs.count('initech')]).toEqual([3, 0]);
  });

  test('updates a job only while its version is the expected one', async () => {
    await insert(aJob());
    const changed = aJob({ name: 'Weed', nextRunAt: 9_000 });
    expect(await store().transaction('none', tx => tx.jobs.update(changed))).toBe(true);
    expect(await store().transaction('none', tx => tx.jobs.update(aJob({ name: 'Too late' })))).toBe(false);
    expect(await store().transaction('none', tx => tx.jobs.update(aJob({ tenantId: 'globex', version: 2 })))).toBe(false);
    expect(await store().read.jobs.get(TENANT, 'job_1')).toEqual({ ...changed, version: 2 });
  });

  test('finds due and queued jobs of all tenants and the next due time', async () => {
    expect(await store().read.jobs.nextTimes()).toEqual({ isQueued: false });
    const waiting = aJob({ id: 'job_w', queuedDueAt: 1_000, nextRunAt: 9_000 });
    const disabled = aJob({ id: 'job_d', enabled: false });
    delete disabled.nextRunAt;
    await insert(aJob(), aJob({ tenantId: 'globex', nextRunAt: 4_000 }), aJob({ id: 'job_later', nextRunAt: 5_001 }), disabled);
    expect(await store().read.jobs.nextTimes()).toEqual({ nextRunAt: 4_000, isQueued: false });
    expect((await store().read.jobs.due(3_999)).length).toBe(0);
    await insert(waiting);
    expect((await store().read.jobs.due(5_000)).map(job => [job.tenantId, job.id])).toEqual([
      ['globex', 'job_1'],
      [TENANT, 'job_1'],
      [TENANT, 'job_w'],
    ]);
    expect(await store().read.jobs.nextTimes()).toEqual({ nextRunAt: 4_000, isQueued: true });
    expect([await store().read.jobs.countOverdue(4_000), await store().read.jobs.countOverdue(4_001)]).toEqual([0, 1]);
  });

  describe('runs', () => {
    const record = (...runs: Omit<JobRunRecord, 'status' | 'startedAt'>[]) =>
      store().transaction('none', async tx => {
        for (const run of runs) await tx.jobs.insertRun(run);
      });

    beforeEach(() =>
      seed(store(), async tx => {
        await tx.runs.insert(aRun({ id: 'run_2', status: 'queued' }));
        await tx.sessions.insert(aSession({ id: 'ses_2' }));
        await tx.runs.insert(aRun({ id: 'run_3', sessionId: 'ses_2', status: 'failed', startedAt: 5_100 }));
        await tx.jobs.insert(aJob());
        await tx.jobs.insert(aJob({ id: 'job_2' }));
      }),
    );

    test('lists the runs of a job, the newest first, with the present state of each run', async () => {
      await record(aJobRun(), aJobRun({ runId: 'run_2', dueAt: 6_000 }), aJobRun({ jobId: 'job_2', runId: 'run_3', sessionId: 'ses_2' }));
      const { read } = store();
      const first = await read.jobs.listRuns(TENANT, 'job_1', { limit: 1, maxBytes: 1_000_000 });
      expect(first.data).toEqual([{ ...aJobRun({ runId: 'run_2', dueAt: 6_000 }), status: 'queued' }]);
      const second = await read.jobs.listRuns(TENANT, 'job_1', { limit: 1, cursor: first.nextCursor! });
      expect(second).toEqual({ data: [{ ...aJobRun(), status: 'running' }] });
      const latest = await read.jobs.latestRuns(TENANT);
      expect(latest.map(run => [run.jobId, run.runId, run.status, run.startedAt]).sort()).toEqual([
        ['job_1', 'run_2', 'queued', undefined],
        ['job_2', 'run_3', 'failed', 5_100],
      ]);
      expect((await read.jobs.latestRuns(TENANT, 'job_1')).map(run => run.runId)).toEqual(['run_2']);
      expect(await read.jobs.countUnfinishedRuns(TENANT, 'job_1')).toBe(2);
      expect(await read.jobs.countUnfinishedRuns(TENANT, 'job_2')).toBe(0);
      expect([await read.jobs.hasRun(TENANT, 'job_1', 5_000), await read.jobs.hasRun(TENANT, 'job_1', 5_002)]).toEqual([true, false]);
      expect(await read.jobs.ofRun(TENANT, 'run_3')).toEqual({ job: aJob({ id: 'job_2' }), trigger: 'schedule' });
      expect(await read.jobs.ofRun('globex', 'run_3')).toBeUndefined();
    });

    test('refuses a second run for a due time, and allows manual runs at the same time', async () => {
      await record(aJobRun());
      await expect(record(aJobRun({ runId: 'run_2', trigger: 'missed' }))).rejects.toMatchObject({ code: 'internal' });
      await record(aJobRun({ runId: 'run_2', trigger: 'manual' }), aJobRun({ runId: 'run_3', trigger: 'manual' }));
      await expect(record(aJobRun({ jobId: 'job_2', runId: 'run_9' }))).rejects.toMatchObject({ code: 'internal' });
    });

    test('removes the list of runs with the job, and one entry with its session', async () => {
      await record(aJobRun(), aJobRun({ runId: 'run_3', sessionId: 'ses_2', dueAt: 6_000 }));
      await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_2'));
      const { read } = store();
      expect((await read.jobs.listRuns(TENANT, 'job_1', { limit: 9 })).data.map(run => run.runId)).toEqual(['run_1']);
      expect(await store().transaction('none', tx => tx.jobs.delete('globex', 'job_1'))).toBe(false);
      expect(await store().transaction('none', tx => tx.jobs.delete(TENANT, 'job_1'))).toBe(true);
      expect(await store().transaction('none', tx => tx.jobs.delete(TENANT, 'job_1'))).toBe(false);
      expect((await read.jobs.listRuns(TENANT, 'job_1', { limit: 9 })).data).toEqual([]);
      expect(await read.runs.get(TENANT, 'run_1')).toBeDefined();
    });
  });
}

/** Two processes claim the same due time. */
export function describeSharedJobs(store: CurrentStore, another: () => Promise<Store>): void {
  test('lets only one of two processes claim a due time', async () => {
    const other = await another();
    await store().transaction('none', tx => tx.jobs.insert(aJob()));
    const claim = (from: Store) => from.transaction('none', tx => tx.jobs.update(aJob({ nextRunAt: 9_000 })));
    const wins = await Promise.all([claim(store()), claim(other)]);
    expect(wins.filter(Boolean)).toHaveLength(1);
  });
}
