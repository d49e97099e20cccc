/** DOOR 4, AG-UI: a run for a front end that speaks the AG-UI protocol, and its events as a projection of the run log. */
import { Controller, Param } from '@midwayjs/core';
import { RestController, routesWith, START_ERRORS } from '../../controller/route';
import { IdempotencyHeader } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import type { SessionAccess } from '../../service/access/session_access';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { ImageService } from '../../service/image/image_service';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { CallerPresence } from '../../service/run/caller_presence';
import type { GivenConversations } from '../../service/run/given_conversation';
import type { RunService } from '../../service/run_log/run_service';
import type { ServiceSettings } from '../../service/service_settings';
import { imageUnitsOf } from '../../wire/image_units';
import { answerAgui } from './agui_answer';
import { RunAgentInput } from './run_agent_input';

const { Post } = routesWith({ scope: 'chat', tag: 'agui' });

@Controller('/agui')
export class AguiController extends RestController {
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() runService!: RunService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() imageService!: ImageService;
  @InjectService() givenConversations!: GivenConversations;
  @InjectService() callerPresence!: CallerPresence;
  @InjectService() serviceSettings!: ServiceSettings;

  @Post('/:agent', 'runAguiAgent', {
    summary: { en: 'Run an agent for an AG-UI client', 'zh-CN': '为 AG-UI 客户端运行智能体' },
    description: {
      en: 'Takes RunAgentInput of AG-UI 1.0 and answers its events as server-sent events, one JSON object in each data line. The thread is a session: an unknown threadId makes one. Calls of the functions in tools come back to the client. The run is cancelled 2 s after its client leaves.',
      'zh-CN':
        '接受 AG-UI 1.0 的 RunAgentInput，以 SSE 返回其事件，每个 data 行是一个 JSON 对象。线程对应会话：未知的 threadId 会新建会话。对 tools 中函数的调用返回给客户端。客户端离开 2 秒后运行会被取消。',
    },
    headers: IdempotencyHeader,
    body: RunAgentInput,
    longField: 'messages',
    imagesIn: { fields: ['messages'], unitsOf: imageUnitsOf },
    answers: {
      200: {
        description: {
          en: 'The events of the run; an error after the first event is RUN_ERROR',
          'zh-CN': '运行的事件；首个事件之后的错误为 RUN_ERROR',
        },
        bytes: ['text/event-stream'],
      },
    },
    errors: ['not_found', 'session_busy', 'clarification_closed', 'idempotency_mismatch', ...START_ERRORS],
  })
  async run(@Param('agent') agent: string) {
    return answerAgui(this.ctx, agent, this);
  }
}
