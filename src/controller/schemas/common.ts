/** Schemas that several resources share. */
import { type TString, Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';

/** Requests are closed: an unknown field is an error. Answers stay open, because they grow by addition. */
export const closed = { additionalProperties: false };

export const Id = Type.String({ pattern: ID_PATTERN });
export const AnyObject = Type.Record(Type.String(), Type.Unknown());
export const Time = Type.String({ format: 'date-time' });
export const Locale = oneOf(['en', 'zh-CN']);

/** Keyword of a schema with the type that the document shows instead. */
export const DOCUMENTED_AS = 'x-documented-as';

/** The type that generated clients send for a number that arrives as text. */
interface IntegerRange {
  minimum: number;
  maximum?: number;
  default?: number;
}

/** An integer in a query or header: text of at most `digits` digits, documented as an integer. */
export function integerText(digits: number, range: IntegerRange, description: object): TString {
  return Type.String({ pattern: `^[0-9]{1,${digits}}$`, ...description, [DOCUMENTED_AS]: { type: 'integer', ...range } });
}

/** The pattern of a time in a request: ISO 8601 in UTC. `sinceOf` reads it. */
export const UTC_TIME = '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$';

/** Query parameters of every list. */
export const PAGE_QUERY = {
  limit: Type.Optional(
    integerText(
      4,
      { minimum: 1, maximum: 1_000, default: 50 },
      says('rows of a page; a page ends earlier when it has 1 MiB', '每页行数；达到 1 MiB 时这一页提前结束'),
    ),
  ),
  cursor: Optional.String({ maxLength: 500, ...says('nextCursor of the page before', '上一页的 nextCursor') }),
};
/** Query parameters of a list that is whole without them. */
export const LIST_QUERY = {
  limit: Type.Optional(
    integerText(4, { minimum: 1, maximum: 1_000 }, says('rows of a page; all rows when left out', '每页行数；省略则为全部')),
  ),
  cursor: PAGE_QUERY.cursor,
};
export const ListQuery = closedObject(LIST_QUERY);

/** Lists the children of a run instead of everything else. */
export const ParentQuery = Optional.String({ pattern: ID_PATTERN, ...says('only what this run delegated', '只列出此运行委派的') });

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Optional.String({
    maxLength: 255,
    ...says(
      'the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true',
      '同样的键加同样的请求不会重复创建：响应给出第一次创建的对象，并带有 Idempotency-Replayed: true',
    ),
  }),
});

export const LanguageHeader = Type.Object({
  'accept-language': Optional.String(
    says('language of labels and descriptions: zh for Chinese, anything else for English', '标签和描述的语言：zh 为中文，其他为英文'),
  ),
});

/** Metadata of a run or session; `checkMetadata` checks its size. */
export const Metadata = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Unknown(),
  says(
    'any data of your own, at most 16 KiB as JSON; stored and returned unchanged',
    '你自己的任意数据，JSON 形式最多 16 KiB；保存并原样返回',
  ),
);

/** Text of a search in messages or titles. */
export const searchText = (en: string, zhCN: string) => Type.String({ pattern: NOT_BLANK, maxLength: 200, ...says(en, zhCN) });
