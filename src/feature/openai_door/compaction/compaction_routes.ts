/** DOOR 3, compaction: a conversation becomes a short input that stands for it. */
import { Controller } from '@midwayjs/core';
import { anyBodyOf, principalOf, requestKeyOf, tenantOf } from '../../../controller/http_request';
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
import { mapLimited } from '../../../utils/map_limited';
import { imageUnitsOf } from '../../../wire/image_units';
import { type ConversationItem, itemsOfMessage } from '../conversations/conversation_items';
import type { ConversationService } from '../conversations/conversation_service';
import { type ConversationServices, toWireItem } from '../conversations/item_requests';
import type { FileServices } from '../files/file_services';
import type { InputFiles } from '../files/input_files';
import type { CompactionSeals, ItemSealServices } from '../items/compaction_seals';
import { startContextOf } from '../responses/response_context';
import type { ResponseService, ResponseServices } from '../responses/response_service';
import { waitForRun } from '../responses/wait_for_run';
import { OPENAI_TAG } from '../shared/openai_route';
import { CompactedResponse, messagesOfPeople, summaryOf, toCompactedResponse } from './compacted_response';
import { CompactionRequest, readCompaction } from './compaction_request';

const { Post } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/responses/compact')
export class CompactionController extends RestController {
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService<ResponseServices>() responseService!: ResponseService;
  @InjectService<ConversationServices>() conversationService!: ConversationService;
  @InjectService<FileServices>() inputFiles!: InputFiles;
  @InjectService<ItemSealServices>() compactionSeals!: CompactionSeals;
  @InjectService() imageService!: ImageService;
  @InjectService() agentDirectory!: AgentDirectory;
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() callerPresence!: CallerPresence;

  @Post('/', 'compactResponse', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Compact a conversation', 'zh-CN': '压缩一个对话' },
    description: {
      en: 'The agent writes a summary without its tools. The output is the input that stands for the conversation: the messages of people, and a sealed summary that opens for this tenant only. The run counts like any other; the conversation stays as it is.',
      'zh-CN':
        '智能体不使用工具，写出摘要。输出即可代替原对话的输入：用户的消息和一份密封的摘要，只有此租户能打开。该运行与其他运行一样计入用量；原对话保持不变。',
    },
    headers: StartHeaders,
    body: CompactionRequest,
    longField: 'input',
    imagesIn: { fields: ['input'], unitsOf: imageUnitsOf },
    answers: done(named('CompactedResponse', CompactedResponse)),
    errors: ['not_found', 'session_busy', 'run_cancelled', 'model_bad_response', 'idempotency_mismatch', ...START_ERRORS],
  })
  async create() {
    const { ctx } = this;
    const tenantId = tenantOf(ctx);
    const body = anyBodyOf(ctx);
    const context = startContextOf(ctx, this, { body, takeFile: this.inputFiles.takerFor(principalOf(ctx)) });
    const { request, said } = await readCompaction(body, context);
    const key = requestKeyOf(ctx, { route: '/v1/responses/compact', body, keyName: request.start.keyName });
    const start = { ...request.start, idempotency: key && { ...key, key: `compact:${key.key}` } };
    const { run, deduplicated } = await this.responseService.startResponse({ ...request, start }, async () => undefined);
    ctx.status = 200;
    ctx.state.isRunStored = true;
    if (deduplicated) ctx.set('idempotency-replayed', 'true');
    const ended = await waitForRun(ctx, run, { agentExecutor: this.agentExecutor, leave: this.callerPresence.addCaller(run) });
    const sealed = this.compactionSeals.sealSummary(tenantId, { text: summaryOf(ended), locale: context.locale });
    const earlier = request.previous ? await this.readEarlier(request.previous) : [];
    return toCompactedResponse(ended, { earlier, said, sealed });
  }

  /** Reads the messages of people up to the end of a run, with the bytes of their images. */
  private async readEarlier(previous: RunRecord): Promise<ConversationItem[]> {
    const records = messagesOfPeople(await this.responseService.listMessagesThrough(previous));
    const found = records.flatMap(record => itemsOfMessage(record).map(item => ({ item, record })));
    return mapLimited(found, 1, item => toWireItem(item, { images: this.imageService, seals: this.compactionSeals, showsUrls: true }));
  }
}
