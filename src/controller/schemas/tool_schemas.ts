/** Requests and answers of the routes under /tools, /toolsets and /tool-executions. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { AnyObject, Id, IdempotencyHeader, integerText, LanguageHeader, LIST_QUERY, PAGE_QUERY, Time, UTC_TIME } from './common';

/** Characters of the largest page of a result. */
export const MAX_RESULT_PAGE = 500_000;
const STATUSES = ['running', 'success', 'error', 'cancelled', 'unknown'] as const;
const milliseconds = says('milliseconds', '毫秒');
const clipped = says('clipped', '过长会截断');

export const ToolCallRequest = closedObject(
  {
    toolName: Type.String({ pattern: ID_PATTERN, ...says('a tool, or with command a manifest', '工具的名称；带 command 时为清单的名称') }),
    command: Optional.String({ pattern: ID_PATTERN, ...says('a command of the manifest', '清单中的命令') }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        maxProperties: 1_000,
        ...says('the arguments of the tool', '工具自己的参数'),
      }),
    ),
    timeout: Optional.Integer({ minimum: 1, maximum: 600_000, ...milliseconds }),
    context: Optional.Object(
      {
        locale: Optional.OneOf(['en', 'zh-CN']),
      },
      says(
        'any data of your own, at most 16 KiB as JSON; the tool gets it. The texts user and agent say for whom the call is and are logged',
        '你自己的任意数据，JSON 形式最多 16 KiB；会传给工具。文本 user 和 agent 说明为谁调用，会写入日志',
      ),
    ),
  },
  { examples: [{ toolName: 'read_file', parameters: { path: 'notes.txt' } }] },
);

export const ToolCallHeaders = Type.Object({
  ...LanguageHeader.properties,
  ...IdempotencyHeader.properties,
  prefer: Optional.String(says('respond-async: answer 202 at once', 'respond-async：立即返回 202')),
});

export const ToolExecutionsQuery = closedObject({
  ...PAGE_QUERY,
  tool: Optional.String({ pattern: ID_PATTERN, ...says('a tool, or a manifest with all its commands', '工具，或清单（包含其全部命令）') }),
  changes: Optional.OneOf(['true'], says('only calls of tools that change files', '只列出改动文件的工具的调用')),
  command: Type.Optional(Id),
  user: Optional.String({ maxLength: 200 }),
  agent: Optional.String({ maxLength: 200 }),
  status: Optional.OneOf(STATUSES),
  session: Type.Optional(Id),
  run: Type.Optional(Id),
  since: Optional.String({ pattern: UTC_TIME, ...says('ISO 8601 time in UTC', 'ISO 8601 格式的 UTC 时间') }),
});

const ORIGINS = ['builtin', 'code', 'mcp', 'manifest'] as const;
const origin = says(
  'mcp: a tool of an MCP server; manifest: described by a YAML file; code: a method of a class',
  'mcp：来自 MCP 服务器；manifest：由 YAML 文件描述；code：类的方法',
);

export const ToolsQuery = closedObject({
  ...LIST_QUERY,
  toolset: Type.Optional(Id),
  origin: Optional.OneOf(ORIGINS),
  enabled: Optional.OneOf(['true', 'false'], says('whether the gateway can run the tool', '网关能否运行该工具')),
});

const ManifestFacts = Type.Object(
  {
    version: Type.String(),
    author: Optional.String(),
    type: oneOf(['sync', 'async', 'service']),
    runtime: oneOf(['python', 'javascript', 'native']),
    network: Type.Boolean(says('whether its process may use the network', '其进程能否使用网络')),
    tags: Type.Array(Type.String()),
    dependencies: Type.Array(Type.String()),
  },
  says('what the manifest of the tool says; only with the origin manifest', '工具清单中的内容；仅当 origin 为 manifest 时存在'),
);

export const Tool = Type.Object({
  name: Type.String(),
  toolset: Type.String(),
  origin: oneOf(ORIGINS, origin),
  label: Type.String(),
  description: Type.String(),
  effect: oneOf(['read', 'idempotent', 'write', 'external']),
  parameters: Type.Record(Type.String(), Type.Unknown(), says('JSON Schema', 'JSON Schema')),
  annotations: Optional.Object(
    {
      readOnlyHint: Type.Boolean(),
      destructiveHint: Type.Boolean(),
      idempotentHint: Type.Boolean(),
      openWorldHint: Type.Boolean(),
    },
    says('as in the Model Context Protocol; they follow from the effect', '与 MCP 协议相同，由 effect 得出'),
  ),
  always: Optional.Literal(true, says('every run of the agents that may have it is offered it', '可以拥有它的智能体，每次运行都会得到它')),
  enabled: Type.Boolean(says('whether this gateway can run it', '这个网关能否运行它')),
  reason: Optional.String(says('why it cannot', '不能运行的原因')),
  problems: Optional.Array(Type.String(), says('errors in its definition', '工具定义中的错误')),
  asideFor: Optional.Array(
    closedObject({ model: Type.String(), reason: Type.String() }),
    says('models that are not offered the tool, because their server refuses it', '不提供此工具的模型：其服务器不接受它'),
  ),
  manifest: Type.Optional(ManifestFacts),
  calls: Type.Integer(says('calls in runs and direct ones', '运行中和直接的调用次数')),
  errors: Type.Integer(says('calls that failed, were refused or were cancelled', '失败、被拒绝或被取消的次数')),
  countedSince: Type.String({ format: 'date-time', ...says('the start of this gateway process', '本网关进程的启动时间') }),
});

export const Toolset = Type.Object({
  name: Type.String(says('an MCP server may have the name of a built-in toolset', 'MCP 服务器可以与内置工具集同名')),
  origin: oneOf(ORIGINS, origin),
  tools: Type.Array(Type.String()),
  default: Type.Boolean(),
  enabled: Type.Boolean(says('whether this gateway can run it', '这个网关能否运行它')),
});

export const ToolCallResult = Type.Object({
  status: oneOf(['success', 'error']),
  result: Type.Unknown(
    says(
      'content is the text for a model; the other fields are the same as data and depend on the tool. A command of a manifest: the result of its program, of any type. null after an error',
      'content 是给模型的文本，其余字段是各工具的数据形式。清单命令：其程序给出的结果，类型不限。出错时为 null',
    ),
  ),
  error: Type.Union([Type.String(), Type.Null()]),
  errorCode: Optional.OneOf(['tool_timeout'], says('tells programs which error it was', '出错时供程序区分原因')),
  message: Type.String(),
  base64: Optional.String(says('a binary result', '二进制结果')),
  durationMs: Type.Integer(milliseconds),
  timestamp: Time,
});

export const ToolExecution = Type.Object({
  id: Type.String(),
  sessionId: Optional.String(),
  runId: Optional.String(),
  toolCallId: Optional.String(),
  tool: Type.String(says('a tool; with command, a manifest', '工具；有 command 时为清单')),
  command: Optional.String(says('the command of the manifest', '清单中的命令')),
  user: Optional.String(says('for whom the call was made, as its caller stated', '调用方所说的使用者')),
  agent: Optional.String(says('agent of the run, or as the caller stated', '运行的智能体，或调用方所说的智能体')),
  args: Type.String(says('JSON text, clipped', 'JSON 文本，过长会截断')),
  status: oneOf(STATUSES),
  result: Optional.String(clipped),
  error: Optional.String(clipped),
  durationMs: Optional.Number(milliseconds),
  cached: Optional.Boolean(),
  duplicate: Optional.Boolean(),
  details: Type.Optional(AnyObject),
  undo: Optional.OneOf(
    ['possible', 'undone', 'gone'],
    says(
      'for a call whose details say undoable: whether the change can still be undone; gone when its copy was deleted',
      '对 details 中 undoable 为真的调用：改动是否仍可撤销；副本已删除时为 gone',
    ),
  ),
  redo: Optional.OneOf(
    ['possible', 'gone'],
    says(
      'for a change that was undone: whether it can be redone; gone when the content is no longer stored',
      '对已撤销的改动：是否可以重做；内容已不再保存时为 gone',
    ),
  ),
  createdAt: Time,
  endedAt: Type.Optional(Time),
});

export const ToolExecutionDetail = Type.Object({
  ...ToolExecution.properties,
  answer: Type.Optional(ToolCallResult),
});

export const ChangesQuery = closedObject(PAGE_QUERY);

export const Change = Type.Object({
  id: Type.String(says('id of the tool execution', '工具执行记录的 id')),
  runId: Optional.String(says('absent for a direct call', '直接调用没有此字段')),
  toolCallId: Optional.String(),
  tool: Type.String(),
  agent: Optional.String(says('agent that made the change', '作出改动的智能体')),
  path: Type.String(says('relative to the workspace', '相对于工作区的路径')),
  diff: Type.String(
    says('unified diff, truncated when it is long; empty when none was stored', '统一格式的 diff，过长会截断；没有保存时为空'),
  ),
  added: Optional.Integer(says('lines that the whole change adds; absent when not known', '整个改动增加的行数；未知时没有')),
  removed: Optional.Integer(says('lines that the whole change removes; absent when not known', '整个改动删除的行数；未知时没有')),
  strategy: Optional.String(says('how patch found the text', 'patch 找到原文的方式')),
  undone: Type.Boolean(),
  undo: ToolExecution.properties.undo,
  redo: ToolExecution.properties.redo,
  origin: Optional.OneOf(
    ['copied', 'crew'],
    says(
      'copied: of a turn that a branch or a copy has from its source; crew: by a crew member; absent: by a run of this session',
      'copied：来自分支或副本所复制的轮次；crew：由团队成员作出；没有：由此会话的运行作出',
    ),
  ),
  at: Time,
});

export const ToolResultQuery = closedObject({
  offset: Type.Optional(integerText(9, { minimum: 0, maximum: 999_999_999, default: 0 }, says('first character', '第一个字符'))),
  limit: Type.Optional(
    integerText(6, { minimum: 1, maximum: MAX_RESULT_PAGE, default: 50_000 }, says('most characters of the page', '一页最多的字符数')),
  ),
  q: Optional.String({ minLength: 1, maxLength: 200, ...says('words to find in the whole text', '在全文中查找的文字') }),
});

export const ToolResultPage = Type.Object(
  {
    text: Type.String(),
    offset: Type.Integer(),
    nextOffset: Optional.Integer(says('begins the next page; absent on the last', '下一页的起点；最后一页没有')),
    length: Type.Integer(says('characters of the whole text', '全文字符数')),
    complete: Type.Boolean(says('false: only the truncated text is stored', 'false：只保存了截断的文本')),
    matches: Optional.Object(
      { count: Type.Integer(), offsets: Type.Array(Type.Integer()) },
      says('where q was found, in upper or lower case: at most the first 2,000 places', 'q 的出现位置，不区分大小写：最多前 2,000 处'),
    ),
  },
  says('all places and lengths count UTF-16 code units', '所有位置和长度都按 UTF-16 编码单元计'),
);

export const Redone = Type.Object({
  redone: Type.Literal(true),
  path: Type.String(says('relative to the workspace', '相对于工作区的路径')),
});

export const Undone = Type.Object({
  undone: Type.Literal(true),
  path: Type.String(says('relative to the workspace', '相对于工作区的路径')),
});
