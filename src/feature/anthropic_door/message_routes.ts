/** DOOR 7, messages: a run for a client of Anthropic, and its answer as a projection of the run log. */
import { Controller } from '@midwayjs/core';
import { CLIENT_QUERY } from '../../controller/model_door/client_query';
import { GivenRunHeaders } from '../../controller/model_door/given_run';
import { done, RestController, routesWith, START_ERRORS, type Tag } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { ImageService } from '../../service/image/image_service';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { CallerPresence } from '../../service/run/caller_presence';
import type { GivenConversations } from '../../service/run/given_conversation';
import type { RunPreviewService } from '../../service/run/run_preview';
import type { RunService } from '../../service/run_log/run_service';
import { imageUnitsOf } from '../../wire/image_units';
import { answerMessage, countTokens } from './message_answer';
import { MessageRequest, TokenCountRequest } from './message_request_schema';
import { Message, TokenCount } from './message_schemas';

const ANTHROPIC_TAG: Tag = {
  name: 'anthropic',
  description: {
    en: "Routes in the shapes of Anthropic's Messages API, for its clients. The models are the agents.",
    'zh-CN': '采用 Anthropic Messages API 形式的路由，供其客户端使用。模型即智能体。',
  },
};

const { Post } = routesWith({ scope: 'chat', tag: ANTHROPIC_TAG });

@Controller('/v1/messages')
export class MessagesController extends RestController {
  @InjectService() agentDirectory!: AgentDirectory;
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() modelCatalog!: ModelCatalog;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() runService!: RunService;
  @InjectService() imageService!: ImageService;
  @InjectService() givenConversations!: GivenConversations;
  @InjectService() callerPresence!: CallerPresence;
  @InjectService() runPreviewService!: RunPreviewService;

  @Post('/', 'createMessage', {
    summary: { en: 'Create a message', 'zh-CN': '创建消息' },
    description: {
      en: 'An agent answers as a model does. Its own tools run inside; calls of the tools in the request come back to the caller. The run is cancelled 2 s after its caller leaves. Errors have the shape of Anthropic.',
      'zh-CN':
        '智能体像模型一样作答。它自己的工具在内部执行；对请求中工具的调用返回给调用方。调用方离开 2 秒后运行会被取消。错误采用 Anthropic 的形式。',
    },
    headers: GivenRunHeaders,
    body: MessageRequest,
    longField: 'messages',
    imagesIn: { fields: ['messages'], unitsOf: imageUnitsOf },
    ignoredQuery: CLIENT_QUERY,
    answers: {
      200: {
        description: {
          en: 'The answer; with stream: true its events as server-sent events',
          'zh-CN': '回答；stream 为 true 时是 SSE 事件流',
        },
        json: named('AnthropicMessage', Message),
      },
    },
    errors: ['not_found', 'session_busy', 'clarification_closed', 'run_cancelled', 'idempotency_mismatch', ...START_ERRORS],
  })
  async create() {
    return answerMessage(this.ctx, this);
  }

  @Post('/count_tokens', 'countMessageTokens', {
    summary: { en: 'Count the tokens of a message request', 'zh-CN': '计算消息请求的 token 数' },
    description: {
      en: 'Counts what the model would get: the prompt and the tools of the agent, the tools of the caller, and the messages. Runs nothing and stores nothing.',
      'zh-CN': '统计模型将收到的内容：智能体的提示词和工具、调用方的工具以及消息。不运行也不存储任何内容。',
    },
    headers: GivenRunHeaders,
    body: TokenCountRequest,
    longField: 'messages',
    imagesIn: { fields: ['messages'], unitsOf: imageUnitsOf },
    ignoredQuery: CLIENT_QUERY,
    answers: done(named('TokenCount', TokenCount)),
    errors: ['not_found', 'store_unavailable'],
  })
  async count() {
    this.ctx.status = 200;
    return countTokens(this.ctx, this);
  }
}
