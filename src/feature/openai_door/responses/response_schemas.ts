/** Queries and answers of the routes under /v1/responses. */
import { Type } from '@sinclair/typebox';
import { AnyObject, integerText } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { Optional } from '../../../utils/schema_types';

/** Clients add further fields, such as include; they are ignored. */
export const ResponseQuery = Type.Object({
  stream: Optional.OneOf(['true', 'false'], says('true: the events', 'true：返回事件流')),
  starting_after: Type.Optional(
    integerText(9, { minimum: 0 }, says('the last sequence_number that you have', '你已有的最后一个 sequence_number')),
  ),
});

export const InputItemsQuery = Type.Object({
  limit: Type.Optional(integerText(3, { minimum: 1, maximum: 100, default: 20 }, says('items of a page', '每页条目数'))),
  order: Optional.OneOf(['asc', 'desc'], says('desc when left out', '省略则为 desc')),
  after: Optional.String({ maxLength: 200, ...says('last_id of the page before', '上一页的 last_id') }),
});

export const ResponseInputItems = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(AnyObject),
  first_id: Type.Union([Type.String(), Type.Null()]),
  last_id: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});

export const ResponseDeleted = Type.Object({ id: Type.String(), object: Type.Literal('response'), deleted: Type.Literal(true) });

export const ResponseInputTokens = Type.Object({ object: Type.Literal('response.input_tokens'), input_tokens: Type.Integer() });
