/** Requests and answers of the routes for operators about sessions, questions, logs, files, limits and connections. */
import { type Static, Type } from '@sinclair/typebox';
import { LIST_QUERY, PAGE_QUERY, Time } from '../../../controller/schemas/common';
import { Answered, Approval, Decided, Question } from '../../../controller/schemas/question_schemas';
import { LOG_LEVELS } from '../../../port/logger';
import { ApprovalAnswer, RUN_STATUSES, TERMINAL_STATUSES } from '../../../port/run_event';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';
import { ID_PATTERN } from '../../../wire/decode';
import { NOT_BLANK } from '../../../wire/not_blank';

const count = Type.Integer({ minimum: 0 });

export const OpsSessionsQuery = closedObject({
  ...PAGE_QUERY,
  tenant: Optional.String({
    pattern: ID_PATTERN,
    ...says('one tenant; others than your own need admin', '单个租户；不是自己的租户时需要 admin'),
  }),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('name of the agent', '智能体的名称') }),
  status: Optional.OneOf(TERMINAL_STATUSES, says('only sessions whose last run ended so', '只列出最后一次运行这样结束的会话')),
  since: Optional.String({ maxLength: 40, ...says('changed at this time or later, ISO 8601', '在此时间或之后更改，ISO 8601') }),
  origin: Optional.OneOf(['openai'], says('sessions of single calls at /v1', '/v1 的单次调用的会话')),
  q: Optional.String({
    minLength: 1,
    maxLength: 500,
    ...says('words of titles and messages, in any language', '标题和消息中的词语，任何语言'),
  }),
});

export const OpsSessions = Type.Object({
  data: Type.Array(
    Type.Object({
      sessionId: Type.String(),
      tenantId: Type.String(),
      title: Optional.String(),
      snippet: Optional.String(says('text around the best match of q', 'q 的最佳匹配处的文本')),
      agent: Type.String(),
      createdAt: Time,
      updatedAt: Time,
      messages: count,
      messageBytes: Type.Integer(says('bytes of the messages as stored', '消息存储的字节数')),
      runs: count,
      events: count,
      isMore: Type.Boolean(says('the session holds more than was counted', '会话的内容多于已统计的')),
      lastRun: Optional.Object({
        runId: Type.String(),
        status: oneOf(RUN_STATUSES),
        door: Type.String(),
        reason: Optional.String(),
        errorCode: Optional.String(says('a code of the error table', '错误表中的代码')),
        createdAt: Time,
        endedAt: Type.Optional(Time),
      }),
    }),
  ),
  nextCursor: Optional.String(),
  hasMore: Type.Boolean(),
});
export type OpsSessions = Static<typeof OpsSessions>;

export const OpsQuestion = Type.Object({
  tenantId: Type.String(),
  kind: oneOf(['clarification', 'approval']),
  question: Type.Optional(Question),
  approval: Type.Optional(Approval),
});

export const OpsAnswerRequest = closedObject({
  answer: Optional.String({
    maxLength: 20_000,
    pattern: NOT_BLANK,
    ...says('for a question: your words, or the number of a choice', '回答问题：自己的话，或选项的编号'),
  }),
  decision: Type.Optional(closedObject(ApprovalAnswer.properties, says('for an approval', '审批决定'))),
});

export const OpsAnswered = Type.Object({
  ...Answered.properties,
  ...Decided.properties,
  decision: Type.Optional(Decided.properties.decision),
});

const KEY_NAME = '^[\\w.-]{1,64}$';
const reason = Optional.String({
  maxLength: 200,
  ...says('why; kept in the audit log, so no secrets', '原因；保存在审计日志中，请勿包含机密'),
});

const LOG_FILTER = closedObject({
  level: Optional.OneOf(LOG_LEVELS, says('this level and more serious ones', '此级别及更严重的级别')),
  run: Optional.String({ pattern: ID_PATTERN, ...says('the id of a run', '运行的 id') }),
  q: Optional.String({ minLength: 1, maxLength: 200, ...says('text in the line, upper or lower case', '行中的文本，不区分大小写') }),
});

/** A stream has no pages. */
export const OpsLogStreamQuery = LOG_FILTER;
export const OpsLogsQuery = closedObject({ ...LOG_FILTER.properties, ...LIST_QUERY });

const OpsLogLine = Type.Object(
  {
    n: Type.Integer(says('grows by one with each line of this process', '本进程每行加一')),
    time: Time,
    level: oneOf(LOG_LEVELS),
    msg: Type.String(),
    runId: Optional.String(),
    sessionId: Optional.String(),
    requestId: Optional.String(),
    error: Optional.String(),
    text: Optional.String(),
  },
  says('further facts of the line stand beside these', '该行的其他字段也在其中'),
);

export const OpsLogs = Type.Object({
  at: Time,
  data: Type.Array(OpsLogLine, says('the last 1,000 at most, oldest first', '最多最近 1,000 行，最早的在前')),
  nextCursor: Optional.String(),
  hasMore: Type.Boolean(),
});

export const OpsConfigFile = Type.Object({
  name: Type.String(),
  text: Optional.String(says('absent while the file does not exist', '文件不存在时不出现')),
  hash: Optional.String(says('SHA-256; send it back as baseHash', 'SHA-256；写入时作为 baseHash 发回')),
  isWritable: Type.Boolean(says('false: the directory is read-only', 'false：目录只读')),
  schema: Type.Object({}, { additionalProperties: true, ...says('JSON schema of the content', '内容的 JSON schema') }),
});
export type OpsConfigFile = Static<typeof OpsConfigFile>;

export const ConfigWriteRequest = closedObject({
  text: Type.String({ maxLength: 262_144, ...says('the whole file, YAML', '整个文件，YAML') }),
  baseHash: Optional.String({
    pattern: '^[0-9a-f]{64}$',
    ...says('hash of the version that you changed; absent for a new file', '所修改版本的 hash；新文件不填'),
  }),
});

export const OpsConfigWritten = Type.Object({ name: Type.String(), hash: Type.String() });

export const RaiseLimitRequest = closedObject({
  scope: oneOf(['key', 'tenant']),
  tenant: Type.String({ pattern: KEY_NAME }),
  name: Type.String({ pattern: KEY_NAME, ...says('name of the key, or of the tenant', '密钥或租户的名称') }),
  limit: oneOf(['tokensPerDay', 'costPerDayUsd']),
  by: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e12,
    ...says('tokens or US dollars, for today in UTC', 'token 数或美元，仅限 UTC 当天'),
  }),
  reason,
});
export type RaiseLimitRequest = Static<typeof RaiseLimitRequest>;

export const OpsRaisedLimit = Type.Object({
  max: Type.Number(),
  raised: Type.Number(says('all that was added for today', '当天共增加的量')),
});

export const OpsDisconnected = Type.Object({ id: Type.String(), disconnected: Type.Literal(true) });
