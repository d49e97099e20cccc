/** DOOR 3, chat completions: a run for a client of OpenAI, and its answer as a projection of the run log. */
import { Controller } from '@midwayjs/core';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import { RestController, routesWith, START_ERRORS } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { InjectService } from '../../../inject_service';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { VisibleAgents } from '../../../service/agent/visible_agents';
import type { ImageService } from '../../../service/image/image_service';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { CallerPresence } from '../../../service/run/caller_presence';
import type { GivenConversations } from '../../../service/run/given_conversation';
import type { RunService } from '../../../service/run_log/run_service';
import { imageUnitsOf } from '../../../wire/image_units';
import { OPENAI_TAG } from '../shared/openai_route';
import { answerChat } from './chat_answer';
import { ChatRequest } from './chat_request_schema';
import { ChatCompletion, ChatHeaders } from './chat_schemas';

const { Post } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/chat')
export class ChatController extends RestController {
  @InjectService() agentDirectory!: AgentDirectory;
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() runService!: RunService;
  @InjectService() imageService!: ImageService;
  @InjectService() givenConversations!: GivenConversations;
  @InjectService() callerPresence!: CallerPresence;

  @Post('/completions', 'createChatCompletion', {
    summary: { en: 'Create a chat completion', 'zh-CN': '创建聊天补全' },
    description: {
      en: 'An agent answers as a model does. Its own tools run inside; calls of the functions in tools come back to the caller. The run is cancelled 2 s after its caller leaves. Errors have the shape of OpenAI.',
      'zh-CN':
        '智能体像模型一样作答。它自己的工具在内部执行；对 tools 中函数的调用返回给调用方。调用方离开 2 秒后运行会被取消。错误采用 OpenAI 的形式。',
    },
    headers: ChatHeaders,
    body: ChatRequest,
    longField: 'messages',
    imagesIn: { fields: ['messages'], unitsOf: imageUnitsOf },
    ignoredQuery: CLIENT_QUERY,
    answers: {
      200: {
        description: {
          en: 'The answer; with stream: true its chunks as server-sent events',
          'zh-CN': '回答；stream 为 true 时是各分块的 SSE 事件流',
        },
        json: named('ChatCompletion', ChatCompletion),
      },
    },
    errors: ['not_found', 'session_busy', 'clarification_closed', 'run_cancelled', 'idempotency_mismatch', ...START_ERRORS],
  })
  async create() {
    return answerChat(this.ctx, this);
  }
}
