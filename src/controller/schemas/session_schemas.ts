/** Requests and answers of the routes under /sessions and /agents. */

import { Type } from '@sinclair/typebox';
import { FileReferenceData, ImageReferenceData } from '../../port/image_input';
import { WrittenParameters } from '../../port/model_parameters';
import { PARTICIPANT_ROLES, VISIBILITIES } from '../../port/store/session_access';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { NOT_BLANK } from '../../wire/not_blank';
import { AnyObject, closed, Locale, Metadata, PAGE_QUERY, ParentQuery, searchText, Time, UTC_TIME } from './common';
import { MODEL_NAME } from './model_schemas';
import { OWNED_FIELDS } from './owned_schemas';

/** The longest instructions of a chat, in UTF-16 units. */
const MAX_INSTRUCTIONS = 4_000;
const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high'] as const;

export const SessionInput = closedObject(
  {
    title: Optional.String({ maxLength: 200 }),
    agent: Optional.String({ pattern: ID_PATTERN }),
    locale: Optional.OneOf(['en', 'zh-CN']),
    thinkingLevel: Optional.OneOf(THINKING_LEVELS),
    model: Optional.Union(
      [Type.String(MODEL_NAME), Type.Null()],
      says('id of a model; null: that of the agent', '模型的 id；null 表示用智能体的'),
    ),
    parameters: Optional.Union(
      [WrittenParameters, Type.Null()],
      says('replace the earlier ones; null: none', '替换之前的参数；null 表示清除'),
    ),
    metadata: Type.Optional(Metadata),
    pinned: Optional.Boolean(says('shown above the others in lists', '在列表中置顶')),
    archived: Optional.Boolean(says('left out of the list', '不在列表中显示')),
    project: Optional.Union(
      [Type.String({ minLength: 1, maxLength: 60, pattern: NOT_BLANK }), Type.Null()],
      says('name of a project; null: none', '项目名称；null 表示不属于任何项目'),
    ),
    instructions: Optional.Union(
      [Type.String({ minLength: 1, maxLength: MAX_INSTRUCTIONS, pattern: NOT_BLANK }), Type.Null()],
      says('text for the prompt of each run; null: none', '加入每次运行提示词的文字；null 表示没有'),
    ),
    temporary: Optional.Boolean(
      says(
        'in no list and no search, deleted after NETA_KEEP_TEMPORARY_DAYS; its runs save no memory',
        '不列出、不可搜索，在 NETA_KEEP_TEMPORARY_DAYS 天后删除；其运行不保存记忆',
      ),
    ),
  },
  { examples: [{ title: 'Weekly report' }] },
);
/** A session stays temporary, or does not become it. */
export const SessionChange = closedObject(
  {
    ...Type.Omit(SessionInput, ['temporary']).properties,
    visibility: Optional.OneOf(
      VISIBILITIES,
      says('who sees a session of a person; by the owner, or by an admin', '谁能看到个人的会话；由所有者或管理员更改'),
    ),
    sharedWith: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        ...says(
          'handles or ids of people, roles, or groups as group:<name>: all who see it beside the owner; who joins reads only',
          '人的标识或 id、角色，或 group:<名称> 形式的组：除所有者外能看到它的所有人；新加入者只能阅读',
        ),
      }),
    ),
    branch: Optional.String({
      pattern: ID_PATTERN,
      ...says('id of the branch that the list of sessions shows of this chat from now on', '会话列表从此为该对话列出的分支的 id'),
    }),
  },
  { examples: [{ title: 'Weekly report' }] },
);
const ImportedMessage = closedObject({
  role: oneOf(['user', 'assistant']),
  content: Type.String({ maxLength: 500_000 }),
  createdAt: Optional.String({
    pattern: UTC_TIME,
    ...says('ISO 8601 in UTC; without it, that of the message before', 'ISO 8601 格式的 UTC 时间；省略时同上一条消息'),
  }),
});
export const ImportRequest = closedObject(
  {
    title: Optional.String({ maxLength: 200, ...says('without it, from the first message', '省略时取自第一条消息') }),
    locale: Optional.OneOf(['en', 'zh-CN']),
    archived: Optional.Boolean(),
    messages: Type.Array(ImportedMessage, { minItems: 1, maxItems: 2_000 }),
  },
  {
    examples: [
      {
        title: 'Bread',
        messages: [
          { role: 'user', content: 'How long does dough rest?' },
          { role: 'assistant', content: 'One hour.' },
        ],
      },
    ],
  },
);
export const ForkRequest = Type.Pick(SessionInput, ['title'], { ...closed, examples: [{ title: 'Another way' }] });
export const BranchRequest = closedObject(
  { before: Type.String({ pattern: ID_PATTERN, ...says('id of a run of the session', '会话中某次运行的 id') }) },
  { examples: [{ before: 'run_01k0c4q2v3x9n8m7j6h5g4f3d2' }] },
);

export const SessionsQuery = closedObject({
  ...PAGE_QUERY,
  parent: ParentQuery,
  origin: Optional.Literal(
    'openai',
    says('only sessions of single calls at /v1, also those of Anthropic clients', '只列出 /v1 单次调用的会话，包括 Anthropic 客户端的'),
  ),
  pinned: Optional.Literal('true', says('only pinned sessions', '只列出置顶的会话')),
  archived: Optional.OneOf(
    ['true', 'false'],
    says(
      'true: only archived sessions; false: without them; left out: without them, unless q is given',
      'true 只列出已归档的会话；false 不列出；省略时不列出，除非给出 q',
    ),
  ),
  agent: Optional.String({ pattern: ID_PATTERN, ...says('only sessions of this agent', '只列出此智能体的会话') }),
  since: Optional.String({
    maxLength: 40,
    ...says('changed at this time or later, ISO 8601 in UTC', '在此时间或之后更改，ISO 8601 格式的 UTC 时间'),
  }),
  until: Optional.String({
    maxLength: 40,
    ...says('changed before this time, ISO 8601 in UTC', '在此时间之前更改，ISO 8601 格式的 UTC 时间'),
  }),
  project: Optional.String({
    minLength: 1,
    maxLength: 60,
    pattern: NOT_BLANK,
    ...says('only sessions of this project', '只列出此项目的会话'),
  }),
  q: Type.Optional(searchText('words in the title, in any order', '标题中的词，顺序不限')),
});

export const BranchesQuery = closedObject(PAGE_QUERY);

export const MessagesQuery = closedObject({
  ...PAGE_QUERY,
  order: Optional.OneOf(['asc', 'desc'], {
    default: 'asc',
    ...says('asc: oldest first; desc: newest first', 'asc：最早的在前；desc：最新的在前'),
  }),
});

export const Session = Type.Object({
  id: Type.String(),
  title: Type.String(says('empty until the first message', '第一条消息之前为空')),
  agent: Type.String(),
  locale: Locale,
  thinkingLevel: oneOf(THINKING_LEVELS),
  model: Optional.String(says('the chosen model; absent: that of the agent', '选择的模型；缺省为智能体的')),
  parameters: Type.Optional(AnyObject),
  metadata: Type.Optional(AnyObject),
  parentSessionId: Optional.String(says('present in the session of a child run', '子运行的会话才有')),
  parentRunId: Optional.String(says('the run that delegated', '委派任务的运行')),
  origin: Optional.Object(
    { jobId: Optional.String(), hookId: Optional.String(), door: Optional.Literal('openai') },
    says(
      'present when a job, a hook or a single call at /v1 made the session; door is openai for Anthropic clients too',
      '由定时任务、钩子或 /v1 单次调用建立的会话才有；Anthropic 客户端的会话，door 也是 openai',
    ),
  ),
  owner: Optional.String(
    says('handle of the person whose session it is; absent: it belongs to the tenant', '会话所属的人的标识；没有则属于整个租户'),
  ),
  visibility: Optional.OneOf(VISIBILITIES, says('present with the owner', '有所有者时才有')),
  sharedWith: Type.Optional(Type.Array(Type.String(), says('present when one session is read', '读取单个会话时才有'))),
  rootSessionId: Optional.String(says('the first session of a chat that has branches', '有分支的对话的第一个会话')),
  pinned: Optional.Boolean(),
  archived: Optional.Boolean(),
  project: Optional.String(),
  temporary: Optional.Boolean(),
  instructions: Optional.String(),
  beforeRunId: Optional.String(
    says('present in a branch: the run in whose place its first run stands', '分支才有：其第一次运行所取代的运行'),
  ),
  createdAt: Time,
  updatedAt: Time,
});

export const Project = Type.Object({
  name: Type.String(),
  sessions: Type.Integer(says('number of chats that are not archived', '未归档的对话数量')),
});

export const Branch = Type.Object({
  id: Type.String(says('id of the session of the branch', '该分支的会话 id')),
  parentMessageId: Type.Union(
    [Type.String(), Type.Null()],
    says(
      'the message behind which the branch begins, in the session that it was branched from; null: at the beginning of the chat',
      '分支从这条消息之后开始，属于分支来源的会话；null 表示从对话开头开始',
    ),
  ),
  title: Type.String(),
  messages: Type.Integer(says('number of its messages', '消息数量')),
  createdAt: Time,
  active: Type.Boolean(says('true: the list of sessions shows this branch of the chat', 'true：会话列表为该对话列出这个分支')),
});

export const BranchPlace = Type.Object({
  runs: Type.Array(
    Type.Object({ runId: Type.String(), sessionId: Type.String() }),
    says('runs that stand in this place, each in its branch, oldest first', '处于此位置的运行，各在其分支中，最早的在前'),
  ),
});

export const Message = Type.Object({
  id: Type.String(),
  runId: Type.String(says('begins with imp_ for an imported message, of which there is no run', '导入的消息以 imp_ 开头，没有对应的运行')),
  role: oneOf(['user', 'assistant', 'tool']),
  content: Type.String(),
  by: Optional.String(says('who wrote a message of a person: a handle, or the name of a key', '人发送的消息的作者：标识，或密钥的名称')),
  byGateway: Optional.Boolean(says('the gateway wrote it, no person and no model', '由网关写入，不是人或模型')),
  summary: Optional.Boolean(
    says('the summary of a conversation that a program gave back, as compaction item', '程序以 compaction 条目交回的对话摘要'),
  ),
  images: Optional.Array(
    ImageReferenceData,
    says('GET /sessions/{id}/images/{imageId} gives the bytes', 'GET /sessions/{id}/images/{imageId} 返回图片内容'),
  ),
  files: Optional.Array(
    FileReferenceData,
    says('PDF files; GET /sessions/{id}/files/{fileId} gives the bytes', 'PDF 文件；GET /sessions/{id}/files/{fileId} 返回文件内容'),
  ),
  toolCallId: Optional.String(says('the call that a tool result belongs to', '工具结果所属的调用')),
  toolCalls: Optional.Array(
    Type.Object({
      toolCallId: Type.String(),
      name: Type.String(),
      arguments: Type.String(says('JSON text as the model wrote it', '模型写出的 JSON 原文')),
    }),
  ),
  createdAt: Time,
});

export const Agent = Type.Object({
  name: Type.String(says('the value of `agent` in a run request', '运行请求中 `agent` 的取值')),
  label: Type.String(),
  description: Type.String(),
  model: Type.String(),
  tools: Type.Array(Type.String(), says('names of the tools that its runs have', '它的运行可用的工具名称')),
  members: Type.Array(Type.String(), says('names of the agents that it can delegate to', '它可以委派任务的智能体名称')),
  suggestions: Type.Optional(Type.Array(Type.String(), says('first messages that a page can offer', '页面可以提供的首条消息'))),
  owner: Optional.String(says('handle of the person to whom it belongs', '所属的人的标识')),
  visibility: Optional.OneOf(VISIBILITIES, says('who sees it; absent: everybody', '谁能看到；没有则为所有人')),
  sharedWith: OWNED_FIELDS.sharedWith,
});

export const ParticipantRequest = closedObject(
  {
    person: Type.String({
      minLength: 1,
      maxLength: 200,
      ...says('handle or id of a person, a role, or a group as group:<name>', '人的标识或 id、角色，或 group:<名称> 形式的组'),
    }),
    role: oneOf(PARTICIPANT_ROLES),
    handOver: Optional.Boolean(
      says('with role driver: the caller, who is a driver, becomes a watcher', '与 driver 一起使用：调用者若是 driver，则变为 watcher'),
    ),
  },
  { examples: [{ person: '@anna', role: 'approver' }] },
);

export const Participant = Type.Object({
  person: Type.String(says('handle of a person, a role, or a group', '人的标识、角色或组')),
  role: oneOf(PARTICIPANT_ROLES),
  addedBy: Type.String(),
  addedAt: Time,
  present: Optional.Boolean(says('this person looks at the session now; in the list alone', '此人正在查看该会话；仅在列表中给出')),
  typing: Optional.Boolean(says('absent for a person who does not look now', '未在查看的人没有此字段')),
});

const PresentPerson = Type.Object({
  handle: Type.String(says('handle of a person, or name of a key', '人的标识，或密钥的名称')),
  name: Type.String(),
  part: Type.String(says('owner, driver, approver, watcher, tenant or everybody', 'owner、driver、approver、watcher、tenant 或 everybody')),
  typing: Type.Boolean(),
  tabs: Type.Integer(says('connections that follow the session', '关注该会话的连接数')),
});

export const ParticipantPage = Type.Object({
  data: Type.Array(Participant),
  nextCursor: Optional.String({}),
  looking: Type.Array(
    PresentPerson,
    says('who looks now and is not named as a participant, such as the owner', '正在查看、但未列为参与者的人，例如所有者'),
  ),
});
