/** Requests and answers of the routes under /clarifications and /approvals. */
import { Type } from '@sinclair/typebox';
import { REVIEW_FIELDS } from '../../port/approval_review';
import { WrittenFiles, WrittenImages } from '../../port/image_input';
import { DecidedBy } from '../../port/question_ends';
import { APPROVAL_DECISIONS, ApprovalAnswer, ApprovalData, ClarificationData } from '../../port/run_event';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { NOT_BLANK } from '../../wire/not_blank';
import { Id, PAGE_QUERY, Time } from './common';

const STATUSES = ['pending', 'answered', 'expired', 'cancelled'] as const;

export const AnswerRequest = closedObject(
  {
    answer: Type.String({
      maxLength: 20_000,
      pattern: NOT_BLANK,
      ...says('your own words, or the number of a choice', '自己的话，或选项的编号'),
    }),
    images: Type.Optional(WrittenImages),
    files: Type.Optional(WrittenFiles),
  },
  { examples: [{ answer: 'Blue' }] },
);
export const DecisionRequest = closedObject(ApprovalAnswer.properties, { examples: [{ decision: 'allow_once' }] });

export const BulkDecisionRequest = closedObject(
  {
    ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      ...says('the requestId of each approval', '每项审批的 requestId'),
    }),
    decision: oneOf(['allow_once', 'deny']),
    reason: ApprovalAnswer.properties.reason,
  },
  { examples: [{ ids: ['0d6f0c53-0000-4000-8000-000000000000'], decision: 'allow_once' }] },
);

/** Filters of both lists. */
export const QuestionsQuery = closedObject({
  ...PAGE_QUERY,
  status: Optional.OneOf(STATUSES),
  sessionId: Type.Optional(Id),
  chatHidden: Optional.OneOf(
    ['true', 'false'],
    says(
      'true: only what the caller is asked alone, without seeing the session; false: only of sessions that the caller sees',
      'true 只列出单独向调用方提出、而调用方看不到会话的项；false 只列出调用方能看到的会话的项',
    ),
  ),
});

const ParentSession = Optional.String(
  says('present when a child run asks: the session whose chat shows it too', '由子运行提出时才有：也显示它的那个会话'),
);

const AskedBy = Optional.String(
  says('whose message made the agent ask: the name of a key, or the handle of a person', '因谁的消息而提出：密钥的名称，或人员的标识'),
);
const ChatHidden = Optional.Boolean(
  says('the caller is asked this alone, and does not see the session', '只向调用方提出这一项；调用方看不到该会话'),
);

export const Question = Type.Object({
  requestId: Type.String(),
  sessionId: Type.String(),
  runId: Type.String(),
  parentSessionId: ParentSession,
  question: Type.String(),
  choices: Optional.Array(Type.String(), { maxItems: 4 }),
  to: ClarificationData.properties.to,
  escalate: ClarificationData.properties.escalate,
  escalatedTo: Optional.String(says('to whom the question was passed on', '问题已转交给谁')),
  status: oneOf(STATUSES),
  answer: Optional.String(),
  decidedBy: DecidedBy,
  askedBy: AskedBy,
  chatHidden: ChatHidden,
  createdAt: Time,
  expiresAt: Time,
});

export const Answered = Type.Object({
  requestId: Type.String(),
  status: Type.Literal('answered'),
  runId: Optional.String(
    says('the run that the answer started, when the question had ended its own run', '原运行已因提问而结束时，由回答启动的新运行'),
  ),
  sessionId: Optional.String(),
});

export const Approval = Type.Object({
  ...ApprovalData.properties,
  sessionId: Type.String(),
  runId: Type.String(),
  parentSessionId: ParentSession,
  status: oneOf(STATUSES),
  answer: Optional.Object(ApprovalAnswer.properties, says('the decision', '作出的决定')),
  decidedBy: DecidedBy,
  askedBy: AskedBy,
  chatHidden: ChatHidden,
  createdAt: Time,
  expiresAt: Time,
});

export const Decided = Type.Object({
  requestId: Type.String(),
  status: oneOf(['answered', 'pending'], says('pending: more people must say yes', 'pending：还需要其他人同意')),
  decision: oneOf(APPROVAL_DECISIONS),
  needed: REVIEW_FIELDS.needed,
  approvals: REVIEW_FIELDS.approvals,
});

export const BulkDecided = Type.Object({
  data: Type.Array(
    Type.Object({
      ...Type.Partial(Decided).properties,
      requestId: Type.String(),
      error: Optional.Object(
        { code: Type.String(), message: Type.String() },
        says('why this one was not decided; the others are', '此项未作决定的原因；其他各项已决定'),
      ),
    }),
    says('in the order of ids', '与 ids 的顺序相同'),
  ),
});
