/** Answers of the routes for operators about runs. */
import { type Static, Type } from '@sinclair/typebox';
import { AnyObject, Time } from '../../../controller/schemas/common';
import { UsageData } from '../../../port/model_events';
import { RUN_STATUSES } from '../../../port/run_event';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';

const text = Optional.String();
const count = Type.Integer({ minimum: 0 });
const dollars = Optional.Number({ minimum: 0, ...says('USD; absent when a price is unknown', '美元；有价格未知时不出现') });

const RUN = {
  runId: Type.String(),
  sessionId: Type.String(),
  tenantId: Type.String(),
  parentRunId: text,
  status: oneOf(RUN_STATUSES),
  door: Type.String(),
  agent: Type.String(),
  keyName: text,
  createdAt: Time,
  startedAt: Type.Optional(Time),
};
const firstWords = Optional.String(says('beginning of the message; only where texts are asked for', '消息的开头；仅在要求文本时出现'));

const OpsLiveRun = Type.Object({
  ...RUN,
  firstWords,
  state: oneOf(['queued', 'model', 'tool', 'human', 'child'], says('what it waits for or does', '正在等待或进行的事')),
  step: Optional.Object({
    kind: oneOf(['model', 'tool', 'human', 'child']),
    name: text,
    command: Optional.String(
      says('command or arguments of the pending call; only for keys with the scope chat', '未完成调用的命令或参数；仅限带 chat 权限的密钥'),
    ),
    since: Time,
  }),
  node: Optional.String(says('the gateway process that executes it', '执行它的网关进程')),
  iterations: count,
  maxIterations: count,
  tokens: count,
  costUsd: Optional.Number({ minimum: 0, ...says('USD so far; absent when a price is unknown', '目前的美元费用；有价格未知时不出现') }),
  lastEventAt: Type.Optional(Time),
  lastFailure: Optional.Object(
    { kind: oneOf(['tool', 'model']), name: Type.String(), code: Type.String(), at: Time },
    says('the last tool call or model that failed', '最近失败的工具调用或模型'),
  ),
  isStuck: Type.Boolean(says('no event for 60 s, and it waits for no person', '60 秒没有事件，且不在等人')),
});

const OpsRunRow = Type.Object({
  ...RUN,
  firstWords,
  reason: text,
  errorCode: text,
  errorMessage: text,
  model: text,
  tokens: count,
  cachedTokens: count,
  costUsd: dollars,
  endedAt: Type.Optional(Time),
  durationMs: Type.Optional(count),
});

export const OpsRuns = Type.Object({
  at: Time,
  live: Type.Array(OpsLiveRun, says('runs that are not over; on the first page only', '未结束的运行；只在第一页')),
  data: Type.Array(
    OpsRunRow,
    says('runs that have ended, newest first; with sort the largest first', '已结束的运行，最新的在前；有 sort 时最大的在前'),
  ),
  nextCursor: text,
  hasMore: Type.Boolean(),
});
export type OpsRuns = Static<typeof OpsRuns>;

export const WaterfallRow = Type.Object({
  kind: oneOf(['queue', 'model', 'tool', 'human', 'child', 'compaction']),
  name: Type.String(),
  id: text,
  fromSeq: count,
  toSeq: Type.Optional(count),
  startMs: Type.Number(says('milliseconds after the run was accepted', '运行被接受之后的毫秒数')),
  durationMs: Optional.Number(says('absent while it goes on', '仍在进行时不出现')),
  firstTokenMs: Optional.Number(says('milliseconds after the start of the row', '从本行开始算起的毫秒数')),
  ok: Optional.Boolean(),
  outcome: text,
  isCached: Optional.Boolean(),
  isDuplicate: Optional.Boolean(),
  inputTokens: Type.Optional(count),
  cachedTokens: Type.Optional(count),
  outputTokens: Type.Optional(count),
  costUsd: dollars,
});
export type WaterfallRow = Static<typeof WaterfallRow>;

export const OpsRunDetail = Type.Object({
  run: Type.Object({
    ...RUN,
    reason: text,
    error: Optional.Object({ code: Type.String(), message: Type.String(), messageZh: text }),
    locale: Type.String(),
    model: text,
    node: text,
    epoch: Type.Integer(says('how often it changed its process, from 1', '换过几次进程，从 1 算起')),
    recoveries: count,
    lastSeq: count,
    usage: UsageData,
    limits: AnyObject,
    isTemporary: Optional.Boolean(says('the run belongs to a temporary chat', '该运行属于临时对话')),
    endedAt: Type.Optional(Time),
  }),
  live: Type.Optional(OpsLiveRun),
  waterfall: Type.Array(WaterfallRow, says('in the order of their starts', '按开始的先后')),
  isTruncated: Type.Boolean(says('only the first 100,000 events are in the waterfall', '瀑布图只含前 100,000 个事件')),
  isExpired: Type.Boolean(says('the events are no longer kept', '事件已不再保存')),
  tools: Type.Array(
    Type.Object({ name: Type.String(), why: oneOf(['always', 'toolset', 'skill_hint', 'relevance']), score: Optional.Number() }),
    says('tools of the run; reasons and scores are found anew', '运行得到的工具；原因和得分为现在重新计算'),
  ),
  prompt: Type.Object(
    {
      layers: Type.Array(Type.Object({ name: oneOf(['prompt', 'tools', 'message', 'conversation']), tokens: count })),
      estimatedTokens: count,
    },
    says('what the first model call was made of, estimated', '第一次模型调用的组成，为估算'),
  ),
  errors: Type.Array(
    Type.Object({ seq: count, kind: oneOf(['tool', 'model', 'run']), name: Type.String(), code: text, message: text, messageZh: text }),
  ),
  children: Type.Array(Type.Object({ runId: Type.String(), sessionId: Type.String(), status: oneOf(RUN_STATUSES), agent: Type.String() })),
  again: Optional.Object(
    { input: Type.String(), agent: Type.String(), sessionId: Type.String(), model: text, parameters: Type.Optional(AnyObject) },
    says('what starts the same run again; only for keys with the scope chat', '用于再次启动同样的运行；仅限带 chat 权限的密钥'),
  ),
});
export type OpsRunDetail = Static<typeof OpsRunDetail>;

export const OpsRunExport = Type.Object({
  ...OpsRunDetail.properties,
  exportedAt: Time,
  hasTexts: Type.Boolean(says('false: texts are replaced by their lengths', 'false：文本以其长度代替')),
  events: Type.Array(AnyObject, says('at most 20,000', '最多 20,000 个')),
});

export const OpsCancelled = Type.Object({ runIds: Type.Array(Type.String(), says('runs that are being cancelled', '正在取消的运行')) });

export const OpsRunCancelled = Type.Object({ runId: Type.String(), sessionId: Type.String(), status: oneOf(RUN_STATUSES) });
