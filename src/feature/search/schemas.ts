/** Requests and answers of the route /search. */
import { Type } from '@sinclair/typebox';
import { integerText, PAGE_QUERY, searchText, Time, UTC_TIME } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';

export const MAX_SEARCH_PAGE = 100;
export const DEFAULT_SEARCH_PAGE = 20;

export const SearchQuery = closedObject({
  q: searchText(
    'words in any language; the last one may be the beginning of a word; words in "quotes" stand side by side',
    '任意语言的词；最后一个可以只是词的开头；加 "引号" 的词必须相邻',
  ),
  limit: Type.Optional(
    integerText(3, { minimum: 1, maximum: MAX_SEARCH_PAGE, default: DEFAULT_SEARCH_PAGE }, says('rows of a page', '每页行数')),
  ),
  cursor: PAGE_QUERY.cursor,
  since: Optional.String({
    pattern: UTC_TIME,
    ...says('finds messages from this time on, ISO 8601 in UTC', '只查找此时间之后的消息，ISO 8601 格式的 UTC 时间'),
  }),
  until: Optional.String({
    pattern: UTC_TIME,
    ...says('finds messages before this time, ISO 8601 in UTC', '只查找此时间之前的消息，ISO 8601 格式的 UTC 时间'),
  }),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('only chats of this agent', '只搜索此智能体的对话') }),
  project: Optional.String({ minLength: 1, maxLength: 60, ...says('only chats of this project', '只搜索此项目的对话') }),
  archived: Optional.OneOf(
    ['true', 'false'],
    says('true: only archived chats; false: without them', 'true 只搜索已归档的对话；false 不搜索它们'),
  ),
  sessionId: Optional.String({
    pattern: ID_PATTERN,
    ...says('searches this session only; without it, sessions of crew members are left out', '只搜索这个会话；省略时不搜索团队成员的会话'),
  }),
  role: Optional.OneOf(['user', 'assistant']),
});

export const FoundMessage = Type.Object({
  sessionId: Type.String(),
  parentSessionId: Optional.String(
    says(
      'set for the session of a crew member, where the role user is the master that gave the task',
      '只有团队成员的会话才有；其中 user 是布置任务的主导者',
    ),
  ),
  title: Type.String(says('title of the session', '会话的标题')),
  runId: Type.String(),
  role: oneOf(['user', 'assistant']),
  snippet: Type.String(says('the text around the hit: plain text on one line', '匹配处前后的文本：单行纯文本')),
  at: Time,
  score: Type.Number(says('a higher score is a better match, within one search', '在同一次搜索内，分数越高越匹配')),
});
