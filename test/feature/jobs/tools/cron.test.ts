import { AppError } from '../../../../src/errors';
import { cronTool } from '../../../../src/feature/jobs/tools/cron';
import type { JobAccess, JobView } from '../../../../src/feature/jobs/tools/job_access';
import { createApprovalPolicy } from '../../../../src/runtime/approval/approval_policy';
import type { ToolContext } from '../../../../src/tools/common';
import { createJobBench } from '../../../support/job_bench';
import { TENANT } from '../../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../../support/temporary_store';

let temporary: TemporaryStore;
let access: JobAccess;

beforeEach(async () => {
  temporary = await openTemporaryStore();
  access = createJobBench(temporary.store, '2026-10-24T12:00:00Z').jobs.accessFor({ tenantId: TENANT, locale: 'en' });
});
afterEach(() => temporary.release());

const call = (args: Record<string, unknown>, locale: 'en' | 'zh-CN' = 'en', jobs: JobAccess = access) =>
  cronTool.execute(args, { locale, jobs } as ToolContext);
const DAILY = {
  action: 'create',
  name: 'Report',
  schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' },
  input: 'Write the report.',
};

it.each([
  [
    'en',
    /^Created the job\.\n- job_\w+ "Report": cron 0 8 \* \* \* \(Europe\/Berlin\); next run: Sunday,? 25 October 2026 at 08:00 \(Europe\/Berlin\)/,
  ],
  ['zh-CN', /^已创建任务。\n- job_\w+“Report”：cron 0 8 \* \* \* \(Europe\/Berlin\)；下次运行：2026年10月25日星期日 08:00/],
] as const)('says in %s when the job runs next, in its own time zone', async (locale, expected) => {
  const { ok, content } = await call(DAILY, locale);
  expect([ok, content]).toEqual([true, expect.stringMatching(expected)]);
});

it('lists, changes and deletes jobs, and says so', async () => {
  expect((await call({ action: 'list' })).content).toBe('There are no jobs.');
  const { details } = await call(DAILY);
  const id = details?.['jobId'];
  expect((await call({ action: 'update', id, enabled: false })).content).toMatch(/^Changed the job\.\n.*; disabled\n/);
  expect((await call({ action: 'list' }, 'zh-CN')).content).toMatch(/已停用\n {2}智能体 default，每次新会话，消息：Write the report\.$/);
  expect((await call({ action: 'run_now', id })).content).toMatch(/^Started the job job_\w+: run run_\w+ in session ses_\w+\.$/);
  expect((await call({ action: 'list' })).content).toMatch(
    /\n {2}last run: Saturday,? 24 October 2026 at 14:00 \(Europe\/Berlin\), queued$/,
  );
  expect((await call({ action: 'delete', id })).content).toContain('Its sessions stay.');
  expect(await call({ action: 'delete', id })).toMatchObject({ ok: false, content: 'Nothing was changed. There is no such job.' });
});

it.each([
  [{ action: 'create', name: 'x' }, 'create needs schedule, input'],
  [{ action: 'update', enabled: true }, 'update needs id'],
  [{ action: 'run_now' }, 'run_now needs id'],
  [{ action: 'update', id: 'job_1' }, 'name the fields to change'],
  [{ ...DAILY, schedule: { cron: '0 0 31 2 *' } }, '/schedule/cron: never fires'],
  [{ ...DAILY, schedule: { everyMs: 1 } }, '/schedule/everyMs: must be'],
])('refuses %j and says what is wrong', async (args, reason) => {
  const { ok, content } = await call(args);
  expect([ok, content]).toEqual([false, expect.stringContaining(reason)]);
  expect(await access.listJobs()).toEqual([]);
});

it('passes on an unexpected failure, which the runner reports as a bug', async () => {
  const broken = { ...access, listJobs: () => Promise.reject<JobView[]>(new Error('broken')) };
  await expect(call({ action: 'list' }, 'en', broken)).rejects.toThrow('broken');
  const away = { ...access, listJobs: () => Promise.reject<JobView[]>(new AppError('store_unavailable')) };
  expect(await call({ action: 'list' }, 'en', away)).toMatchObject({ ok: false });
});

it.each([
  ['allow', { action: 'list' }],
  ['allow', { action: 'update', id: 'job_1', enabled: false }],
  ['allow', { action: 'update', id: 'job_1', name: 'New name' }],
  ['ask', { action: 'update', id: 'job_1', enabled: true }],
  ['ask', { action: 'update', id: 'job_1', enabled: false, input: 'something else' }],
  ['ask', { action: 'update', id: 'job_1', schedule: { everyMs: 60_000 } }],
  ['ask', { action: 'delete', id: 'job_1' }],
  ['ask', { action: 'run_now', id: 'job_1' }],
  ['ask', DAILY],
])('%s: a person and %j', (decision, args) => {
  const policy = createApprovalPolicy({ rules: [], isIsolated: true });
  expect(policy.judge({ tool: cronTool, args }).decision).toBe(decision);
});
