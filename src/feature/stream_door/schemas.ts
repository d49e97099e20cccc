/** The query of a stream (Durable Streams protocol, 5.5 to 5.7). */
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';

export const StreamQuery = closedObject({
  offset: Optional.String({
    pattern: '^(?:-1|now|[0-9]{10})$',
    ...says(
      'where to read on: Stream-Next-Offset of an earlier answer, -1 for the start (the default), or now for the end',
      '从哪里读起：之前响应的 Stream-Next-Offset；-1 表示开头（默认）；now 表示末尾',
    ),
  }),
  live: Optional.OneOf(
    ['long-poll', 'sse'],
    says(
      'wait for more events; needs offset. Without it the answer holds what is stored now',
      '等待更多事件，需要 offset；省略则只返回现已存储的内容',
    ),
  ),
  cursor: Optional.String({ pattern: '^[0-9]{1,15}$', ...says('Stream-Cursor of the answer before', '上一个响应的 Stream-Cursor') }),
});
