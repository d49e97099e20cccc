/** Due times and the runs that they make, with a clock that the test moves. */
import { AppError } from '../../../src/errors';
import { createJobBench, type JobBench } from '../../support/job_bench';
import { TENANT_USER } from '../../support/no_owners';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = '2026-05-01T07:00:00.000Z';

let temporary: TemporaryStore;
let bench: JobBench;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  bench = createJobBench(temporary.store, START);
});
afterEach(async () => {
  bench.scheduler.stop();
  await temporary.release();
});

const startScheduler = (of = bench) => of.clock.looks(() => of.scheduler.start());
/** A process that starts later, on the same store. */
async function startLater(time: string): Promise<void> {
  bench.scheduler.stop();
  bench = createJobBench(temporary.store, time);
  await startScheduler();
}
const create = async (input: Parameters<JobBench['create']>[0] = {}) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  await bench.clock.looks(async () => resolve((await bench.create(input)).id));
  return promise;
};
const dueTimes = async (id: string) => (await bench.runs(id)).map(run => `${run.trigger} ${new Date(run.dueAt).toISOString()}`);
const endRuns = async (id: string) => {
  for (const run of await bench.runs(id)) if (run.status === 'queued') await bench.endRun(run.runId);
};

it('arms no timer while no job has a due time', async () => {
  await startScheduler();
  expect(bench.clock.armed).toBe(0);
  await create({ enabled: false });
  expect(bench.clock.armed).toBe(0);
  await create();
  expect(bench.clock.armed).toBe(1);
});

it('makes one run for each due time, with the job in its session', async () => {
  await startScheduler();
  const id = await create();
  await bench.clock.pass(HOUR);
  await endRuns(id);
  await bench.clock.pass(DAY);
  expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z', 'schedule 2026-05-02T08:00:00.000Z']);
  expect(bench.requests[0]).toMatchObject({
    door: 'job',
    text: 'Water the beds',
    newSession: { title: 'Water', origin: { jobId: id } },
    interaction: { clarify: 'text', approvals: 'none' },
  });
  expect(new Date((await bench.job(id)).nextRunAt ?? 0).toISOString()).toBe('2026-05-03T08:00:00.000Z');
});

describe('due times that passed while no gateway ran', () => {
  it.each([
    ['run', ['schedule 2026-05-01T08:00:00.000Z', 'missed 2026-05-02T08:00:00.000Z']],
    ['skip', ['schedule 2026-05-01T08:00:00.000Z']],
  ] as const)('%s: at most one run for all of them', async (onMissed, expected) => {
    await startScheduler();
    const id = await create({ onMissed });
    await bench.clock.pass(HOUR);
    await endRuns(id);
    await startLater('2026-05-05T12:00:00.000Z');
    expect(await dueTimes(id)).toEqual(expected);
    expect(new Date((await bench.job(id)).nextRunAt ?? 0).toISOString()).toBe('2026-05-06T08:00:00.000Z');
  });

  it('disables a job whose only time was missed and skipped', async () => {
    await startScheduler();
    const id = await create({ onMissed: 'skip', schedule: { at: '2026-05-01T08:00:00Z' } });
    await startLater('2026-05-01T08:00:02.000Z');
    expect(await dueTimes(id)).toEqual([]);
    expect(await bench.job(id)).toMatchObject({ enabled: false });
  });

  it('counts intervals from the creation, also over the gap', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: 40 * MINUTE } });
    await startLater('2026-05-01T08:30:00.000Z');
    await endRuns(id);
    await bench.clock.pass(HOUR);
    expect(await dueTimes(id)).toEqual(['missed 2026-05-01T07:40:00.000Z', 'schedule 2026-05-01T09:00:00.000Z']);
  });
});

it('takes the due time of a job that changed after it was read only from the new schedule', async () => {
  const read = await bench.create();
  await bench.jobs.updateJob(TENANT_USER, read.id, { schedule: { cron: '50 7 * * *', timeZone: 'UTC' } });
  bench.clock.step(HOUR);
  const look = { now: bench.clock.now(), isMissed: false };
  await bench.starter.startDueRun(read, look);
  expect(await dueTimes(read.id)).toEqual([]);
  await bench.starter.startDueRun(await bench.job(read.id), look);
  expect(await dueTimes(read.id)).toEqual(['schedule 2026-05-01T07:50:00.000Z']);
  expect(new Date((await bench.job(read.id)).nextRunAt ?? 0).toISOString()).toBe('2026-05-02T07:50:00.000Z');
});

describe('when the wall clock is set', () => {
  it('back: repeats no due time', async () => {
    await startScheduler();
    const id = await create();
    await bench.clock.pass(HOUR + MINUTE);
    await endRuns(id);
    bench.clock.step(-2 * HOUR);
    await bench.clock.pass(5 * HOUR);
    expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z']);
    // Even when the schedule is set anew in the repeated hours.
    bench.clock.step(-5 * HOUR);
    await bench.clock.looks(() => bench.jobs.updateJob(TENANT_USER, id, { schedule: { cron: '0 8 * * *', timeZone: 'UTC' } }));
    await bench.clock.pass(3 * HOUR);
    expect(await dueTimes(id)).toHaveLength(1);
    expect(bench.errors).toEqual([]);
  });

  it('forward: notices it within a minute and makes one run', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: HOUR } });
    bench.clock.step(3 * HOUR + MINUTE);
    await bench.clock.pass(MINUTE);
    expect(await dueTimes(id)).toEqual(['missed 2026-05-01T08:00:00.000Z']);
    expect(new Date((await bench.job(id)).nextRunAt ?? 0).toISOString()).toBe('2026-05-01T11:00:00.000Z');
  });
});

describe('a due time while a run of the job goes on', () => {
  it('skip: makes no run', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: HOUR } });
    await bench.clock.pass(2 * HOUR + MINUTE);
    await endRuns(id);
    await bench.clock.pass(HOUR);
    expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z', 'schedule 2026-05-01T10:00:00.000Z']);
  });

  it('queue: makes one run when the first has ended, however many due times passed', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: HOUR }, onOverlap: 'queue' });
    await bench.clock.pass(3 * HOUR + MINUTE);
    expect(await bench.runs(id)).toHaveLength(1);
    await endRuns(id);
    await bench.clock.pass(2_000);
    expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z', 'schedule 2026-05-01T09:00:00.000Z']);
    await endRuns(id);
    await bench.clock.pass(HOUR);
    expect((await dueTimes(id)).at(-1)).toBe('schedule 2026-05-01T11:00:00.000Z');
  });
});

describe('failures', () => {
  async function failTimes(id: string, times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      await bench.clock.pass(HOUR);
      const last = (await bench.runs(id)).at(-1);
      await bench.endRun(last?.runId ?? '', 'failed');
    }
  }

  it('pauses the job after five in a row, with a reason, and a person resumes it', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: HOUR } });
    await failTimes(id, 4);
    expect(await bench.job(id)).toMatchObject({ enabled: true, failures: 4 });
    await failTimes(id, 1);
    const paused = await bench.job(id);
    expect(paused).toMatchObject({ enabled: false, pausedReason: '5 runs failed in a row. The last error: The model refused.' });
    expect(paused.nextRunAt).toBeUndefined();
    await bench.clock.pass(DAY);
    expect(await bench.runs(id)).toHaveLength(5);
    await bench.jobs.updateJob(TENANT_USER, id, { enabled: true });
    const resumed = await bench.job(id);
    expect(resumed).toMatchObject({ enabled: true, failures: 0 });
    expect(resumed.pausedReason).toBeUndefined();
  });

  it('counts neither manual nor cancelled runs, and starts again after a success', async () => {
    await startScheduler();
    const id = await create({ schedule: { everyMs: HOUR } });
    await failTimes(id, 3);
    for (let i = 0; i < 3; i++) await bench.endRun((await bench.jobs.runJobNow(TENANT_USER, id)).run.id, 'failed');
    await bench.clock.pass(HOUR);
    await bench.endRun((await bench.runs(id)).at(-1)?.runId ?? '', 'cancelled');
    expect(await bench.job(id)).toMatchObject({ enabled: true, failures: 3 });
    await bench.clock.pass(HOUR);
    await bench.endRun((await bench.runs(id)).at(-1)?.runId ?? '');
    expect(await bench.job(id)).toMatchObject({ enabled: true, failures: 0 });
  });

  it('pauses a job whose agent is gone', async () => {
    await startScheduler();
    const id = await create({ agent: 'gardener' });
    await bench.clock.pass(HOUR);
    expect(await bench.job(id)).toMatchObject({ enabled: false, pausedReason: 'There is no agent gardener any more.' });
  });
});

it('tries a due time again when the queue of runs was full', async () => {
  await startScheduler();
  const id = await create();
  bench.refuse(new AppError('rate_limited'));
  await bench.clock.pass(HOUR + 10_000);
  expect(await bench.runs(id)).toEqual([]);
  bench.refuse(undefined);
  await bench.clock.pass(10_000);
  expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z']);
});

it('a due time that cannot be started does not make later ones of other jobs missed, and stays missed itself', async () => {
  await startScheduler();
  const late = await create({ schedule: { at: '2026-05-01T08:00:00Z' } });
  await bench.clock.pass(MINUTE);
  bench.scheduler.stop();
  bench = createJobBench(temporary.store, '2026-05-01T08:00:02.000Z');
  bench.refuse(new AppError('rate_limited'));
  await startScheduler();
  const inTime = await create({ schedule: { at: '2026-05-01T08:00:06Z' }, onMissed: 'skip' });
  await bench.clock.pass(7_000);
  bench.refuse(undefined);
  await bench.clock.pass(5_000);
  expect(await dueTimes(inTime)).toEqual(['schedule 2026-05-01T08:00:06.000Z']);
  expect(await dueTimes(late)).toEqual(['missed 2026-05-01T08:00:00.000Z']);
});

it('starts nothing any more after stop', async () => {
  await startScheduler();
  const id = await create();
  bench.scheduler.stop();
  await bench.clock.pass(DAY);
  expect(await bench.runs(id)).toEqual([]);
});

it('makes one run for a due time that two processes see', async () => {
  await startScheduler();
  const id = await create();
  const other = createJobBench(await temporary.openAnother(), START);
  await startScheduler(other);
  for (let day = 0; day < 5; day++) {
    await Promise.all([bench.clock.pass(DAY), other.clock.pass(DAY)]);
    await endRuns(id);
  }
  expect(await dueTimes(id)).toEqual(['01', '02', '03', '04', '05'].map(day => `schedule 2026-05-${day}T08:00:00.000Z`));
  expect(bench.requests.length + other.requests.length).toBe(5);
  expect([...bench.errors, ...other.errors]).toEqual([]);
  other.scheduler.stop();
});

it('takes over the jobs of another process that has died, once it has looked again', async () => {
  const other = createJobBench(await temporary.openAnother(), START);
  await startScheduler(other);
  await startScheduler();
  const id = await create();
  bench.scheduler.stop();
  expect(other.clock.armed).toBe(0);
  await other.clock.looks(() => other.scheduler.wake());
  await other.clock.pass(HOUR);
  expect(await dueTimes(id)).toEqual(['schedule 2026-05-01T08:00:00.000Z']);
  other.scheduler.stop();
});

it('pauses a job whose stored time zone does not exist, instead of trying for ever', async () => {
  await startScheduler();
  const id = await create();
  const job = await bench.job(id);
  const schedule = { cron: '0 8 * * *', timeZone: 'Mars/Olympus' };
  await temporary.store.transaction('none', tx => tx.jobs.update({ ...job, schedule }));
  await bench.clock.pass(HOUR);
  expect(await bench.job(id)).toMatchObject({ enabled: false, pausedReason: expect.stringContaining('Mars/Olympus') });
  expect(bench.errors).toEqual([]);
  expect(await bench.runs(id)).toEqual([]);
});

it('enables a job whose time has passed when it gets a new one', async () => {
  await startScheduler();
  const id = await create({ schedule: { at: '2026-05-01T08:00:00Z' } });
  await bench.clock.pass(HOUR);
  await endRuns(id);
  expect(await bench.job(id)).toMatchObject({ enabled: false });
  const change = (input: Parameters<typeof bench.jobs.updateJob>[2]) =>
    bench.clock.looks(() => bench.jobs.updateJob(TENANT_USER, id, input));
  await change({ schedule: { at: '2026-05-01T10:00:00Z' }, enabled: false });
  expect(await bench.job(id)).toMatchObject({ enabled: false });
  await change({ schedule: { at: '2026-05-01T10:00:00Z' } });
  expect(await bench.job(id)).toMatchObject({ enabled: false });
  await change({ enabled: true });
  await bench.clock.pass(2 * HOUR);
  await endRuns(id);
  await change({ schedule: { at: '2026-05-01T11:00:00Z' } });
  expect(await bench.job(id)).toMatchObject({ enabled: true, nextRunAt: Date.parse('2026-05-01T11:00:00Z') });
  await bench.clock.pass(HOUR);
  expect(await dueTimes(id)).toEqual([
    'schedule 2026-05-01T08:00:00.000Z',
    'schedule 2026-05-01T10:00:00.000Z',
    'schedule 2026-05-01T11:00:00.000Z',
  ]);
});

it('tries a job of a used-up day once a minute without a word, and starts it when the day is free again', async () => {
  await startScheduler();
  const id = await create();
  await bench.clock.pass(HOUR - MINUTE);
  bench.refuse(new AppError('quota_exceeded', { retryAfterMs: 10 * HOUR }));
  await bench.clock.pass(5 * MINUTE);
  expect(bench.refusals()).toBeGreaterThan(2);
  expect(bench.refusals()).toBeLessThan(8);
  bench.refuse(undefined);
  await bench.clock.pass(MINUTE);
  expect(await dueTimes(id)).toHaveLength(1);
  expect(bench.errors).toEqual([]);
});
