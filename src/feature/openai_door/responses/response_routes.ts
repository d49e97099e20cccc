/** DOOR 3, responses: start one (and wait, stream or leave), read or resume it, cancel it, delete it. */
import { Controller, Param } from '@midwayjs/core';
import { anyBodyOf, principalOf, queryOf, requestKeyOf, tenantOf } from '../../../controller/http_request';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import { done, RestController, routesWith, START_ERRORS } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { StartHeaders } from '../../../controller/schemas/run_schemas';
import { InjectService } from '../../../inject_service';
import type { RunRecord } from '../../../port/store/runs';
import type { SessionAccess } from '../../../service/access/session_access';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { VisibleAgents } from '../../../service/agent/visible_agents';
import type { ImageService } from '../../../service/image/image_service';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { CallerPresence } from '../../../service/run/caller_presence';
import type { RunPreviewService } from '../../../service/run/run_preview';
import type { AcceptedRun } from '../../../service/run/start_request';
import type { RunService } from '../../../service/run_log/run_service';
import { imageUnitsOf } from '../../../wire/image_units';
import type { ConversationService } from '../conversations/conversation_service';
import type { ConversationServices } from '../conversations/item_requests';
import type { FileServices } from '../files/file_services';
import type { InputFiles } from '../files/input_files';
import type { CompactionSeals, ItemSealServices } from '../items/compaction_seals';
import type { TakeFile } from '../items/input_items';
import { OPENAI_TAG, READ_QUERY } from '../shared/openai_route';
import { startContextOf } from './response_context';
import { ResponseObject, runIdOf, toResponseId } from './response_object';
import { ResponseReader } from './response_reader';
import { ResponseRequest } from './response_request_schema';
import { InputItemsQuery, ResponseDeleted, ResponseInputItems, ResponseInputTokens, ResponseQuery } from './response_schemas';
import type { ResponseService, ResponseServices } from './response_service';
import { readNewResponse, type StartContext } from './response_start';
import { waitForRun } from './wait_for_run';

const RESPONSE = named('Response', ResponseObject);
const EVENTS = ['text/event-stream'] as const;

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/responses')
export class ResponsesController extends RestController {
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService<ResponseServices>() responseService!: ResponseService;
  @InjectService<ConversationServices>() conversationService!: ConversationService;
  @InjectService<FileServices>() inputFiles!: InputFiles;
  @InjectService<ItemSealServices>() compactionSeals!: CompactionSeals;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() runService!: RunService;
  @InjectService() runPreviewService!: RunPreviewService;
  @InjectService() imageService!: ImageService;
  @InjectService() agentDirectory!: AgentDirectory;
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() callerPresence!: CallerPresence;

  @Post('/', 'createResponse', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Create a response', 'zh-CN': '创建一个响应' },
    description: {
      en: "In the shapes of OpenAI's Responses API; the model is an agent. Fields that the gateway does not know are ignored. Unless background is true, the response is cancelled 2 s after its caller left.",
      'zh-CN':
        '采用 OpenAI Responses API 的形式，model 即智能体。网关不认识的字段会被忽略。除非 background 为 true，调用方离开 2 秒后响应即被取消。',
    },
    headers: StartHeaders,
    body: ResponseRequest,
    longField: 'input',
    imagesIn: { fields: ['input'], unitsOf: imageUnitsOf },
    answers: {
      200: {
        description: { en: 'The response, or its events with stream: true', 'zh-CN': '响应；stream 为 true 时为事件流' },
        json: RESPONSE,
        bytes: EVENTS,
      },
    },
    errors: ['session_busy', 'clarification_closed', 'idempotency_mismatch', ...START_ERRORS],
  })
  async create() {
    const body = anyBodyOf(this.ctx);
    const { request, call } = await readNewResponse(body, this.startContext(body, this.inputFiles.takerFor(principalOf(this.ctx))));
    const key = requestKeyOf(this.ctx, { route: '/v1/responses', body, keyName: request.start.keyName });
    // Requests of other doors with the same key are other requests.
    const start = { ...request.start, idempotency: key && { ...key, key: `responses:${key.key}` } };
    if (call.isStreamed) this.runService.assertRoomForReader(start.sessionId);
    let stream: ReturnType<ResponseReader['openStream']> | undefined;
    const accepted = await this.responseService.startResponse({ ...request, start }, async run => {
      if (!call.isStreamed) return;
      stream = this.reader.openStream(this.ctx, run, { response: await this.responseService.getStartedResponse(run) });
      await stream.join();
    });
    this.describeRun(accepted);
    const { run } = accepted;
    if (call.isBackground && !call.isStreamed) return this.reader.readResponse(run, await this.responseService.getStartedResponse(run));
    const leave = call.isBackground ? undefined : this.callerPresence.addCaller(run);
    if (!call.isStreamed) return this.waitForEnd(run, leave);
    stream ??= this.reader.openStream(this.ctx, run, { response: await this.responseService.getStartedResponse(run) });
    const hasEnded = await stream.answer();
    leave?.(hasEnded ? 'ended' : 'left');
    return undefined;
  }

  @Post('/input_tokens', 'countInputTokens', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Count the input tokens of a response', 'zh-CN': '计算一个响应的输入 token 数' },
    description: {
      en: "Takes the body of POST /v1/responses and counts the first call of the model, with the agent's prompt and tools and the history. Runs nothing and stores nothing.",
      'zh-CN': '请求体与 POST /v1/responses 相同，计算对模型的首次调用，包括智能体的提示词、工具和历史。不运行也不存储任何内容。',
    },
    body: ResponseRequest,
    longField: 'input',
    imagesIn: { fields: ['input'], unitsOf: imageUnitsOf },
    answers: done(named('ResponseInputTokens', ResponseInputTokens)),
    errors: ['session_busy', 'store_unavailable'],
  })
  async countInput() {
    const body = anyBodyOf(this.ctx);
    const { request } = await readNewResponse(body, this.startContext(body, this.inputFiles.namerFor(principalOf(this.ctx))));
    const { start, previous } = request;
    const continued = start.sessionId === undefined && previous ? { sessionId: previous.sessionId, through: previous.ordinal } : {};
    const gone = new AbortController();
    this.ctx.res.once('close', () => gone.abort(new Error('The caller went away.')));
    this.ctx.status = 200;
    const input_tokens = await this.runPreviewService.countTokens({ ...start, ...continued }, gone.signal);
    return { object: 'response.input_tokens', input_tokens };
  }

  @Get('/:id', 'getResponse', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Read a response, or resume its stream', 'zh-CN': '读取一个响应，或续读它的事件流' },
    query: ResponseQuery,
    answers: {
      200: {
        description: { en: 'The response, or its events with stream=true', 'zh-CN': '响应；stream=true 时为事件流' },
        json: RESPONSE,
        bytes: EVENTS,
      },
    },
    errors: ['events_expired', 'rate_limited'],
  })
  async get(@Param('id') id: string) {
    const { stream, starting_after: after } = queryOf(this.ctx, ResponseQuery);
    const { run, response } = await this.responseService.getResponse(tenantOf(this.ctx), runIdOf(id));
    if (stream !== 'true' || this.ctx.method === 'HEAD') return this.reader.readResponse(run, response);
    this.runService.assertRoomForReader(run.sessionId);
    const from = after === undefined ? undefined : Number(after);
    await this.reader.assertResumable(run, response, from);
    const events = this.reader.openStream(this.ctx, run, { response, after: from });
    await events.answer();
    return undefined;
  }

  @Post('/:id/cancel', 'cancelResponse', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Cancel a response', 'zh-CN': '取消一个响应' },
    description: { en: 'Answers when it has ended, with its final status.', 'zh-CN': '等它结束后返回最终状态。' },
    answers: done(RESPONSE),
  })
  async cancel(@Param('id') id: string) {
    const { run, response } = await this.responseService.getResponse(tenantOf(this.ctx), runIdOf(id));
    this.ctx.status = 200;
    return this.reader.readResponse(await this.agentExecutor.cancel(run.tenantId, run.id, principalOf(this.ctx)), response);
  }

  @Get('/:id/input_items', 'listInputItems', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'List the input items of a response', 'zh-CN': '列出一个响应的输入条目' },
    description: { en: 'Those that its own request brought.', 'zh-CN': '即它自己的请求带来的条目。' },
    query: InputItemsQuery,
    answers: done(named('ResponseInputItems', ResponseInputItems)),
  })
  async inputItems(@Param('id') id: string) {
    const query = queryOf(this.ctx, InputItemsQuery);
    const { run, response } = await this.responseService.getResponse(tenantOf(this.ctx), runIdOf(id));
    return this.reader.listInputItems(run, response, query);
  }

  @Delete('/:id', 'deleteResponse', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Delete a response', 'zh-CN': '删除一个响应' },
    description: {
      en: 'A response in progress is cancelled first. Its texts go with the last response of its conversation.',
      'zh-CN': '进行中的响应会先被取消。对话中最后一个响应删除时，其文字一并删除。',
    },
    session: 'own',
    answers: done(named('ResponseDeleted', ResponseDeleted)),
  })
  async delete(@Param('id') id: string) {
    await this.responseService.deleteResponse(principalOf(this.ctx), runIdOf(id));
    return { id, object: 'response', deleted: true };
  }

  /** Resolves with the response. Rejects with the error of a failed run. */
  private async waitForEnd(run: RunRecord, leave: ReturnType<CallerPresence['addCaller']> | undefined) {
    const ended = await waitForRun(this.ctx, run, { agentExecutor: this.agentExecutor, leave });
    return this.reader.readResponse(ended, await this.responseService.getStartedResponse(ended));
  }

  private describeRun({ run, deduplicated }: AcceptedRun): void {
    this.ctx.status = 200;
    this.ctx.state.isRunStored = true;
    if (deduplicated) this.ctx.set('idempotency-replayed', 'true');
    this.ctx.set('location', `${this.ctx.state.basePath}/v1/responses/${toResponseId(run.id)}`);
    this.ctx.set('x-session-id', run.sessionId);
  }

  private startContext(body: unknown, takeFile: TakeFile): StartContext {
    return startContextOf(this.ctx, this, { body, takeFile });
  }

  private get reader(): ResponseReader {
    return new ResponseReader({ responses: this.responseService, runs: this.runService, images: this.imageService });
  }
}
