/** DOOR 2, what is kept about the work: usage by day, the audit log, and all data of a tenant to take along. */

import { Controller } from '@midwayjs/core';
import { invalidField } from '../errors';
import { InjectService } from '../inject_service';
import type { PrivateTexts } from '../service/access/private_texts';
import { wordsOf } from '../service/audit/audit_actions';
import type { AuditLog } from '../service/audit/audit_log';
import { visibleTenant } from '../service/auth/visible_tenant';
import type { UsageReport } from '../service/limits/usage_report';
import type { SessionService } from '../service/session/session_service';
import { parseUtcTime } from '../utils/utc_time';
import { type CsvCell, toCsv } from '../wire/csv';
import { toWireAudit } from '../wire/wire_records';
import { toUsageCells, toWireUsage, USAGE_COLUMNS } from '../wire/wire_usage';
import { encodePage, pageOf, principalOf, queryOf, sendExport } from './http_request';
import { listOrPage } from './list_pages';
import { RestController, routesWith } from './route';
import { AuditQuery, UsageQuery } from './schemas/record_schemas';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const AUDIT_COLUMNS = ['id', 'tenant', 'at', 'actor', 'action', 'target', 'details', 'prevHash', 'hash'] as const;

const { Get } = routesWith({ tag: 'ops' });

@Controller('/api/v1')
export class RecordsController extends RestController {
  @InjectService() auditLog!: AuditLog;
  @InjectService() usageReport!: UsageReport;
  @InjectService() sessionService!: SessionService;
  @InjectService() privateTexts!: PrivateTexts;

  @Get('/usage', 'readUsage', {
    scope: 'ops:read',
    summary: {
      en: 'Read runs, tokens and cost by day, model, agent, key, tool or tenant',
      'zh-CN': '按日期、模型、智能体、密钥、工具或租户读取运行数、token 和费用',
    },
    description: {
      en: 'Of the tenant; for operators of all tenants. A run counts on the UTC day of its end, and its child runs count on their own. Accept: text/csv answers CSV. Direct tool calls are not part of it.',
      'zh-CN':
        '本租户的用量；对运维人员为所有租户。运行计入其结束的 UTC 日期，子运行单独计入。Accept: text/csv 时返回 CSV。不含直接工具调用。',
    },
    query: UsageQuery,
    answers: { 200: { description: { en: 'The usage', 'zh-CN': '用量' }, json: 'Usage', bytes: ['text/csv'] } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async usage() {
    const { from: begin, to: end, by = 'day', tenant, ...page } = queryOf(this.ctx, UsageQuery);
    const days = { from: begin === undefined ? undefined : dayOf('from', begin), to: end === undefined ? undefined : dayOf('to', end) };
    const { from, to, rows } = await this.usageReport.readUsage({ by, ...days, ...this.tenantFilter(tenant) });
    const sums = listOrPage(rows, page, ({ key, tenantId }) => JSON.stringify([key, tenantId]));
    const { data, nextCursor } = encodePage(sums, toWireUsage);
    if (!this.wantsCsv()) return { from, to, by, data, nextCursor };
    if (nextCursor !== undefined) this.linkNext(nextCursor);
    return this.sendCsv('usage', USAGE_COLUMNS, data.map(toUsageCells));
  }

  @Get('/audit', 'listAuditLog', {
    scope: 'ops:read',
    summary: { en: 'List who did what, newest first', 'zh-CN': '列出谁做了什么，最新的在前' },
    description: {
      en: 'The rows of the tenant; for operators those of all tenants. Accept: text/csv answers the page as CSV. Each row has the hash of the row before it. A page with q, actor, action or target compares at most 100,000 rows, so it may have fewer rows than the limit, or none, and still a cursor.',
      'zh-CN':
        '本租户的记录；对运维人员为所有租户的记录。Accept: text/csv 时以 CSV 返回该页。每一行都含前一行的 hash。带 q、actor、action 或 target 时，一页最多比较 100,000 行，因此可能少于 limit 行甚至为空，但仍有游标。',
    },
    query: AuditQuery,
    answers: { 200: { description: { en: 'A page of rows', 'zh-CN': '一页数据' }, page: 'AuditRow', bytes: ['text/csv'] } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async audit() {
    const { limit, cursor, from, to, tenant, q, ...names } = queryOf(this.ctx, AuditQuery);
    const filter = {
      ...names,
      words: q,
      ...this.tenantFilter(tenant),
      from: from === undefined ? undefined : timeOf('from', from),
      to: to === undefined ? undefined : timeOf('to', to) + (DAY.test(to) ? DAY_MS : 0),
    };
    const request = pageOf({ limit, cursor });
    const rows = encodePage(await this.auditLog.listRecords(filter, request), row => ({ ...toWireAudit(row), ...wordsOf(row.action) }));
    if (!this.wantsCsv()) return rows;
    if (rows.nextCursor !== undefined) this.linkNext(rows.nextCursor);
    return this.sendCsv(
      'audit',
      AUDIT_COLUMNS,
      rows.data.map(row => AUDIT_COLUMNS.map(name => (name === 'details' ? JSON.stringify(row.details) : row[name]))),
    );
  }

  @Get('/export', 'exportData', {
    scope: 'chat',
    summary: { en: 'Download all data of your tenant as JSON lines', 'zh-CN': '以 JSON 行的形式下载本租户的全部数据' },
    description: {
      en: 'Every session as in the export of a session, then tool calls without a session, memories, prompts, jobs, webhooks and feedback. Files are in the workspace. The audit log records it.',
      'zh-CN':
        '每个会话（同会话的导出），以及不属于会话的工具调用、记忆、提示词、定时任务、webhook 和反馈。文件在工作区中。会记入审计日志。',
    },
    answers: { 200: { description: { en: 'One thing a line', 'zh-CN': '每行一项' }, lines: 'ExportedItem' } },
    errors: ['store_unavailable'],
  })
  async export() {
    return sendExport(
      this.ctx,
      'export',
      await this.sessionService.exportTenant(principalOf(this.ctx), this.privateTexts.viewerOf(principalOf(this.ctx))),
    );
  }

  /** The caller's tenant; for operators the named one, or all. */
  private tenantFilter(tenant: string | undefined): { tenantId?: string } {
    return { tenantId: visibleTenant(principalOf(this.ctx), tenant) };
  }

  private wantsCsv(): boolean {
    this.ctx.vary('Accept');
    return this.ctx.accepts('application/json', 'text/csv') === 'text/csv';
  }

  private linkNext(cursor: string): void {
    const query = new URLSearchParams(this.ctx.querystring);
    query.set('cursor', cursor);
    this.ctx.append('link', `<${this.ctx.state.basePath}${this.ctx.path}?${query}>; rel="next"`);
  }

  private sendCsv(name: string, columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
    this.ctx.set('content-type', 'text/csv; charset=utf-8');
    this.ctx.set('content-disposition', `attachment; filename="${name}.csv"`);
    return toCsv(columns, rows);
  }
}

const dayOf = (field: string, text: string): string => new Date(timeOf(field, text)).toISOString().slice(0, 10);

function timeOf(field: string, text: string): number {
  const time = parseUtcTime(text);
  if (time !== undefined) return time;
  throw invalidField(
    `/${field}`,
    'must be a day or time in UTC that exists, such as 2026-01-31 or 2026-01-31T08:00:00Z.',
    '必须是存在的 UTC 日期或时间，例如 2026-01-31 或 2026-01-31T08:00:00Z。',
  );
}
