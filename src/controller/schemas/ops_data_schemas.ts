/** Requests and answers of the routes for operators about sessions and questions. */
import { Type } from '@sinclair/typebox';
import { ApprovalAnswer, RUN_STATUSES, TERMINAL_STATUSES } from '../../port/run_event';
import { says } from '../../utils/bilingual';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';
import { closed, oneOf, PAGE_QUERY, Time } from './common';
import { Answered, Approval, Decided, Question } from './question_schemas';

const count = Type.Integer({ minimum: 0 });

export const OpsSessionsQuery = Type.Object(
  {
    ...PAGE_QUERY,
    tenant: Type.Optional(
      Type.String({ pattern: ID_PATTERN, ...says('one tenant; others than your own need admin', '单个租户；不是自己的租户时需要 admin') }),
    ),
    agent: Type.Optional(Type.String({ pattern: ID_PATTERN, ...says('name of the agent', '智能体的名称') })),
    status: Type.Optional(oneOf(TERMINAL_STATUSES, says('only sessions whose last run ended so', '只列出最后一次运行这样结束的会话'))),
    since: Type.Optional(
      Type.String({ maxLength: 40, ...says('changed at this time or later, ISO 8601', '在此时间或之后更改，ISO 8601') }),
    ),
    origin: Type.Optional(oneOf(['openai'], says('sessions of single calls at /v1', '/v1 的单次调用的会话'))),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, ...says('words of messages, in any language', '消息中的词语，任何语言') }),
    ),
  },
  closed,
);

export const OpsSessions = Type.Object({
  data: Type.Array(
    Type.Object({
      sessionId: Type.String(),
      tenantId: Type.String(),
      title: Type.Optional(Type.String()),
      snippet: Type.Optional(Type.String(says('text around the best match of q', 'q 的最佳匹配处的文本'))),
      agent: Type.String(),
      createdAt: Time,
      updatedAt: Time,
      messages: count,
      messageBytes: Type.Integer(says('bytes of the messages as stored', '消息存储的字节数')),
      runs: count,
      events: count,
      isMore: Type.Boolean(says('the session holds more than was counted', '会话的内容多于已统计的')),
      lastRun: Type.Optional(
        Type.Object({
          runId: Type.String(),
          status: oneOf(RUN_STATUSES),
          door: Type.String(),
          reason: Type.Optional(Type.String()),
          errorCode: Type.Optional(Type.String(says('a code of the error table', '错误表中的代码'))),
          createdAt: Time,
          endedAt: Type.Optional(Time),
        }),
      ),
    }),
  ),
  nextCursor: Type.Optional(Type.String()),
  hasMore: Type.Boolean(),
});

export const OpsQuestion = Type.Object({
  tenantId: Type.String(),
  kind: oneOf(['clarification', 'approval']),
  question: Type.Optional(Question),
  approval: Type.Optional(Approval),
});

export const OpsAnswerRequest = Type.Object(
  {
    answer: Type.Optional(
      Type.String({
        maxLength: 20_000,
        pattern: NOT_BLANK,
        ...says('for a question: your words, or the number of a choice', '回答问题：自己的话，或选项的编号'),
      }),
    ),
    decision: Type.Optional(Type.Object(ApprovalAnswer.properties, { ...closed, ...says('for an approval', '审批决定') })),
  },
  closed,
);

export const OpsAnswered = Type.Object({
  ...Answered.properties,
  decision: Type.Optional(Decided.properties.decision),
});
