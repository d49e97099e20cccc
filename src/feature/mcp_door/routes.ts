/** DOOR 5, the Model Context Protocol over streamable HTTP: agents and chosen tools as tools of an MCP server. */
import { Controller } from '@midwayjs/core';
import { RestController, type RouteRow, routesWith } from '../../controller/route';
import { InjectService } from '../../inject_service';
import type { SessionAccess } from '../../service/access/session_access';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { FileService } from '../../service/file/file_service';
import type { RateLimits } from '../../service/limits/rate_limits';
import type { Refusals } from '../../service/limits/refusals';
import type { AnswerService } from '../../service/question/answer_service';
import type { ApprovalService } from '../../service/question/approval_service';
import type { QuestionService } from '../../service/question/question_service';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { RunService } from '../../service/run_log/run_service';
import type { ServiceSettings } from '../../service/service_settings';
import type { SessionService } from '../../service/session/session_service';
import type { DirectCallService } from '../../service/tool/direct_call_service';
import { answerMcp } from './mcp_door';
import type { McpDoorService, McpDoorServices } from './mcp_door_service';
import { McpHeaders, McpMessage, McpStreamHeaders } from './schemas';

const SESSION_ENDED = { en: 'The session has ended', 'zh-CN': '会话已结束' };
const ERRORS = ['not_found', 'rate_limited'] as const satisfies RouteRow['errors'];

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: 'mcp' });

@Controller('/mcp')
export class McpDoorController extends RestController {
  @InjectService<McpDoorServices>() mcpDoor!: McpDoorService;
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() runService!: RunService;
  @InjectService() questionService!: QuestionService;
  @InjectService() answerService!: AnswerService;
  @InjectService() approvalService!: ApprovalService;
  @InjectService() directCallService!: DirectCallService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() sessionService!: SessionService;
  @InjectService() fileService!: FileService;
  @InjectService() rateLimits!: RateLimits;
  @InjectService() refusals!: Refusals;
  @InjectService() serviceSettings!: ServiceSettings;

  @Post('/', 'sendMcpMessage', {
    summary: { en: 'Send a message of an MCP client', 'zh-CN': '发送 MCP 客户端的一条消息' },
    description: {
      en: 'A JSON-RPC message. From version 2026-07-28 on a request needs no session. In older versions `initialize` opens a session; its id is in the header Mcp-Session-Id of the answer and of every later request. Requests are answered with server-sent events, other messages with 202.',
      'zh-CN':
        '一条 JSON-RPC 消息。从版本 2026-07-28 起，请求不需要会话。在旧版本中，`initialize` 打开一个会话，会话 id 在响应的 Mcp-Session-Id 头中，之后的每个请求都要带上。请求以 SSE 事件流回答，其他消息返回 202。',
    },
    headers: McpHeaders,
    body: McpMessage,
    answers: {
      200: {
        description: {
          en: 'The messages of the gateway about the request; the last one is its answer',
          'zh-CN': '网关就此请求发出的消息；最后一条是它的回答',
        },
        bytes: ['text/event-stream', 'application/json'],
      },
      202: { description: { en: 'A notification or an answer is accepted', 'zh-CN': '通知或回答已被接受' } },
    },
    errors: [...ERRORS, 'draining'],
  })
  async send() {
    return this.answer();
  }

  @Get('/', 'openMcpStream', {
    scope: 'chat',
    summary: { en: 'Open the stream of an MCP session', 'zh-CN': '打开一个 MCP 会话的事件流' },
    description: {
      en: 'Messages of the gateway that belong to no request. With Last-Event-ID the stream that broke goes on after that event.',
      'zh-CN': '网关主动发出、不属于任何请求的消息。带 Last-Event-ID 时，从该事件之后继续中断的流。',
    },
    headers: McpStreamHeaders,
    answers: {
      200: { description: { en: 'Messages as server-sent events', 'zh-CN': '以 SSE 事件发送的消息' }, bytes: ['text/event-stream'] },
    },
    errors: ERRORS,
  })
  async stream() {
    return this.answer();
  }

  @Delete('/', 'endMcpSession', {
    summary: { en: 'End an MCP session', 'zh-CN': '结束一个 MCP 会话' },
    description: { en: 'The runs of its calls in progress are cancelled.', 'zh-CN': '它正在进行的调用所启动的运行会被取消。' },
    headers: McpHeaders,
    answers: { 200: { description: SESSION_ENDED } },
    errors: ERRORS,
  })
  async end() {
    return this.answer();
  }

  private answer(): Promise<void> {
    return answerMcp(this.ctx, this);
  }
}
