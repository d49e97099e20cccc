/** Answers of the routes for operators: overview, people, tools, models, limits, connections. */
import { type Static, Type } from '@sinclair/typebox';
import { Time } from '../../../controller/schemas/common';
import { McpServer } from '../../../controller/schemas/mcp_schemas';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';
import { Notices } from './config_schemas';
import { OverviewLimits } from './overview_limits_schema';

const text = Optional.String();
const count = Type.Integer({ minimum: 0 });
const milliseconds = Optional.Number({ minimum: 0 });

export const OpsAccepting = Type.Object({
  accepting: Type.Boolean(),
  scope: Optional.OneOf(['tenant', 'gateway'], says('whose runs are paused: those of the tenant, or all', '暂停的范围：本租户，或全部')),
  reason: text,
  changedBy: text,
  changedAt: Type.Optional(Time),
  tenants: Optional.Array(
    Type.Object({ tenantId: Type.String(), reason: text, changedBy: Type.String(), changedAt: Time }),
    says('pauses of single tenants, for those who see all tenants', '单个租户的暂停，仅可查看所有租户者可见'),
  ),
});
export type OpsAccepting = Static<typeof OpsAccepting>;

const Reason = Type.Object({
  code: Type.String(),
  level: oneOf(['degraded', 'broken']),
  message: Type.String(),
  messageZh: Type.String(),
  view: Optional.String(says('the view that shows more', '显示详情的视图')),
});

const Minute = Type.Object({
  at: Time,
  runs: count,
  failed: count,
  tokens: count,
  costUsd: Type.Number(),
  runP95Ms: Type.Union([Type.Number(), Type.Null()]),
  firstTokenP95Ms: Type.Union([Type.Number(), Type.Null()]),
});

const Node = Type.Object({
  id: Type.String(),
  isSelf: Type.Boolean(says('the process that answers', '作出响应的进程')),
  version: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Time,
  seenAt: Time,
  runs: count,
  connections: count,
  rssBytes: Type.Optional(count),
  eventLoopP99Ms: milliseconds,
});

export const OpsOverview = Type.Object({
  at: Time,
  state: oneOf(['healthy', 'degraded', 'broken']),
  reasons: Type.Array(Reason, says('the worst first', '最严重的在前')),
  accepting: OpsAccepting,
  live: Type.Object({
    running: count,
    waiting: count,
    queued: count,
    stuck: count,
    replays: Type.Integer({ minimum: 0, ...says('replays and suites that call models', '正在调用模型的重放和测试集') }),
  }),
  traffic: Type.Object(
    {
      windowMinutes: count,
      runsPerMinute: Type.Number(),
      successShare: Optional.Number({ minimum: 0, maximum: 1 }),
      runP95Ms: milliseconds,
      firstTokenP95Ms: milliseconds,
    },
    says('of the last minutes; absent without runs', '最近几分钟的数据；没有运行时不出现'),
  ),
  minutes: Type.Array(Minute, says('the last 60 minutes since the start, oldest first', '启动以来最近 60 分钟，最早的在前')),
  today: Type.Object(
    {
      day: Type.String(),
      tokens: count,
      costUsd: Type.Number(),
      unpricedRuns: count,
      tokensPerDay: Optional.Number(),
      costPerDayUsd: Optional.Number(),
    },
    says('the day in UTC, with the budget of the tenant', 'UTC 当天，附租户的预算'),
  ),
  limits: OverviewLimits,
  people: Type.Object({ questions: count, approvals: count, oldestAt: Type.Optional(Time) }),
  process: Type.Object(
    {
      connections: count,
      eventLoopP99Ms: milliseconds,
      rssBytes: Type.Optional(count),
      heapUsedBytes: Type.Optional(count),
      diskFreeBytes: Optional.Number(),
      diskTotalBytes: Optional.Number(),
      backupAt: Type.Optional(Time),
    },
    says('facts of the machine are for admins and keys of the tenant default', '机器的数据仅供 admin 和 default 租户的密钥查看'),
  ),
  nodes: Type.Array(Node, says('the gateways on this store', '此存储上的网关')),
  warnings: Type.Array(Type.String()),
  notices: Notices,
  changes: Type.Array(
    Type.Object({
      at: Time,
      actor: Type.String(),
      action: Type.String(),
      actionText: Type.String(),
      actionTextZh: Type.String(),
      target: Type.String(),
    }),
    says('the last acts of operators, from the audit log', '运维人员最近的操作，来自审计日志'),
  ),
});
export type OpsOverview = Static<typeof OpsOverview>;

export const OpsPeople = Type.Object({
  at: Time,
  waiting: Type.Array(
    Type.Object({
      requestId: Type.String(),
      kind: oneOf(['clarification', 'approval']),
      tenantId: Type.String(),
      sessionId: Type.String(),
      runId: Type.String(),
      mode: oneOf(['wait', 'text']),
      tool: text,
      createdAt: Time,
      expiresAt: Time,
      connected: Type.Integer(says('readers of the session in the process that answers', '作出响应的进程中该会话的读者数')),
    }),
    says('oldest first; answer by the routes of clarifications and approvals', '最早的在前；用澄清和审批的路由回答'),
  ),
  connections: count,
});
export type OpsPeople = Static<typeof OpsPeople>;

export const OpsTools = Type.Object({
  at: Time,
  countedSince: Time,
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      toolset: Type.String(),
      origin: Type.String(),
      label: Type.String(),
      labelZh: Type.String(),
      effect: Type.String(),
      enabled: Type.Boolean(),
      reason: text,
      reasonZh: text,
      isSwitchedOff: Type.Boolean(says('an operator has switched it off', '运维人员已停用')),
      problems: Optional.Array(Type.String()),
      calls: count,
      errors: count,
      p50Ms: milliseconds,
      p95Ms: milliseconds,
      cached: count,
      duplicates: count,
      resultUnits: Type.Integer(says('characters of all results', '所有结果的字符数')),
      lastError: Optional.Object({ status: Type.String(), at: Time }),
    }),
  ),
  patchLevels: Type.Record(Type.String(), Type.Integer(), says('patches by the level that found the place', '按匹配层级统计的补丁数')),
  mcpServers: Type.Array(McpServer),
  manifestProblems: Type.Array(Type.String(), says('each with its file and line', '每条都注明文件和行')),
  manifestNotices: Notices,
});
export type OpsTools = Static<typeof OpsTools>;

const DaySums = {
  runs: count,
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  costUsd: Type.Number(),
  unpricedRuns: count,
};

export const OpsModels = Type.Object({
  at: Time,
  source: Type.String(),
  countedSince: Time,
  models: Type.Array(
    Type.Object({
      id: Type.String(),
      model: Type.String(),
      label: text,
      provider: Type.String(),
      state: oneOf(['ok', 'cooling', 'failing', 'unknown']),
      reason: text,
      reasonZh: text,
      isDefault: Type.Boolean(),
      contextWindow: Optional.Integer(),
      priceSource: oneOf(['models.yaml', 'list', 'none']),
      price: Optional.Object(
        {
          input: Type.Number(),
          output: Type.Number(),
          cachedInput: Optional.Number(),
          cacheWrite: Optional.Number(),
          tiers: Type.Optional(Type.Record(Type.String(), Type.Number())),
        },
        says('US dollars per million tokens', '每百万 token 的美元价格'),
      ),
      priceList: Optional.String(says('name and version of the price list', '价目表的名称和版本')),
      priceDate: Optional.String(
        says('day of the list, or of the last change of models.yaml', '价目表的日期，或 models.yaml 最后更改的日期'),
      ),
      today: Type.Object(DaySums),
      calls: Type.Optional(count),
      errors: Type.Optional(count),
      retries: Type.Optional(count),
      fallbacks: Type.Optional(count),
      lastError: Optional.Object({ code: Type.String(), at: Time }),
      firstTokenP50Ms: milliseconds,
      firstTokenP95Ms: milliseconds,
      callP95Ms: milliseconds,
      inputTokens: Type.Optional(count),
      cachedTokens: Type.Optional(count),
      outputTokens: Type.Optional(count),
      reasoningTokens: Type.Optional(count),
      costUsd: Optional.Number(),
      unpricedCalls: Type.Optional(count),
    }),
    says('models with unpriced calls first', '有未定价调用的模型在前'),
  ),
  today: Type.Object({
    day: Type.String(),
    byAgent: Type.Array(Type.Object({ name: Type.String(), ...DaySums })),
    byKey: Type.Array(Type.Object({ name: Type.String(), ...DaySums })),
  }),
});
export type OpsModels = Static<typeof OpsModels>;

export const OpsLimits = Type.Object({
  at: Time,
  accepting: OpsAccepting,
  limits: Type.Array(
    Type.Object({
      scope: oneOf(['key', 'tenant']),
      name: Type.String(),
      tenantId: Type.String(),
      limit: Type.String(says('name of the limit in limits.yaml', 'limits.yaml 中的名称')),
      used: Optional.Number(says('absent for rates, which are counted in advance', '按分钟的速率预先计数，因此不出现')),
      max: Type.Number(),
      resetsAt: Type.Optional(Time),
      raised: Optional.Number(says('added by operators for today, beside max', '运维人员为当天增加的量，不含在 max 中')),
      forecast: Optional.Number(says('used at the end of the day, if it goes on so', '按此趋势到当天结束时的用量')),
      lastBlock: Optional.Object({ at: Time, code: Type.String() }),
    }),
  ),
  refusals: Type.Array(
    Type.Object({
      at: Time,
      tenantId: Type.String(),
      keyName: Type.String(),
      code: Type.String(),
      message: Type.String(),
      messageZh: text,
      scope: text,
      limit: text,
    }),
    says('the last 100 of this process', '本进程最近的 100 条'),
  ),
  gateway: Type.Object({ concurrentRuns: count, queuedRuns: count }, says('limits of each process', '每个进程的上限')),
});
export type OpsLimits = Static<typeof OpsLimits>;

export const OpsConnections = Type.Object({
  at: Time,
  connections: Type.Array(
    Type.Object({
      id: Type.String(),
      node: Type.String(),
      tenantId: Type.String(),
      keyName: Type.String(),
      transport: Type.String(),
      connectedAt: Time,
      userAgent: text,
      sessions: count,
      bufferedBytes: count,
      protocol: Optional.Integer(says('version of the Engine.IO protocol', 'Engine.IO 协议的版本')),
      lagMs: Optional.Number(says('of the last heartbeat; absent until one was measured', '最近一次心跳的延迟；测得之前不出现')),
      recovered: Optional.Boolean(says('took over the state of an earlier connection', '接续了之前连接的状态')),
      replayed: Optional.Integer(says('subscriptions that got what they had missed', '补发了所漏事件的订阅数')),
      gaps: Optional.Integer(says('subscriptions that could not get all they had missed', '未能补全所漏事件的订阅数')),
    }),
  ),
});

export const OpsToolSwitch = Type.Object({ name: Type.String(), enabled: Type.Boolean() });
