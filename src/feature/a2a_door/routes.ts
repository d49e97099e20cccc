/** DOOR 8, A2A 1.0: the card of the gateway, and the JSON-RPC methods of the protocol. */
import { Controller } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { localeOf } from '../../controller/http_request';
import { RestController, routesWith } from '../../controller/route';
import { InjectService } from '../../inject_service';
import { DEFAULT_TENANT } from '../../port/principal';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { KeyRing } from '../../service/auth/key_ring';
import type { ServiceSettings } from '../../service/service_settings';
import type { RunWebhooks } from '../../service/webhook/run_webhooks';
import { says } from '../../utils/bilingual';
import { Optional } from '../../utils/schema_types';
import type { Slot } from '../../utils/slot';
import type { A2aDeps, A2aServices } from './a2a_caller';
import { a2aSdk, loadA2aSdk } from './a2a_sdk';
import { agentCardOf } from './agent_card';
import { addressOf, answerA2a } from './answer_a2a';

const TAG = {
  name: 'a2a',
  description: { en: 'Tasks for agents that speak A2A 1.0.', 'zh-CN': '供使用 A2A 1.0 协议的智能体调用的任务。' },
};
const A2aRequest = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Optional.Unknown(),
    method: Type.String(says('such as SendMessage or GetTask', '例如 SendMessage、GetTask')),
    params: Optional.Unknown(),
  },
  {
    examples: [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'list the files' }] } },
      },
    ],
  },
);

/** The default agent is the same for everybody. */
const STRANGER = { tenantId: DEFAULT_TENANT, keyName: undefined };

const { Get: OpenGet } = routesWith({ scope: 'open', tag: TAG });
const { Post } = routesWith({ scope: 'chat', tag: TAG });

@Controller('/.well-known')
export class A2aCardController extends RestController {
  @InjectService() visibleAgents!: VisibleAgents;
  @InjectService() keyRing!: KeyRing;
  @InjectService() serviceSettings!: ServiceSettings;
  @InjectService() runWebhooks!: Slot<RunWebhooks>;

  @OpenGet('/agent-card.json', 'getAgentCard', {
    takesAnyQuery: true,
    summary: { en: 'Read the card of the gateway for A2A clients', 'zh-CN': '读取供 A2A 客户端使用的网关名片' },
    description: {
      en: 'Names the default agent. GetExtendedAgentCard names the agents that a caller with a key sees.',
      'zh-CN': '只列出默认智能体。持有密钥的调用者可用 GetExtendedAgentCard 查看自己能看到的智能体。',
    },
    answers: { 200: { description: { en: 'The card', 'zh-CN': '名片' }, bytes: ['application/json'] } },
  })
  async card() {
    await loadA2aSdk();
    const { version, defaultLocale } = this.serviceSettings;
    const pushes = this.runWebhooks.current.isAvailable;
    const agent = this.visibleAgents.findAgent('default', localeOf(this.ctx, defaultLocale), STRANGER);
    const card = agentCardOf({
      address: addressOf(this.ctx),
      version,
      needsKey: this.keyRing.isLocked,
      pushes,
      agents: agent ? [agent] : [],
    });
    return a2aSdk().AgentCard.toJSON(card);
  }
}

@Controller('/a2a')
export class A2aController extends RestController {
  @InjectService<A2aServices>() a2aDeps!: A2aDeps;

  @Post('/', 'callAgentMethod', {
    summary: { en: 'Call a method of A2A 1.0', 'zh-CN': '调用 A2A 1.0 的方法' },
    description: {
      en: 'JSON-RPC 2.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask, CreateTaskPushNotificationConfig and its Get, List and Delete, GetExtendedAgentCard. A task is a run, its context a session. SendStreamingMessage and SubscribeToTask answer with server-sent events.',
      'zh-CN':
        'JSON-RPC 2.0：SendMessage、SendStreamingMessage、GetTask、ListTasks、CancelTask、SubscribeToTask、CreateTaskPushNotificationConfig 及相应的 Get、List、Delete、GetExtendedAgentCard。任务即运行，其上下文即会话。SendStreamingMessage 和 SubscribeToTask 以 SSE 事件流回答。',
    },
    body: A2aRequest,
    answers: {
      200: {
        description: {
          en: 'The answer of the method, or its error; for streams one answer in each event',
          'zh-CN': '方法的回答或错误；流式方法的每个事件为一个回答',
        },
        bytes: ['application/json', 'text/event-stream'],
      },
    },
    errors: ['rate_limited'],
  })
  async call() {
    await loadA2aSdk();
    return answerA2a(this.ctx, this.a2aDeps);
  }
}
