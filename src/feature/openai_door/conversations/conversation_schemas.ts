/** Requests and answers of the routes under /v1/conversations. */
import { Type } from '@sinclair/typebox';
import { AnyObject, integerText } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { Optional } from '../../../utils/schema_types';
import { METADATA } from '../shared/openai_schemas';

const MAX_NEW_ITEMS = 20;

const NewItem = Type.Object({}, { additionalProperties: true });
const ITEMS = says(
  'messages of the user or the assistant, function_call, function_call_output',
  'user 或 assistant 的消息、function_call、function_call_output',
);

/** Other fields are ignored, as those of responses are. */
const open = { additionalProperties: true };

export const NewConversation = Type.Object(
  { items: Optional.Array(NewItem, { maxItems: MAX_NEW_ITEMS, ...ITEMS }), metadata: Type.Optional(METADATA) },
  { ...open, examples: [{ metadata: { topic: 'garden' } }] },
);

export const ConversationChange = Type.Object(
  { metadata: Type.Optional({ ...METADATA, ...says('replaces the earlier metadata', '替换之前的元数据') }) },
  { ...open, examples: [{ metadata: { topic: 'garden' } }] },
);

export const NewItems = Type.Object(
  { items: Type.Array(NewItem, { minItems: 1, maxItems: MAX_NEW_ITEMS, ...ITEMS }) },
  { ...open, examples: [{ items: [{ type: 'message', role: 'user', content: 'hello' }] }] },
);

export const ItemsQuery = Type.Object({
  limit: Type.Optional(
    integerText(
      3,
      { minimum: 1, maximum: 100, default: 20 },
      says('items of a page; a page ends earlier when it has 1 MiB', '每页条目数；达到 1 MiB 时这一页提前结束'),
    ),
  ),
  order: Optional.OneOf(['asc', 'desc'], says('desc, the newest first, when left out', '省略则为 desc，最新的在前')),
  after: Optional.String({ maxLength: 200, ...says('last_id of the page before', '上一页的 last_id') }),
});

export const Conversation = Type.Object({
  id: Type.String(says('conv_ and the id of the session', 'conv_ 加会话的 id')),
  object: Type.Literal('conversation'),
  created_at: Type.Integer(says('seconds since 1970', '自 1970 年起的秒数')),
  metadata: AnyObject,
});

export const ConversationDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal('conversation.deleted'),
  deleted: Type.Literal(true),
});

export const ConversationItem = Type.Object(
  {
    id: Type.String(),
    type: Type.String(
      says('message, function_call, function_call_output or compaction', 'message、function_call、function_call_output 或 compaction'),
    ),
  },
  open,
);

export const ConversationItems = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(ConversationItem),
  first_id: Type.Union([Type.String(), Type.Null()]),
  last_id: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});
