/** Requests and answers of the routes of feedback. */
import { Type } from '@sinclair/typebox';
import { LIST_QUERY, PAGE_QUERY, Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';
import { RATINGS } from './store/feedback_records';

/** The longest sentence, in UTF-16 units. */
const MAX_TEXT_UNITS = 2_000;

export const FeedbackRequest = closedObject(
  {
    rating: oneOf(RATINGS),
    text: Optional.String({
      maxLength: MAX_TEXT_UNITS,
      pattern: NOT_BLANK,
      ...says('what was good or bad; absent: an earlier sentence is removed', '好在哪里或不足之处；省略则删除先前的文字'),
    }),
  },
  { examples: [{ rating: 'down', text: 'The second table is wrong.' }] },
);

const FILTERS = {
  rating: Optional.OneOf(RATINGS),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('name of the agent', '智能体的名称') }),
  model: Optional.String({ maxLength: 200, ...says('name of the model', '模型的名称') }),
  since: Optional.String({
    maxLength: 40,
    ...says('given or changed at this time or later, ISO 8601', '在此时间或之后给出或更改，ISO 8601'),
  }),
  until: Optional.String({ maxLength: 40, ...says('given or changed before this time, ISO 8601', '在此时间之前给出或更改，ISO 8601') }),
};

export const FeedbackQuery = closedObject({
  ...PAGE_QUERY,
  ...FILTERS,
  session: Optional.String({
    pattern: ID_PATTERN,
    ...says('only of the chat of this session, and of turns that were copied into it', '只列出此会话所在对话以及复制到此会话的轮次的反馈'),
  }),
  mine: Optional.Literal('true', says('only what your key gave', '只列出你的密钥给出的反馈')),
});

const TENANT = Optional.String({
  pattern: ID_PATTERN,
  ...says('one tenant; others than your own need admin', '单个租户；不是自己的租户时需要 admin'),
});

export const OpsFeedbackQuery = closedObject({ ...PAGE_QUERY, ...FILTERS, tenant: TENANT });
export const OpsFeedbackCountsQuery = closedObject({
  ...LIST_QUERY,
  tenant: TENANT,
  since: Optional.String({ maxLength: 40, ...says('ISO 8601; the last 30 days when left out', 'ISO 8601；省略则为最近 30 天') }),
});

const FIELDS = {
  id: Type.String(),
  runId: Type.String(),
  sessionId: Type.String(),
  keyName: Type.String(says('the key of the person who rated', '评价者的密钥')),
  rating: oneOf(RATINGS),
  text: Optional.String(),
  agent: Type.String(),
  model: Type.String(says('the model that was chosen for the run', '为该运行选择的模型')),
  createdAt: Time,
  updatedAt: Time,
};
export const Feedback = Type.Object(FIELDS);
export const OpsFeedback = Type.Object({ ...FIELDS, tenantId: Type.String() });

const count = Type.Integer({ minimum: 0 });
export const OpsFeedbackCount = Type.Object({
  tenantId: Type.String(),
  agent: Type.String(),
  model: Type.String(),
  up: count,
  down: count,
});
