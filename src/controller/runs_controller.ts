/** DOOR 2, runs: start (and wait, stream or leave), read, cancel. */
import { Controller, Get, Inject, Param, Post } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../errors';
import { isTerminal, RUN_STATUSES } from '../port/run_event';
import type { RunRecord, RunState } from '../port/store_records';
import type { AcceptedRun, AgentExecutor } from '../service/agent_executor';
import type { RequestKey } from '../service/run_admission';
import type { RunService } from '../service/run_service';
import type { ServiceSettings } from '../service/service_settings';
import { createDecoder, decodeId, ID_PATTERN } from '../utils/decode';
import { fingerprintOf } from '../utils/fingerprint';
import { NOT_BLANK } from '../utils/not_blank';
import { toWireRun } from '../utils/wire_records';
import { sendEventStream } from './event_stream';
import { bodyOf, checkMetadata, encodePage, Metadata, PAGE_QUERY, pageOf, tenantOf, wantsAsync, wantsEventStream } from './http_request';

const closed = { additionalProperties: false };
const Id = Type.String({ pattern: ID_PATTERN });

export const RunRequest = Type.Object(
  {
    input: Type.String({ minLength: 1, maxLength: 200_000, pattern: NOT_BLANK, description: 'the message to the agent' }),
    sessionId: Type.Optional(Type.String({ pattern: ID_PATTERN, description: 'the conversation to go on with; a new one when left out' })),
    agent: Type.Optional(Type.String({ pattern: ID_PATTERN, description: "name of an agent; the session's own when left out" })),
    locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')], { description: 'language of this run' })),
    clarify: Type.Optional(
      Type.Union([Type.Literal('text'), Type.Literal('wait')], {
        default: 'text',
        description: 'text: a question ends the run and is its answer; wait: the run waits until somebody answers it',
      }),
    ),
    onBusy: Type.Optional(
      Type.Union([Type.Literal('enqueue'), Type.Literal('reject'), Type.Literal('interrupt'), Type.Literal('steer')], {
        default: 'enqueue',
        description: 'while another run of the session is under way: wait in line, get 409, cancel that one, or put the text into that one',
      }),
    ),
    metadata: Type.Optional(Metadata),
    limits: Type.Optional(
      Type.Object(
        {
          maxToolIterations: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'model calls with tools' })),
          timeoutMs: Type.Optional(
            Type.Integer({ minimum: 1_000, maximum: 86_400_000, description: 'milliseconds; waiting for a person does not count' }),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, examples: [{ input: 'list the files' }] },
);

export const RunsQuery = Type.Object(
  { ...PAGE_QUERY, sessionId: Type.Optional(Id), status: Type.Optional(Type.Union(RUN_STATUSES.map(status => Type.Literal(status)))) },
  closed,
);
export const EventsQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$', description: 'the last seq that you have; nextCursor is one' })),
    limit: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$', description: 'events of a page, 1 to 1000; 500 when left out' })),
  },
  closed,
);

export const SteerRequest = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: 200_000, pattern: NOT_BLANK, description: 'a message for the run that is under way' }) },
  { ...closed, examples: [{ text: 'Only the first file, please.' }] },
);

const decodeSteerRequest = createDecoder(SteerRequest);
const decodeRunRequest = createDecoder(RunRequest);
const decodeRunsQuery = createDecoder(RunsQuery);
const decodeEventsQuery = createDecoder(EventsQuery);
const MAX_KEY_LENGTH = 255;
const DEFAULT_EVENTS = 500;

@Controller('/api/v1/runs')
export class RunsController {
  @Inject()
  ctx!: Context;
  @Inject()
  agentExecutor!: AgentExecutor;
  @Inject()
  runService!: RunService;
  @Inject()
  serviceSettings!: ServiceSettings;

  @Post('/')
  async start() {
    const request = decodeRunRequest(bodyOf(this.ctx));
    if (wantsEventStream(this.ctx) && !wantsAsync(this.ctx)) this.runService.assertRoomForReader(request.sessionId);
    checkMetadata(request);
    const accepted = await this.accept(request);
    const { run } = accepted;
    this.ctx.state.isRunStored = true;
    if (accepted.deduplicated) this.ctx.set('idempotency-replayed', 'true');
    this.ctx.set('location', `/api/v1/runs/${run.id}`);
    if (wantsAsync(this.ctx)) {
      this.ctx.status = 202;
      return { runId: run.id, sessionId: run.sessionId, status: run.status };
    }
    if (wantsEventStream(this.ctx)) return this.stream(run, 0);
    return this.runService.result(await this.agentExecutor.waitForEnd(run.tenantId, run.id));
  }

  @Get('/')
  async list() {
    const query = decodeRunsQuery({ ...this.ctx.query });
    const { sessionId, status } = query;
    const filter = { ...(sessionId !== undefined && { sessionId }), ...(status !== undefined && { status }) };
    return encodePage(await this.runService.list(tenantOf(this.ctx), filter, pageOf(query)), toWireRun);
  }

  @Get('/:id')
  async get(@Param('id') id: string) {
    const run = await this.find(id);
    return { ...toWireRun(run), ...(await this.runService.result(run)) };
  }

  @Get('/:id/events')
  async events(@Param('id') id: string) {
    const run = await this.runService.getState(tenantOf(this.ctx), decodeId(id));
    const query = decodeEventsQuery({ ...this.ctx.query });
    const lastEventId = this.lastEventId;
    const after = Number(lastEventId ?? query.after ?? 0);
    if (wantsEventStream(this.ctx)) {
      // What tells an event source that it has everything and may stop (HTML standard, 9.2.3).
      if (lastEventId !== undefined && isTerminal(run.status) && after === run.lastSeq) return this.noContent();
      this.runService.assertRoomForReader(run.sessionId);
      return this.stream(run, after);
    }
    const limit = query.limit === undefined ? DEFAULT_EVENTS : pageOf(query).limit;
    const data = await this.runService.events(run, after, limit);
    const last = data.at(-1);
    const isMore = data.length === limit || (last !== undefined && last.seq < run.lastSeq);
    return { data, ...(last && isMore && { nextCursor: String(last.seq) }) };
  }

  @Post('/:id/cancel')
  async cancel(@Param('id') id: string) {
    const run = await this.agentExecutor.cancel(tenantOf(this.ctx), decodeId(id));
    this.ctx.status = 200;
    return this.runService.result(run);
  }

  /** Stops one tool call; the run goes on. */
  @Post('/:id/tool-calls/:toolCallId/cancel')
  async cancelToolCall(@Param('id') id: string, @Param('toolCallId') toolCallId: string) {
    const run = await this.agentExecutor.cancelToolCall(tenantOf(this.ctx), decodeId(id), toolCallId);
    this.ctx.status = 200;
    return { runId: run.id, toolCallId, status: run.status };
  }

  @Post('/:id/steer')
  async steer(@Param('id') id: string) {
    const { text } = decodeSteerRequest(bodyOf(this.ctx));
    const run = await this.agentExecutor.steer(tenantOf(this.ctx), decodeId(id), text);
    this.ctx.status = 202;
    return { runId: run.id, sessionId: run.sessionId };
  }

  private find(id: string): Promise<RunRecord> {
    return this.runService.get(tenantOf(this.ctx), decodeId(id));
  }

  private accept(request: Static<typeof RunRequest>): Promise<AcceptedRun> {
    const { input, clarify = 'text', onBusy = 'enqueue', ...rest } = request;
    const idempotency = this.requestKey(fingerprintOf(request));
    return this.agentExecutor.start({
      ...rest,
      tenantId: tenantOf(this.ctx),
      door: 'rest',
      text: input,
      onBusy,
      interaction: {
        clarify,
        clarifyTimeoutMs: this.serviceSettings.clarify.declaredTimeoutMs,
        // Whoever answers questions over REST answers these too.
        ...(clarify === 'wait' && { approvals: 'wait' }),
      },
      ...(idempotency && { idempotency }),
    });
  }

  /** Idempotency-Key; without one, OpenAI's clients still say that they repeat, and the same body then means the same run. */
  private requestKey(fingerprint: string): RequestKey | undefined {
    const key = this.ctx.get('idempotency-key');
    if (key.length > MAX_KEY_LENGTH) {
      throw new AppError('invalid_request', {
        param: '/idempotency-key',
        message: `Idempotency-Key: at most ${MAX_KEY_LENGTH} characters.`,
      });
    }
    if (key !== '') return { key: `rest:${key}`, fingerprint };
    const tries = this.ctx.get('x-stainless-retry-count');
    if (!/^[0-9]{1,3}$/.test(tries)) return undefined;
    return { key: `same:${fingerprint}`, fingerprint, retry: { isRepeat: Number(tries) > 0 } };
  }

  private noContent(): void {
    this.ctx.status = 204;
  }

  private async stream(run: RunState, after: number): Promise<void> {
    if (this.ctx.method === 'HEAD') {
      this.ctx.type = 'text/event-stream; charset=utf-8';
      this.ctx.body = '';
      return;
    }
    const { tenantId, sessionId, id: runId } = run;
    const request = { tenantId, sessionId, after: { runId, seq: after }, onlyRun: true };
    return sendEventStream(this.ctx, sink => this.runService.follow(request, sink));
  }

  private get lastEventId(): string | undefined {
    const id = this.ctx.get('last-event-id');
    if (id === '') return undefined;
    if (/^[0-9]{1,9}$/.test(id)) return id;
    throw new AppError('invalid_request', { param: '/last-event-id', message: 'Last-Event-ID: must be the seq of an event of this run.' });
  }
}
