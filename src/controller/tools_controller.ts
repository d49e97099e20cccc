/** DOOR 2, tools: the catalog, the execution log, and direct calls. */
import { Controller, Get, Inject, Post } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { Type } from '@sinclair/typebox';
import { AppError } from '../errors';
import type { Locale } from '../port/store_records';
import type { AgentExecutor } from '../service/agent_executor';
import type { ServiceSettings } from '../service/service_settings';
import type { ToolService } from '../service/tool_service';
import type { UndoService } from '../service/undo_service';
import { createDecoder, decodeId, ID_PATTERN } from '../utils/decode';
import { LONG_JSON_UNITS, letOthersRun } from '../utils/let_others_run';
import { toWireToolExecution } from '../utils/wire_records';
import { bodyOf, encodePage, localeOf, PAGE_QUERY, pageOf, tenantOf } from './http_request';

const closed = { additionalProperties: false };

export const ToolCallRequest = Type.Object(
  {
    toolName: Type.String({ pattern: ID_PATTERN }),
    command: Type.Optional(Type.String({ maxLength: 64, description: 'has no meaning for the tools that exist now' })),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { default: {}, maxProperties: 1_000, description: "the tool's own arguments" }),
    ),
    timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000, description: 'milliseconds' })),
    context: Type.Optional(Type.Object({ locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])) }, closed)),
  },
  { ...closed, examples: [{ toolName: 'read_file', parameters: { path: 'notes.txt' } }] },
);

const STATUSES = ['running', 'success', 'error', 'cancelled', 'unknown'] as const;
export const ToolExecutionsQuery = Type.Object(
  {
    ...PAGE_QUERY,
    tool: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    status: Type.Optional(Type.Union(STATUSES.map(status => Type.Literal(status)))),
    session: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    run: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    since: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$', description: 'ISO-8601 UTC' })),
  },
  closed,
);

const decodeCall = createDecoder(ToolCallRequest);
const decodeExecutionsQuery = createDecoder(ToolExecutionsQuery);

@Controller('/api/v1')
export class ToolsController {
  @Inject()
  ctx!: Context;
  @Inject()
  toolService!: ToolService;
  @Inject()
  undoService!: UndoService;
  @Inject()
  agentExecutor!: AgentExecutor;
  @Inject()
  serviceSettings!: ServiceSettings;

  @Get('/tools')
  async tools() {
    return { data: this.toolService.list(this.locale) };
  }

  @Get('/toolsets')
  async toolsets() {
    return { data: this.toolService.toolsets() };
  }

  @Post('/tools/call')
  async call() {
    if (this.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
    const gone = new AbortController();
    this.ctx.res.on('close', () => gone.abort(new Error('The caller went away.')));
    const body = bodyOf(this.ctx);
    // It was parsed right before; looking at every value of it is a stretch of its own.
    if ((this.ctx.request.length ?? Infinity) > LONG_JSON_UNITS) await letOthersRun();
    const { toolName, parameters = {}, timeout, context } = decodeCall(body);
    this.ctx.status = 200;
    return this.toolService.call(
      {
        tenantId: tenantOf(this.ctx),
        toolName,
        parameters,
        locale: context?.locale ?? this.locale,
        ...(timeout !== undefined && { timeout }),
      },
      gone.signal,
    );
  }

  @Get('/tool-executions')
  async executions() {
    const { tool, status, session, run, since, ...page } = decodeExecutionsQuery({ ...this.ctx.query });
    const filter = {
      ...(tool !== undefined && { tool }),
      ...(status !== undefined && { status }),
      ...(session !== undefined && { sessionId: session }),
      ...(run !== undefined && { runId: run }),
      ...(since !== undefined && { since: Date.parse(since) }),
    };
    return encodePage(await this.toolService.executions(tenantOf(this.ctx), filter, pageOf(page)), toWireToolExecution);
  }

  @Post('/tool-executions/:id/undo')
  async undo() {
    this.ctx.status = 200;
    return this.undoService.undo(tenantOf(this.ctx), decodeId(this.ctx.params.id));
  }

  private get locale(): Locale {
    return localeOf(this.ctx, this.serviceSettings.defaultLocale);
  }
}
