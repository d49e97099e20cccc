/** Jobs over REST: what a program can make of them, and what their runs are. */
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';

interface JobRun {
  runId: string;
  sessionId: string;
  dueAt: string;
  startedAt?: string;
  status: string;
  trigger: string;
}
interface Job {
  id: string;
  name: string;
  schedule: Record<string, unknown>;
  enabled: boolean;
  nextRunAt?: string;
  lastRun?: JobRun;
  pausedReason?: string;
}

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'jobs start by themselves' });
  bench.model.onTurn('water', 'All beds are wet.');
});

afterAll(() => bench?.stop());

const daily = { name: 'Water the beds', schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' }, input: 'water' };
const create = async (fields: Record<string, unknown> = {}) =>
  (await bench.rest.request<Job>('POST', '/jobs', { ...daily, ...fields })).body;
const runsOf = async (id: string) => (await bench.rest.request<PageBody<JobRun>>('GET', `/jobs/${id}/runs`)).body.data;

it('beaver.builtins creates, reads, changes and deletes a job', async () => {
  const created = await bench.rest.request<Job>('POST', '/jobs', daily);
  expect(created.status).toBe(201);
  const { id, nextRunAt } = created.body;
  expect(created.headers.get('location')).toBe(`/api/v1/jobs/${id}`);
  const fields = { ...daily, agent: 'default', session: 'new', onMissed: 'run', onOverlap: 'skip', enabled: true };
  expect(created.body).toMatchObject({ id: expect.stringMatching(/^job_/), ...fields });
  expect(new Date(nextRunAt!).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('08:00:00');
  expect((await bench.rest.request<Job>('GET', `/jobs/${id}`)).body).toEqual(created.body);
  expect((await bench.rest.request<PageBody<Job>>('GET', '/jobs')).body.data.map(job => job.id)).toContain(id);

  const paused = await bench.rest.request<Job>('PATCH', `/jobs/${id}`, { enabled: false, name: 'Rest' });
  expect(paused).toMatchObject({ status: 200, body: { name: 'Rest', enabled: false } });
  expect(paused.body).not.toHaveProperty('nextRunAt');
  const resumed = await bench.rest.request<Job>('PATCH', `/jobs/${id}`, { enabled: true, schedule: { everyMs: 3_600_000 } });
  expect(resumed.body).toMatchObject({ enabled: true, schedule: { everyMs: 3_600_000 }, nextRunAt: expect.any(String) });

  expect((await bench.rest.request('DELETE', `/jobs/${id}`)).status).toBe(204);
  expect((await bench.rest.request('GET', `/jobs/${id}`)).body.error).toMatchObject({ code: 'not_found' });
});

it('runs a job now, in a session that names the job, and repeats nothing for the same key', async () => {
  const { id } = await create();
  const key = { 'idempotency-key': 'once' };
  const started = await bench.rest.request<{ runId: string; sessionId: string }>('POST', `/jobs/${id}/run`, undefined, key);
  expect(started.status).toBe(202);
  const repeated = await bench.rest.request('POST', `/jobs/${id}/run`, undefined, key);
  expect(repeated.body).toEqual(started.body);
  const { runId, sessionId } = started.body;
  const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
  expect(events[0]).toMatchObject({ type: 'run_start', data: { door: 'job', agent: 'default', input: 'water' } });
  expect(events.at(-1)).toMatchObject({ type: 'run_end', data: { status: 'completed', text: 'All beds are wet.' } });
  expect(await runsOf(id)).toEqual([
    { runId, sessionId, dueAt: expect.any(String), startedAt: expect.any(String), status: 'completed', trigger: 'manual' },
  ]);
  expect((await bench.rest.request<Job>('GET', `/jobs/${id}`)).body.lastRun).toMatchObject({ runId, status: 'completed' });
  const session = await bench.rest.request('GET', `/sessions/${sessionId}`);
  expect(session.body).toMatchObject({ title: 'Water the beds', origin: { jobId: id } });
});

it('runs a job at its time, once, and is disabled then', async () => {
  const at = new Date(Date.now() + 300).toISOString();
  const { id, schedule, nextRunAt } = await create({ schedule: { at } });
  expect([schedule, nextRunAt]).toEqual([{ at }, at]);
  await bench.model.waitFor('water');
  const runs = await until(
    () => runsOf(id),
    ([run]) => run?.status === 'completed',
  );
  expect(runs).toMatchObject([{ dueAt: at, trigger: 'schedule' }]);
  const { body } = await bench.rest.request<Job>('GET', `/jobs/${id}`);
  expect(body).toMatchObject({ enabled: false, lastRun: { runId: runs[0]?.runId } });
  expect(body).not.toHaveProperty('nextRunAt');
});

it('shares one session among the runs of a job, and makes a new one when that is deleted', async () => {
  const { id } = await create({ session: 'same' });
  const run = async () => {
    const { body } = await bench.rest.request<{ runId: string; sessionId: string }>('POST', `/jobs/${id}/run`);
    await bench.rest.stream('GET', `/runs/${body.runId}/events`);
    return body.sessionId;
  };
  const [first, second] = [await run(), await run()];
  expect(second).toBe(first);
  await bench.rest.request('DELETE', `/sessions/${first}`);
  const third = await run();
  expect(third).not.toBe(first);
  expect(await run()).toBe(third);
  expect((await runsOf(id)).map(({ sessionId }) => sessionId)).toEqual([third, third]);
});

describe('bad input', () => {
  const past = new Date(Date.now() - 61_000).toISOString();
  it.each([
    ['a cron with seconds', { schedule: { cron: '0 0 8 * * *' } }, '/schedule/cron'],
    ['a cron that never fires', { schedule: { cron: '0 0 31 2 *' } }, '/schedule/cron'],
    ['a cron that cannot be read', { schedule: { cron: '61 * * * *' } }, '/schedule/cron'],
    ['a date instead of a cron', { schedule: { cron: '2030-01-01T00:00:30' } }, '/schedule/cron'],
    ['an empty cron', { schedule: { cron: '' } }, '/schedule/cron'],
    ['a time zone that does not exist', { schedule: { cron: '0 8 * * *', timeZone: 'Mars/Phobos' } }, '/schedule/timeZone'],
    ['a time zone without cron', { schedule: { everyMs: 60_000, timeZone: 'UTC' } }, '/schedule/timeZone'],
    ['an interval below a minute', { schedule: { everyMs: 59_999 } }, '/schedule/everyMs'],
    ['a fraction of a millisecond', { schedule: { everyMs: 60_000.5 } }, '/schedule/everyMs'],
    ['a time that has passed', { schedule: { at: past } }, '/schedule/at'],
    ['a day that the month does not have', { schedule: { at: '2040-02-30T08:00:00Z' } }, '/schedule/at'],
    ['a time without an offset', { schedule: { at: '2040-02-03T08:00:00' } }, '/schedule/at'],
    ['no schedule inside', { schedule: {} }, '/schedule'],
    ['two schedules', { schedule: { cron: '0 8 * * *', everyMs: 60_000 } }, '/schedule'],
    ['an unknown field', { schedule: { cron: '0 8 * * *', seconds: 1 } }, '/schedule/seconds'],
    ['a blank name', { name: ' ' }, '/name'],
    ['a blank message', { input: '\n' }, '/input'],
    ['a message that is too long', { input: 'x'.repeat(250_000) }, '/input'],
    ['another session', { session: 'other' }, '/session'],
  ])('refuses %s and names the field', async (_case, fields, param) => {
    const { status, body } = await bench.rest.request<ErrorBody>('POST', '/jobs', { ...daily, ...fields });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'invalid_request', param });
    const { id } = await create();
    const patched = await bench.rest.request<ErrorBody>('PATCH', `/jobs/${id}`, fields);
    expect(patched.body.error).toMatchObject({ code: 'invalid_request', param });
    await bench.rest.request('DELETE', `/jobs/${id}`);
  });

  it.each([
    { schedule: { cron: '0 0 8 * * *' } },
    { schedule: { cron: '0 0 31 2 *' } },
    { schedule: { cron: '61 * * * *' } },
    { schedule: { cron: '2030-01-01T00:00:30' } },
    { schedule: { cron: '0 8 * * *', timeZone: 'Mars/Phobos' } },
    { schedule: { everyMs: 60_000, timeZone: 'UTC' } },
    { schedule: { everyMs: 59_999 } },
    { schedule: { at: past } },
    { schedule: { at: '2040-02-30T08:00:00Z' } },
    { schedule: {} },
    { agent: 'nobody' },
  ])('refuses %j in Chinese for a caller who asks for it', async fields => {
    const chinese = await bench.rest.request('POST', '/jobs', { ...daily, ...fields }, { 'accept-language': 'zh-CN' });
    expect(chinese.body.error.message).toMatch(/[\u4e00-\u9fff]/);
    const english = await bench.rest.request('POST', '/jobs', { ...daily, ...fields }, { 'accept-language': 'en' });
    expect(english.body.error.message).not.toMatch(/[\u4e00-\u9fff]/);
    const { message: _message, requestId: _id, ...error } = chinese.body.error;
    expect(english.body.error).toMatchObject(error);
  });

  it('answers not_found for an agent, a job and its parts that do not exist', async () => {
    const missing = await bench.rest.request('POST', '/jobs', { ...daily, agent: 'nobody' });
    expect(missing.body.error).toMatchObject({ code: 'not_found', param: '/agent' });
    for (const [method, path] of [
      ['GET', '/jobs/job_x'],
      ['DELETE', '/jobs/job_x'],
      ['POST', '/jobs/job_x/run'],
      ['GET', '/jobs/job_x/runs'],
    ] as const) {
      expect((await bench.rest.request(method, path)).body.error).toMatchObject({ code: 'not_found' });
    }
    expect((await bench.rest.request('PATCH', '/jobs/job_x', { name: 'x' })).body.error).toMatchObject({ code: 'not_found' });
    const chinese = await bench.rest.request('GET', '/jobs/job_x', undefined, { 'accept-language': 'zh-CN' });
    expect(chinese.body.error.message).toBe('没有这个任务。');
  });

  it('refuses the 51st job', async () => {
    const { data } = (await bench.rest.request<PageBody<Job>>('GET', '/jobs?limit=100')).body;
    for (let count = data.length; count < 50; count++) expect(await create()).toHaveProperty('id');
    const { body } = await bench.rest.request('POST', '/jobs', daily);
    expect(body.error).toMatchObject({ code: 'quota_exceeded', message: expect.stringContaining('50 jobs'), details: { limit: 50 } });
    const all = (await bench.rest.request<PageBody<Job>>('GET', '/jobs?limit=100')).body.data;
    expect(all).toHaveLength(50);
    for (const { id } of all) await bench.rest.request('DELETE', `/jobs/${id}`);
  });
});
