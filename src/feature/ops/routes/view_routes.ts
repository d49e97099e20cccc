/** DOOR 2, what operators see. */

import { Controller, Param } from '@midwayjs/core';
import { pageOf, principalOf, queryOf, sinceOf, writtenLocaleOf } from '../../../controller/http_request';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { LanguageHeader } from '../../../controller/schemas/common';
import { EventsQuery } from '../../../controller/schemas/run_schemas';
import { AppError } from '../../../errors';
import { InjectService } from '../../../inject_service';
import { hasScope, type Principal } from '../../../port/principal';
import type { RunRecord } from '../../../port/store/runs';
import type { PrivateTexts } from '../../../service/access/private_texts';
import type { TextReads } from '../../../service/audit/text_reads';
import type { ServiceSettings } from '../../../service/service_settings';
import { decodeId } from '../../../wire/decode';
import { OpsAuditCheck, OpsConfig, OpsDoctor } from '../schemas/config_schemas';
import { OpsHistory, OpsHistoryQuery } from '../schemas/history_schema';
import { OpsRunsQuery, OpsStreamQuery } from '../schemas/request_schemas';
import { OpsRunDetail, OpsRunExport, OpsRuns } from '../schemas/run_schemas';
import { OpsConnections, OpsLimits, OpsModels, OpsOverview, OpsPeople, OpsTools } from '../schemas/view_schemas';
import { type OpsView, seesMachine, viewOf } from '../shared/ops_view';
import { OpsEventStream } from './ops_event_stream';
import type { OpsServices } from './ops_services';

/** Events of a page. */
const DEFAULT_EVENTS = 500;

const { Get } = routesWith({ scope: 'ops:read', tag: 'ops' });

@Controller('/api/v1/ops')
export class OpsController extends RestController {
  @InjectService<OpsServices>() opsViews!: OpsServices['opsViews'];
  @InjectService<OpsServices>() opsStreams!: OpsServices['opsStreams'];
  @InjectService<OpsServices>() liveRuns!: OpsServices['liveRuns'];
  @InjectService<OpsServices>() runDetails!: OpsServices['runDetails'];
  @InjectService() textReads!: TextReads;
  @InjectService() privateTexts!: PrivateTexts;
  @InjectService<OpsServices>() auditVerifier!: OpsServices['auditVerifier'];
  @InjectService<OpsServices>() opsDoctor!: OpsServices['opsDoctor'];
  @InjectService<OpsServices>() opsHistory!: OpsServices['opsHistory'];
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/overview', 'getOpsOverview', {
    summary: { en: 'Read the state of the gateway with its reasons and figures', 'zh-CN': '读取网关的状态、原因和数据' },
    answers: done(named('OpsOverview', OpsOverview)),
  })
  async overview() {
    return this.opsViews.overview(this.view);
  }

  @Get('/history', 'getOpsHistory', {
    summary: { en: 'Read the charts of a span: runs, times, cost, changes', 'zh-CN': '读取一段时间的图表：运行、耗时、费用、改动' },
    answers: done(named('OpsHistory', OpsHistory)),
    description: {
      en: 'Callers share a reading for 30 seconds. At most the newest 20,000 runs are read; the cost of spans over a day is of whole days in UTC.',
      'zh-CN': '各调用者在 30 秒内共用一次读取。最多读取最新的 20,000 个运行；超过一天的时段，费用按 UTC 整天统计。',
    },
    query: OpsHistoryQuery,
    errors: ['store_unavailable'],
  })
  async history() {
    const { hours = '1' } = queryOf(this.ctx, OpsHistoryQuery);
    return this.opsHistory.read(this.view, Number(hours));
  }

  @Get('/runs', 'listOpsRuns', {
    summary: { en: 'List live runs, then ended ones', 'zh-CN': '列出活动的运行，然后是已结束的' },
    answers: done(named('OpsRuns', OpsRuns)),
    description: {
      en: 'Holds no texts, unless texts asks for the first words and commands. The audit log of each other tenant whose texts the answer holds records it with your key, once an hour. A page may be shorter than the limit and still have a cursor, when few runs pass the filter.',
      'zh-CN':
        '不含文本，除非用 texts 要求消息的开头和命令；答复含有其他租户的文本时，该租户的审计日志会连同你的密钥记录此操作，每小时一次。符合条件的运行很少时，一页可能少于 limit 行但仍有游标。',
    },
    query: OpsRunsQuery,
  })
  async runs() {
    const { agent, door, key, status, reason, since, until, q, stuck, tenant, sort, texts, ...page } = queryOf(this.ctx, OpsRunsQuery);
    const filter = {
      agent,
      door,
      keyName: key,
      status,
      reason,
      since: since === undefined ? undefined : sinceOf(since),
      until: until === undefined ? undefined : sinceOf(until, 'until'),
      id: q,
      isStuck: stuck === undefined ? undefined : true,
    };
    const view = { ...viewOf(principalOf(this.ctx), tenant), textReader: texts === undefined ? undefined : this.textReader };
    const answer =
      sort === undefined
        ? await this.liveRuns.listRuns(view, filter, pageOf(page))
        : await this.liveRuns.listLargest(view, filter, sort, pageOf(page).limit);
    return { ...answer, hasMore: answer.nextCursor !== undefined };
  }

  @Get('/runs/:id', 'getOpsRun', {
    summary: { en: 'Read a run with its waterfall, its tools and its prompt', 'zh-CN': '读取一个运行及其瀑布图、工具和提示词' },
    answers: done(named('OpsRunDetail', OpsRunDetail)),
    description: {
      en: 'Texts of people and models are in the events of the run, which need the scope chat.',
      'zh-CN': '人和模型的文本在运行的事件中，读取它们需要 chat 权限。',
    },
  })
  async run(@Param('id') id: string) {
    const run = await this.findRun(id);
    const detail = await this.runDetails.read(this.view, run.id, { mayReadTexts: this.mayReadTexts });
    return { ...detail, live: await this.liveRuns.findLive(run, { mayReadTexts: this.mayReadTexts }) };
  }

  @Get('/runs/:id/events', 'listOpsRunEvents', {
    summary: { en: 'Read the stored events of a run of any tenant that you see', 'zh-CN': '读取所能查看的租户的运行的已存事件' },
    answers: { 200: { description: { en: 'A page of events', 'zh-CN': '一页事件' }, page: 'RunEvent', events: true } },
    description: {
      en: 'Without the scope chat, texts are replaced by their lengths. For a run of another tenant, the audit log of that tenant records the reading of texts with your key, once an hour.',
      'zh-CN': '没有 chat 权限时，文本以其长度代替。运行属于其他租户时，该租户的审计日志会连同你的密钥记录对文本的读取，每小时一次。',
    },
    query: EventsQuery,
    errors: ['store_unavailable'],
  })
  async events(@Param('id') id: string) {
    const { after, limit } = queryOf(this.ctx, EventsQuery);
    const place = { after: Number(after ?? 0), limit: Number(limit ?? DEFAULT_EVENTS) };
    return this.runDetails.listEvents(await this.findRun(id), place, { mayReadTexts: this.mayReadTexts });
  }

  @Get('/runs/:id/export', 'exportOpsRun', {
    summary: { en: 'Export a run with its events as JSON', 'zh-CN': '以 JSON 导出一个运行及其事件' },
    answers: done(named('OpsRunExport', OpsRunExport)),
    description: {
      en: 'Without the scope chat, texts are replaced by their lengths.',
      'zh-CN': '没有 chat 权限时，文本以其长度代替。',
    },
  })
  async exportRun(@Param('id') id: string) {
    const { id: runId } = await this.findRun(id);
    const answer = await this.runDetails.exportRun(this.view, runId, { mayReadTexts: this.mayReadTexts });
    this.ctx.attachment(`${runId}.json`);
    this.ctx.type = 'json';
    return answer;
  }

  @Get('/people', 'getOpsPeople', {
    summary: { en: 'List questions and approvals that wait for people', 'zh-CN': '列出等待人处理的问题和审批' },
    answers: done(named('OpsPeople', OpsPeople)),
  })
  async people() {
    return this.opsViews.people(this.view);
  }

  @Get('/tools', 'getOpsTools', {
    summary: { en: 'Read the calls, errors and durations of tools', 'zh-CN': '读取工具的调用、错误和耗时' },
    answers: done(named('OpsTools', OpsTools)),
  })
  async tools() {
    return this.opsViews.tools(this.view);
  }

  @Get('/models', 'getOpsModels', {
    summary: { en: 'Read the calls, errors and costs of models', 'zh-CN': '读取模型的调用、错误和费用' },
    answers: done(named('OpsModels', OpsModels)),
  })
  async models() {
    return this.opsViews.models(this.view);
  }

  @Get('/limits', 'getOpsLimits', {
    summary: { en: 'Read limits with what is used, and the last refusals', 'zh-CN': '读取上限、已用量和最近的拒绝' },
    answers: done(named('OpsLimits', OpsLimits)),
  })
  async limits() {
    return this.opsViews.limits(this.view);
  }

  @Get('/connections', 'getOpsConnections', {
    summary: { en: 'List the connected sockets', 'zh-CN': '列出已连接的套接字' },
    answers: done(named('OpsConnections', OpsConnections)),
  })
  async connections() {
    return this.opsViews.connections(this.view);
  }

  @Get('/config', 'getOpsConfig', {
    summary: {
      en: 'Read settings with their source, and the state of files; secrets are masked',
      'zh-CN': '读取设置及其来源和文件的状态；机密已遮盖',
    },
    answers: done(named('OpsConfig', OpsConfig)),
  })
  async config() {
    return this.opsViews.config(this.view);
  }

  @Get('/doctor', 'runOpsDoctor', {
    summary: { en: 'Check the gateway and what it depends on', 'zh-CN': '检查网关及其依赖' },
    answers: done(named('OpsDoctor', OpsDoctor)),
    description: {
      en: 'For admins and keys of the tenant default, because it tells about all tenants.',
      'zh-CN': '仅供 admin 和 default 租户的密钥，因为它涉及所有租户。',
    },
    headers: LanguageHeader,
    errors: ['forbidden'],
  })
  async doctor() {
    this.assertSeesMachine();
    return this.opsDoctor.check(writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale));
  }

  @Get('/audit/verify', 'verifyAuditLog', {
    summary: { en: 'Check the hash chain of the audit log', 'zh-CN': '检查审计日志的哈希链' },
    answers: done(named('OpsAuditCheck', OpsAuditCheck)),
    description: {
      en: 'Reads the whole log of all tenants in slices. For admins and keys of the tenant default.',
      'zh-CN': '分段读取所有租户的整个日志。仅供 admin 和 default 租户的密钥。',
    },
    errors: ['forbidden', 'store_unavailable'],
  })
  async verifyAudit() {
    this.assertSeesMachine();
    return this.auditVerifier.verify();
  }

  @Get('/stream', 'watchOpsView', {
    summary: { en: 'Watch a view as an event stream', 'zh-CN': '以事件流观看一个视图' },
    description: {
      en: 'Sends the JSON of the view at once, and again after each change, at most every 2 seconds. Each event has the name of the view.',
      'zh-CN': '立即发送视图的 JSON，之后每次变化再发送，最多每 2 秒一次。事件名即视图名。',
    },
    query: OpsStreamQuery,
    answers: { 200: { description: { en: 'The event stream', 'zh-CN': '事件流' }, bytes: ['text/event-stream'] } },
    errors: ['rate_limited'],
  })
  async stream() {
    const { view: name, texts } = queryOf(this.ctx, OpsStreamQuery);
    // The runs alone hold texts; watchers of the other views share one reading.
    const scope = { ...this.view, textReader: texts !== undefined && name === 'runs' ? this.textReader : undefined };
    const watched = { view: name, scope, watcher: principalOf(this.ctx) };
    const stream = new OpsEventStream(this.ctx, name);
    return stream.answer(listener => this.opsStreams.watch(watched, listener));
  }

  /** Throws `forbidden` unless the caller may see facts of the machine. */
  private assertSeesMachine(): void {
    if (seesMachine(this.view)) return;
    throw new AppError('forbidden', {
      message: 'This tells about all tenants: use a key of the tenant default.',
      messageZh: '此信息涉及所有租户：请使用 default 租户的密钥。',
    });
  }

  private get view(): OpsView {
    return viewOf(principalOf(this.ctx));
  }

  /** Finds a run whose texts are about to be read. */
  private async findRun(id: string): Promise<RunRecord> {
    const run = await this.runDetails.findRun(this.view, decodeId(id));
    const owner = { tenantId: run.tenantId, kind: 'run' as const, id: run.id };
    await this.privateTexts.assertReadable(principalOf(this.ctx), run);
    if (this.mayReadTexts) await this.textReads.record(principalOf(this.ctx), owner);
    return run;
  }

  private get mayReadTexts(): boolean {
    return this.textReader !== undefined;
  }

  /** The caller, when its key reads texts of people. */
  private get textReader(): Principal | undefined {
    const principal = principalOf(this.ctx);
    return hasScope(principal, 'chat:read') ? principal : undefined;
  }
}
