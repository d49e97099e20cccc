/** DOOR 2, runs: start one (and wait, stream or leave), read, steer, cancel. */

import { Controller, Param } from '@midwayjs/core';
import type { Static } from '@sinclair/typebox';
import { InjectService } from '../inject_service';
import { isTerminal } from '../port/run_event';
import type { RunRecord, RunState } from '../port/store/runs';
import type { SessionAccess } from '../service/access/session_access';
import type { KeyRing } from '../service/auth/key_ring';
import type { ImageService } from '../service/image/image_service';
import { readRequestParameters } from '../service/model/model_parameters';
import type { ApproverPresence } from '../service/question/approver_presence';
import type { QuestionService } from '../service/question/question_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { BranchRuns } from '../service/run/branch_runs';
import { readOutputSchema } from '../service/run/output_schema';
import type { AcceptedRun, BeforeStart, StartRequest } from '../service/run/start_request';
import type { RunService } from '../service/run_log/run_service';
import { decodeCursor, type EventCursor, mayBeLost } from '../service/run_log/stored_cursor';
import type { ServiceSettings } from '../service/service_settings';
import { decodeId } from '../wire/decode';
import { toWireRun } from '../wire/wire_records';
import { EventStream } from './event_stream';
import {
  bodyOf,
  checkMetadata,
  encodePage,
  lastEventIdOf,
  markReplay,
  onceOf,
  originOf,
  pageOf,
  principalOf,
  queryOf,
  requestKeyOf,
  tenantOf,
  wantsEventStream,
} from './http_request';
import { waitOf, wantsAsync } from './preferences';
import { replacedRunOf } from './replaced_run';
import { ATTACHMENTS, done, page, RestController, routesWith, START_ERRORS } from './route';
import { answerStart, readResult } from './run_result';
import { IdempotencyHeader } from './schemas/common';
import { EventsQuery, RunsQuery, StartRequest as StartBody, StartHeaders, SteerRequest, StreamHeaders } from './schemas/run_schemas';

const DEFAULT_EVENTS = 500;

const { Get, Post } = routesWith({ scope: 'chat', tag: 'runs' });

@Controller('/api/v1/runs')
export class RunsController extends RestController {
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() approverPresence!: ApproverPresence;
  @InjectService() branchRuns!: BranchRuns;
  @InjectService() runService!: RunService;
  @InjectService() questionService!: QuestionService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() imageService!: ImageService;
  @InjectService() keyRing!: KeyRing;
  @InjectService() serviceSettings!: ServiceSettings;

  @Post('/', 'startRun', {
    guests: 'session',
    summary: { en: 'Start a run', 'zh-CN': '启动一个运行' },
    description: {
      en: 'Waits for the result by default. Ask for text/event-stream to watch the events, prefer respond-async to get the id at once, or prefer wait=N to get it when the run takes longer than N seconds. The run is stored before the first byte of an answer and goes on when the caller leaves. editOf and regenerate run in a new branch of the chat, whose id is the sessionId of the answer; the images and files of the earlier message stay unless others are given.',
      'zh-CN':
        '默认等到结果。请求 text/event-stream 可观看事件，用 respond-async 可立即得到 id，用 wait=N 可在运行超过 N 秒时得到 id。在返回第一个字节之前，运行已经存好；调用方离开后运行照常继续。editOf 和 regenerate 在对话的新分支中运行，回答中的 sessionId 就是该分支；未给出 images 或 files 时沿用原消息的图片或文件。',
    },
    headers: StartHeaders,
    body: StartBody,
    needsBody: true,
    longField: 'input',
    imagesIn: ATTACHMENTS,
    answers: {
      200: {
        description: {
          en: 'The run has ended, or waits for the approval of a colleague',
          'zh-CN': '运行已结束，或正在等待同事批准',
        },
        json: 'RunResult',
        events: true,
      },
      202: {
        description: { en: 'The run is accepted; Location says where to read it', 'zh-CN': '运行已被接受；Location 指明在哪里读取' },
        json: 'RunAccepted',
      },
    },
    errors: ['session_busy', 'clarification_closed', 'idempotency_mismatch', ...START_ERRORS],
  })
  async start() {
    const request = bodyOf(this.ctx, StartBody);
    const isStreamed = wantsEventStream(this.ctx) && !wantsAsync(this.ctx) && waitOf(this.ctx) === undefined;
    if (isStreamed) this.runService.assertRoomForReader(request.sessionId);
    checkMetadata(request);
    let stream: EventStream | undefined;
    const accepted = await this.accept(request, async started => {
      if (!isStreamed) return;
      stream = this.openStream(started, { seq: 0 });
      await stream.join();
    });
    const { run } = accepted;
    this.ctx.state.isRunStored = true;
    if (accepted.deduplicated) this.ctx.set('idempotency-replayed', 'true');
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/runs/${run.id}`);
    if (isStreamed) return (stream ?? this.openStream(run, { seq: 0 })).answer();
    return answerStart(this, run);
  }

  @Get('/', 'listRuns', {
    guests: 'session',
    summary: { en: 'List runs, newest first', 'zh-CN': '列出运行，最新的在前' },
    description: {
      en: 'Child runs are left out unless parent or sessionId asks for them.',
      'zh-CN': '不含子运行，除非用 parent 或 sessionId 指定。',
    },
    query: RunsQuery,
    answers: page('Run'),
  })
  async list() {
    const query = queryOf(this.ctx, RunsQuery);
    const { sessionId, status, parent } = query;
    const filter = {
      sessionId,
      status,
      parentRunId: parent,
      viewer: this.sessionAccess.viewerOf(principalOf(this.ctx)),
    };
    return encodePage(await this.runService.listRuns(tenantOf(this.ctx), filter, pageOf(query)), toWireRun);
  }

  @Get('/:id', 'getRun', {
    guests: 'session',
    summary: { en: 'Read a run and its result so far', 'zh-CN': '读取一个运行及其当前结果' },
    answers: done('RunWithResult'),
  })
  async get(@Param('id') id: string) {
    const run = await this.find(id);
    return { ...toWireRun(run), ...(await readResult(this, run)) };
  }

  @Get('/:id/events', 'listRunEvents', {
    guests: 'session',
    summary: { en: 'Read or watch the events of a run', 'zh-CN': '读取或观看一个运行的事件' },
    description: {
      en: 'Answers a JSON page of stored events, or with Accept: text/event-stream everything after the cursor and then live events until run_end.',
      'zh-CN': '返回已存事件的一页 JSON；带 Accept: text/event-stream 时先补发游标之后的全部事件，再实时推送，直到 run_end。',
    },
    query: EventsQuery,
    headers: StreamHeaders,
    answers: {
      200: { description: { en: 'A page of events', 'zh-CN': '一页事件' }, page: 'RunEvent', events: true },
      204: {
        description: {
          en: 'The run has ended and Last-Event-ID is its last event: the event source may stop',
          'zh-CN': '运行已结束，且 Last-Event-ID 是它的最后一个事件：EventSource 可以停止',
        },
      },
    },
    errors: ['events_expired', 'rate_limited'],
  })
  async events(@Param('id') id: string) {
    const run = await this.runService.getRunState(tenantOf(this.ctx), decodeId(id));
    const query = queryOf(this.ctx, EventsQuery);
    const lastEventId = lastEventIdOf(this.ctx);
    const after = decodeCursor(Number(lastEventId ?? query.after ?? 0));
    if (wantsEventStream(this.ctx)) {
      // 204 tells an EventSource not to reconnect (HTML standard, 9.2.3).
      const hasAll = isTerminal(run.status) && after.seq === run.lastSeq && !mayBeLost(after, run);
      if (lastEventId !== undefined && hasAll) return this.noContent();
      this.runService.assertRoomForReader(run.sessionId);
      return this.stream(run, after);
    }
    const limit = query.limit === undefined ? DEFAULT_EVENTS : pageOf(query).limit;
    const { events, next } = await this.runService.listEvents(run, after, limit);
    return { data: events, nextCursor: next === undefined ? undefined : String(next) };
  }

  @Post('/:id/cancel', 'cancelRun', {
    guests: 'session',
    summary: { en: 'Cancel a run', 'zh-CN': '取消一个运行' },
    description: { en: 'Answers when the run has ended, with its final status.', 'zh-CN': '等运行结束后返回它的最终状态。' },
    answers: done('RunResult'),
  })
  async cancel(@Param('id') id: string) {
    const run = await this.agentExecutor.cancel(tenantOf(this.ctx), decodeId(id), principalOf(this.ctx));
    this.ctx.status = 200;
    return this.runService.getResult(run);
  }

  @Post('/:id/tool-calls/:toolCallId/cancel', 'cancelToolCall', {
    guests: 'session',
    summary: { en: 'Stop one tool call', 'zh-CN': '停止一次工具调用' },
    description: { en: 'The run goes on with an error result for it.', 'zh-CN': '运行继续进行，这次调用得到一个错误结果。' },
    answers: done('ToolCallStopped'),
  })
  async cancelToolCall(@Param('id') id: string, @Param('toolCallId') toolCallId: string) {
    const run = await this.agentExecutor.cancelToolCall(principalOf(this.ctx), decodeId(id), toolCallId);
    this.ctx.status = 200;
    return { runId: run.id, toolCallId, status: run.status };
  }

  @Post('/:id/steer', 'steerRun', {
    guests: 'session',
    summary: { en: 'Send a message into a run', 'zh-CN': '向进行中的运行发消息' },
    description: {
      en: 'The run reads the message between two model calls. When the run has ended before that, the message starts the next run of the session.',
      'zh-CN': '运行在两次模型调用之间读取它。如果运行在此之前已结束，它会启动会话的下一个运行。',
    },
    headers: IdempotencyHeader,
    body: SteerRequest,
    longField: 'text',
    imagesIn: ATTACHMENTS,
    answers: {
      202: {
        description: { en: 'The message is stored; runId says which run gets it', 'zh-CN': '消息已存好；runId 指明它进入哪个运行' },
        json: 'SteerAccepted',
      },
    },
    errors: ['idempotency_mismatch', ...START_ERRORS],
  })
  async steer(@Param('id') id: string) {
    const { tenantId, keyName: writtenBy } = principalOf(this.ctx);
    const { text, images, files } = bodyOf(this.ctx, SteerRequest);
    const once = onceOf(this.ctx, 'steerRun', { id, text, images, files });
    const message = { text, writtenBy, ...(await this.imageService.readAttachments(tenantId, { images, files })) };
    const run = await this.agentExecutor.steer(tenantId, decodeId(id), message, once);
    markReplay(this.ctx, once);
    this.ctx.status = 202;
    return { runId: run.id, sessionId: run.sessionId };
  }

  private find(id: string): Promise<RunRecord> {
    return this.runService.getRun(tenantOf(this.ctx), decodeId(id));
  }

  private async accept(request: Static<typeof StartBody>, beforeStart: BeforeStart): Promise<AcceptedRun> {
    const {
      input = '',
      images,
      files,
      clarify = 'text',
      onBusy = 'enqueue',
      parameters,
      limits,
      tools,
      output,
      editOf,
      regenerate,
      ...rest
    } = request;
    const replaced = replacedRunOf(request);
    const idempotency = requestKeyOf(this.ctx, request);
    const { tenantId, keyName } = principalOf(this.ctx);
    const start: StartRequest = {
      ...rest,
      tenantId,
      keyName,
      door: 'rest',
      text: input,
      ...originOf(this.ctx),
      ...(await this.imageService.readAttachments(tenantId, { images, files })),
      onBusy,
      limits: { ...limits, tools },
      parameters: parameters && readRequestParameters(parameters),
      outputSchema: output && readOutputSchema(output.schema),
      interaction: {
        clarify,
        clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs,
        // A caller that can wait for an answer can wait for a person of its tenant who may decide approvals, too.
        approvals: clarify === 'wait' && this.keyRing.hasApprover(tenantId) ? 'wait' : undefined,
      },
      idempotency,
    };
    const startRun = (accepted: StartRequest) => this.agentExecutor.start(accepted, beforeStart);
    return replaced ? this.branchRuns.startBranch(start, replaced, startRun) : startRun(start);
  }

  private noContent(): void {
    this.ctx.status = 204;
  }

  private async stream(run: RunState, after: EventCursor): Promise<void> {
    if (this.ctx.method === 'HEAD') {
      this.ctx.type = 'text/event-stream; charset=utf-8';
      this.ctx.body = '';
      return;
    }
    return this.openStream(run, after).answer();
  }

  private openStream({ tenantId, sessionId, id: runId }: RunState, after: EventCursor): EventStream {
    const request = { tenantId, sessionId, after: { runId, ...after }, onlyRun: true };
    return new EventStream(this.ctx, sink => this.runService.subscribe(request, sink));
  }
}
