/** Requests and answers of the routes under /runs. */
import { Type } from '@sinclair/typebox';
import { CallerCall } from '../../port/caller';
import { FileReferenceData, ImageReferenceData, WrittenFiles, WrittenImages } from '../../port/image_input';
import { UsageData } from '../../port/model_events';
import { WrittenParameters } from '../../port/model_parameters';
import { CancelledBy } from '../../port/run_authors';
import { ApprovalData, ClarificationData, DOORS, Escalation, INCOMPLETE_REASONS, RUN_STATUSES, RunError } from '../../port/run_event';
import { RunTools } from '../../port/run_tools';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';
import { AnyObject, Id, integerText, Locale, Metadata, PAGE_QUERY, ParentQuery, Time } from './common';
import { MODEL_NAME } from './model_schemas';

const OutputRequest = closedObject(
  { schema: Type.Record(Type.String(), Type.Unknown(), says('JSON Schema of an object', '对象的 JSON Schema')) },
  says(
    'the last answer is JSON that matches the schema; an answer that does not match is repaired once, then the run fails with output_invalid',
    '最后的回答是符合 schema 的 JSON；不符合时修正一次，仍不符合则运行以 output_invalid 失败',
  ),
);

export const RunRequest = closedObject(
  {
    input: Type.String({ minLength: 1, maxLength: 200_000, pattern: NOT_BLANK, ...says('the message to the agent', '发给智能体的消息') }),
    images: Type.Optional(WrittenImages),
    files: Type.Optional(WrittenFiles),
    sessionId: Optional.String({
      pattern: ID_PATTERN,
      ...says('the session to continue; a new one when left out', '要继续的会话；省略则新建'),
    }),
    agent: Optional.String({
      pattern: ID_PATTERN,
      ...says("name of an agent; the session's own when left out", '智能体的名字；省略则用会话自己的'),
    }),
    locale: Optional.OneOf(['en', 'zh-CN'], says('language of this run', '本次运行的语言')),
    clarify: Optional.OneOf(['text', 'wait'], {
      default: 'text',
      ...says(
        'text: a question ends the run and is its answer; wait: the run waits for the answer of a person',
        'text：问题本身就是回答，运行就此结束；wait：运行一直等到有人回答',
      ),
    }),
    onBusy: Optional.OneOf(['enqueue', 'reject', 'interrupt', 'steer'], {
      default: 'enqueue',
      ...says(
        'when the session already has a run: wait in the queue, answer 409, cancel the other run, or send the text into the other run',
        '会话已有运行时：排队、返回 409、取消正在进行的那个，或把这段文字送进正在进行的那个',
      ),
    }),
    model: Optional.String({
      ...MODEL_NAME,
      ...says('id of a model; that of the session or of the agent when left out', '模型的 id；省略则用会话或智能体的'),
    }),
    parameters: Type.Optional(WrittenParameters),
    output: Type.Optional(OutputRequest),
    metadata: Type.Optional(Metadata),
    tools: Type.Optional(RunTools),
    limits: Type.Optional(
      closedObject(
        {
          maxToolIterations: Optional.Integer({ minimum: 1, maximum: 1_000, ...says('model calls with tools', '带工具的模型调用次数') }),
          timeoutMs: Optional.Integer({
            minimum: 1_000,
            maximum: 86_400_000,
            ...says('milliseconds; waiting for a person does not count', '毫秒；等待人回答的时间不计入'),
          }),
          maxTokens: Optional.Integer({
            minimum: 1,
            maximum: 1_000_000_000,
            ...says(
              'input and output tokens of all model calls, child runs included; one answer may exceed it, and no call follows',
              '所有模型调用的输入与输出 token，包括子运行；一次回答可以超出，之后不再调用',
            ),
          }),
          maxCostUsd: Optional.Number({
            exclusiveMinimum: 0,
            maximum: 1_000_000,
            ...says('USD for all model calls, child runs included', '所有模型调用的美元费用，包括子运行'),
          }),
          maxToolCalls: Optional.Integer({
            minimum: 0,
            maximum: 100_000,
            ...says('tool calls, child runs included', '工具调用次数，包括子运行'),
          }),
        },
        says('narrow the limits of the key; reaching one ends the run as incomplete', '收紧密钥的上限；达到上限时运行以 incomplete 结束'),
      ),
    ),
  },
  { examples: [{ input: 'list the files' }] },
);

const REPLACED_RUN = {
  editOf: Optional.String({
    pattern: ID_PATTERN,
    ...says(
      'id of a message with which a run began; input takes its place in a new branch of the chat',
      '某次运行起始消息的 id；input 在对话的新分支中取代它',
    ),
  }),
  regenerate: Optional.String({
    pattern: ID_PATTERN,
    ...says(
      'id of a run; its message is answered again in a new branch of the chat, with input when that is given',
      '运行的 id；在对话的新分支中重新回答它的消息，若给出 input 则使用 input',
    ),
  }),
};
export const StartRequest = closedObject(
  {
    ...RunRequest.properties,
    input: Type.Optional({
      ...RunRequest.properties.input,
      ...says('the message to the agent; may be left out with regenerate alone', '发给智能体的消息；只有 regenerate 时可以省略'),
    }),
    ...REPLACED_RUN,
  },
  { examples: RunRequest['examples'] },
);

export const SteerRequest = closedObject(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 200_000,
      pattern: NOT_BLANK,
      ...says('a message for the run in progress', '发给正在进行的运行的消息'),
    }),
    images: Type.Optional(WrittenImages),
    files: Type.Optional(WrittenFiles),
  },
  { examples: [{ text: 'Only the first file, please.' }] },
);

export const RunsQuery = closedObject({
  ...PAGE_QUERY,
  sessionId: Type.Optional(Id),
  status: Optional.OneOf(RUN_STATUSES),
  parent: ParentQuery,
});
export const EventsQuery = closedObject({
  after: Type.Optional(
    integerText(9, { minimum: 0 }, says('the last seq that you have, or nextCursor', '你已有的最后一个 seq，或 nextCursor')),
  ),
  limit: Type.Optional(integerText(4, { minimum: 1, maximum: 1_000, default: 500 }, says('events of a page', '每页事件数'))),
});

export const StartHeaders = Type.Object({
  'idempotency-key': Optional.String({
    maxLength: 255,
    ...says(
      'the same key with the same body gives the same run; the answer then carries Idempotency-Replayed: true',
      '同样的键加同样的请求体得到同一个运行，此时响应带有 Idempotency-Replayed: true',
    ),
  }),
  prefer: Optional.String(
    says(
      'respond-async: answer 202 at once; wait=N: answer 202 when the run has not ended after N seconds',
      'respond-async：立即返回 202；wait=N：运行在 N 秒内没有结束时返回 202',
    ),
  ),
});
export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    integerText(
      9,
      { minimum: 0 },
      says('the same as after, as event sources send it when they reconnect', '与 after 相同；EventSource 重连时会自动发送'),
    ),
  ),
});

const RunStatus = oneOf(RUN_STATUSES, says('the last four are final', '后四个表示运行已结束'));

export const RunResult = Type.Object({
  runId: Type.String(),
  sessionId: Type.String(),
  parentRunId: Optional.String(says('the run that delegated this one', '委派此运行的父运行')),
  status: RunStatus,
  reason: Optional.OneOf(INCOMPLETE_REASONS, says('why the run is incomplete', '运行未完成的原因')),
  text: Type.String(says('the answer', '回答')),
  output: Type.Optional(
    Type.Unknown(says('the value of the answer, when the request gave a schema for it', '请求给出 schema 时，回答的值')),
  ),
  clarification: Optional.Object(
    ClarificationData.properties,
    says('the question that the run ended with; the next message answers it', '运行结束时提出的问题；下一条消息就是回答'),
  ),
  approval: Optional.Object(ApprovalData.properties, says('the tool call for whose approval the run waits', '运行正在等待批准的工具调用')),
  escalation: Optional.Object(
    Escalation.properties,
    says('the question to its master with which a child run ended', '子运行结束时向主导者提出的问题'),
  ),
  toolCalls: Type.Array(
    Type.Object({
      toolCallId: Type.String(),
      name: Type.String(),
      args: Type.Unknown(),
      ok: Type.Boolean(),
      result: Type.String(),
      durationMs: Type.Number(),
      cached: Optional.Boolean(says('the result comes from the cache', '结果来自缓存')),
      duplicate: Optional.Boolean(
        says('this session, or this response of the model, has made the same call before', '本会话或模型的这次回复中已有相同的调用'),
      ),
    }),
    says('the newest 1,000, at most 4 MiB; the log of tool executions has all', '最新的 1,000 次，最多 4 MiB；全部见工具执行日志'),
  ),
  usage: Type.Object(UsageData.properties, says('tokens', 'token 数')),
  error: Optional.Object(
    RunError.properties,
    says('why the run failed, or that it reached its time limit', '运行失败的原因，或运行时间用完'),
  ),
  callerCalls: Optional.Array(
    Type.Object(CallerCall.properties),
    says('calls of the tools that the caller brought; the caller runs them', '对调用方自带工具的调用，由调用方执行'),
  ),
});

export const Run = Type.Object({
  ...Type.Omit(RunResult, ['toolCalls']).properties,
  door: oneOf(DOORS),
  keyName: Optional.String(says('the API key that the run counts for; local without keys', '运行计入的 API 密钥；没有密钥时为 local')),
  cancelledBy: CancelledBy,
  agent: Type.String(),
  locale: Locale,
  input: Type.String(),
  images: Optional.Array(ImageReferenceData, says('the images of the message', '消息中的图片')),
  files: Optional.Array(FileReferenceData, says('the PDF files of the message', '消息中的 PDF 文件')),
  model: Optional.String(says('the model that its request or its session chose', '请求或会话选择的模型')),
  parameters: Type.Optional(AnyObject),
  metadata: Type.Optional(AnyObject),
  parentSessionId: Optional.String(says('the session of the run that delegated this one', '父运行所在的会话')),
  lastSeq: Type.Integer(says('highest seq that is stored', '已存的最大 seq')),
  createdAt: Time,
  startedAt: Type.Optional(Time),
  endedAt: Type.Optional(Time),
});

const QUANTILES = { p50: Type.Number(), p90: Type.Number() };

export const RunPreview = Type.Object({
  agent: Type.String(),
  model: Type.String(),
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      why: oneOf(
        ['always', 'toolset', 'skill_hint', 'relevance'],
        says(
          'always: every agent has it; toolset: the profile names it; skill_hint: a skill that the session has read asks for it; relevance: it fits the message, or all tools fit the budget',
          'always：每个智能体都有；toolset：档案中列出；skill_hint：会话读过的技能需要它；relevance：与消息相关，或全部工具都在预算之内',
        ),
      ),
      score: Optional.Number(says('from 0 to 1, the best fit', '0 到 1，1 为最相关')),
    }),
    says('in the order in which the model gets them', '按发给模型的顺序'),
  ),
  parameters: Optional.Object(
    {},
    {
      additionalProperties: true,
      ...says('of the model, the profile, the session and the request, merged', '模型、档案、会话和请求的参数合并之后'),
    },
  ),
  ranking: Optional.OneOf(
    ['words', 'words_and_meaning'],
    says(
      'how tools were ranked for the message; words_and_meaning: with vectors of the embedding model; absent when all tools fit',
      '工具按什么与消息匹配：words_and_meaning 表示同时使用嵌入模型的向量；全部工具都在预算之内时没有此字段',
    ),
  ),
  leftOut: Type.Array(
    Type.String(),
    says('tools that the agent may have and that do not go to the model', '智能体可以使用、但不发给模型的工具'),
  ),
  prompt: Type.String(),
  estimatedTokens: Type.Integer(says('prompt, tools and messages', '提示词、工具和消息')),
  estimate: Optional.Object(
    {
      costUsd: Optional.Object(QUANTILES, says('absent when a price is unknown', '有价格未知时不出现')),
      ms: Type.Object(QUANTILES, says('with the time in which a run waited for people', '包括等待人的时间')),
      basedOn: Type.Integer(says('number of runs', '运行的数量')),
    },
    says(
      'what recent runs of this tenant with the same agent and model cost and took; absent with fewer than five of them',
      '本租户最近使用相同智能体和模型的运行的费用和用时；少于五个时不出现',
    ),
  ),
});
export const RunWithResult = Type.Object({ ...Run.properties, toolCalls: RunResult.properties.toolCalls });
export const RunAccepted = Type.Object({ runId: Type.String(), sessionId: Type.String(), status: RunStatus });
export const SteerAccepted = Type.Object({ runId: Type.String(), sessionId: Type.String() });
export const ToolCallStopped = Type.Object({ runId: Type.String(), toolCallId: Type.String(), status: RunStatus });
