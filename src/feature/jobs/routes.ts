/** DOOR 2, jobs: prompts on a schedule, and the runs that they started. */
import { Controller, Param } from '@midwayjs/core';
import {
  bodyOf,
  encodePage,
  markReplay,
  onceOf,
  originOf,
  pageOf,
  principalOf,
  queryOf,
  requestKeyOf,
} from '../../controller/http_request';
import { done, page, RestController, routesWith, START_ERRORS } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader, PAGE_QUERY } from '../../controller/schemas/common';
import { NOT_SEEN_ANSWER } from '../../controller/schemas/owned_schemas';
import { InjectService } from '../../inject_service';
import type { OwnedThings, ThingUser } from '../../service/access/owned_things';
import type { SessionAccess } from '../../service/access/session_access';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import type { JobService, JobServices, JobView } from './job_service';
import { Job, JobPatch, JobRequest, JobRun, JobRunStarted } from './schemas';
import { toWireJob, toWireJobRun } from './wire_jobs';

const TAG = {
  name: 'jobs',
  description: {
    en: 'Prompts that the gateway gives to an agent by itself, on a schedule.',
    'zh-CN': '网关按时间安排自动交给智能体的任务。',
  },
};
const JOB = named('Job', Job);
const PageQuery = closedObject(PAGE_QUERY);

const { Get, Post, Patch, Delete } = routesWith({ scope: 'chat', tag: TAG });

@Controller('/api/v1/jobs')
export class JobsController extends RestController {
  @InjectService<JobServices>() jobService!: JobService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() ownedThings!: OwnedThings;

  @Get('/', 'listJobs', {
    summary: { en: 'List the jobs, oldest first', 'zh-CN': '列出定时任务，最早的在前' },
    query: PageQuery,
    answers: page(JOB),
  })
  async list() {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    const { data, ...rest } = await this.jobService.listJobs(this.user, request);
    return encodePage({ ...rest, data: await Promise.all(data.map(view => this.shown(view))) }, toWireJob);
  }

  @Post('/', 'createJob', {
    summary: { en: 'Create a job', 'zh-CN': '新建定时任务' },
    description: {
      en: 'At most 50 jobs of a person, and 50 of the tenant. Nobody can be asked in its runs: a question becomes the answer of the run, and a tool call that needs approval is refused unless a rule allows it.',
      'zh-CN':
        '每人最多 50 个，租户的也最多 50 个。它的运行中无法询问任何人：提问会成为运行的回答；需要审批的工具调用会被拒绝，除非有规则放行。',
    },
    headers: IdempotencyHeader,
    body: JobRequest,
    longField: 'input',
    answers: {
      201: { description: { en: 'The job exists; Location says where', 'zh-CN': '任务已建立；Location 指明位置' }, json: JOB },
    },
    errors: ['not_found', 'quota_exceeded', 'idempotency_mismatch', 'store_unavailable'],
  })
  async create() {
    const input = bodyOf(this.ctx, JobRequest);
    const once = onceOf(this.ctx, 'createJob', input);
    const view = await this.jobService.createJob(this.user, input, once);
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/jobs/${view.job.id}`);
    return toWireJob(view);
  }

  @Get('/:id', 'getJob', {
    summary: { en: 'Read a job', 'zh-CN': '读取定时任务' },
    answers: done(JOB),
  })
  async get(@Param('id') id: string) {
    return toWireJob(await this.shown(await this.jobService.getJob(this.user, decodeId(id))));
  }

  @Patch('/:id', 'updateJob', {
    summary: { en: 'Change, pause or resume a job', 'zh-CN': '修改、暂停或恢复定时任务' },
    description: {
      en: 'Fields that are left out stay as they are; a schedule is replaced as a whole. A new schedule enables a job whose `at` has passed, unless `enabled` is false.',
      'zh-CN': '省略的字段保持不变；schedule 整体替换。`at` 已过的任务得到新的 schedule 后重新启用，除非 `enabled` 为 false。',
    },
    body: JobPatch,
    longField: 'input',
    answers: { ...done(JOB), ...NOT_SEEN_ANSWER },
    errors: ['forbidden', 'store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const changes = bodyOf(this.ctx, JobPatch);
    const view = await this.jobService.updateJob(this.user, decodeId(id), changes);
    if (view) return toWireJob(await this.shown(view));
    this.ctx.status = 204;
    return undefined;
  }

  @Delete('/:id', 'deleteJob', {
    summary: { en: 'Delete a job', 'zh-CN': '删除定时任务' },
    description: { en: 'Its sessions stay, and a run in progress goes on.', 'zh-CN': '它的会话会保留，进行中的运行照常继续。' },
    answers: { 204: { description: { en: 'The job is deleted', 'zh-CN': '任务已删除' } } },
    errors: ['forbidden'],
  })
  async remove(@Param('id') id: string) {
    await this.jobService.deleteJob(this.user, decodeId(id));
    this.ctx.status = 204;
  }

  @Post('/:id/run', 'runJob', {
    summary: { en: 'Run a job now', 'zh-CN': '立即运行定时任务' },
    description: {
      en: 'Also while the job is paused. The schedule stays as it is, and a failure does not count towards a pause.',
      'zh-CN': '任务暂停时也可以。时间安排不变，失败也不计入暂停的次数。',
    },
    headers: IdempotencyHeader,
    answers: {
      202: { description: { en: 'The run is accepted', 'zh-CN': '运行已被接受' }, json: named('JobRunStarted', JobRunStarted) },
    },
    errors: ['forbidden', 'idempotency_mismatch', ...START_ERRORS],
  })
  async run(@Param('id') id: string) {
    const jobId = decodeId(id);
    const key = requestKeyOf(this.ctx, { jobId });
    const caller = { ...this.user, ...originOf(this.ctx) };
    const { run, deduplicated } = await this.jobService.runJobNow(caller, jobId, key);
    this.ctx.state.isRunStored = true;
    if (deduplicated) this.ctx.set('idempotency-replayed', 'true');
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/runs/${run.id}`);
    this.ctx.status = 202;
    return { runId: run.id, sessionId: run.sessionId };
  }

  @Get('/:id/runs', 'listJobRuns', {
    summary: { en: 'List the runs of a job, newest first', 'zh-CN': '列出定时任务的运行，最新的在前' },
    query: PageQuery,
    answers: page(named('JobRun', JobRun)),
  })
  async runs(@Param('id') id: string) {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    const { data, ...rest } = await this.jobService.listRuns(this.user, decodeId(id), request);
    const seen = await this.sessionAccess.keepSeen(principalOf(this.ctx), data, ({ sessionId }) => sessionId);
    return encodePage({ ...rest, data: seen }, toWireJobRun);
  }

  private get user(): ThingUser {
    return this.ownedThings.userOf(principalOf(this.ctx));
  }

  /** Leaves out the last run when the caller does not see its session. */
  private async shown({ lastRun, ...view }: JobView): Promise<JobView> {
    const isSeen = lastRun && (await this.sessionAccess.maySee(principalOf(this.ctx), lastRun.sessionId));
    return isSeen ? { ...view, lastRun } : view;
  }
}
