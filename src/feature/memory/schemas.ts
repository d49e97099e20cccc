/** Requests and answers of the routes under /memories. */
import { Type } from '@sinclair/typebox';
import { PAGE_QUERY, Time } from '../../controller/schemas/common';
import { OWNED_FIELDS, SHARING_FIELDS } from '../../controller/schemas/owned_schemas';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { NOT_BLANK } from '../../wire/not_blank';
import { MEMORY_KINDS } from './store/memory_records';

const Kind = oneOf(MEMORY_KINDS);
const Text = Type.String({ maxLength: 2_000, pattern: NOT_BLANK });

export const MemoryInput = closedObject(
  {
    text: Text,
    kind: Optional.OneOf(MEMORY_KINDS, { default: 'fact' }),
    force: Optional.Boolean({
      default: false,
      ...says('save it beside a memory that says nearly the same', '即使已有几乎相同的记忆也保存'),
    }),
  },
  { examples: [{ text: 'Prefers tabs over spaces', kind: 'preference' }] },
);
export const MemoryChange = closedObject(
  { text: Type.Optional(Text), kind: Type.Optional(Kind), ...SHARING_FIELDS },
  { examples: [{ text: 'Prefers spaces over tabs' }] },
);
export const MemoriesQuery = closedObject({
  ...PAGE_QUERY,
  q: Optional.String({
    maxLength: 500,
    ...says('words that must all occur; the last one may be the beginning of a word', '必须全部出现的词；最后一个可以只是词的开头'),
  }),
  kind: Type.Optional(Kind),
});

export const Memory = Type.Object({
  id: Type.String(),
  text: Type.String(),
  kind: oneOf(MEMORY_KINDS),
  source: Type.Object({
    by: oneOf(['person', 'agent']),
    sessionId: Optional.String(),
    runId: Optional.String(),
    tainted: Optional.Boolean(says('a tool result of the same turn held the text', '同一轮的工具结果中含有这段文字')),
  }),
  createdAt: Time,
  updatedAt: Time,
  lastUsedAt: Optional.String({ format: 'date-time', ...says('the newest recall', '最近一次被查到的时间') }),
  ...OWNED_FIELDS,
});
export const SavedMemory = Type.Object({
  ...Memory.properties,
  outcome: oneOf(
    ['created', 'updated', 'near_duplicate'],
    says(
      'created; updated: a memory with the same words; near_duplicate: nothing was stored, this memory says nearly the same',
      'created 已新建；updated 更新了用词相同的记忆；near_duplicate 未保存，这条记忆的内容几乎相同',
    ),
  ),
});
