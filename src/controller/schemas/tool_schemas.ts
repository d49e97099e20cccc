/** Requests and answers of the routes under /tools, /toolsets and /tool-executions. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { ID_PATTERN } from '../../wire/decode';
import { AnyObject, closed, Id, oneOf, PAGE_QUERY, Time } from './common';

const STATUSES = ['running', 'success', 'error', 'cancelled', 'unknown'] as const;
const milliseconds = says('milliseconds', '毫秒');
const clipped = says('clipped', '过长会截断');

export const ToolCallRequest = Type.Object(
  {
    toolName: Type.String({ pattern: ID_PATTERN }),
    command: Type.Optional(Type.String({ maxLength: 64, ...says('has no meaning for the tools that exist now', '对现有的工具没有意义') })),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        maxProperties: 1_000,
        ...says('the arguments of the tool', '工具自己的参数'),
      }),
    ),
    timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000, ...milliseconds })),
    context: Type.Optional(Type.Object({ locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])) }, closed)),
  },
  { ...closed, examples: [{ toolName: 'read_file', parameters: { path: 'notes.txt' } }] },
);

export const ToolExecutionsQuery = Type.Object(
  {
    ...PAGE_QUERY,
    tool: Type.Optional(Id),
    status: Type.Optional(Type.Union(STATUSES.map(status => Type.Literal(status)))),
    session: Type.Optional(Id),
    run: Type.Optional(Id),
    since: Type.Optional(
      Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$', ...says('ISO 8601 time in UTC', 'ISO 8601 格式的 UTC 时间') }),
    ),
  },
  closed,
);

const ORIGINS = ['builtin', 'code', 'mcp', 'manifest'] as const;
const origin = says(
  'mcp: a tool of an MCP server; manifest: described by a YAML file; code: a method of a class',
  'mcp：来自 MCP 服务器；manifest：由 YAML 文件描述；code：类的方法',
);

export const ToolsQuery = Type.Object(
  {
    toolset: Type.Optional(Id),
    origin: Type.Optional(Type.Union(ORIGINS.map(value => Type.Literal(value)))),
    enabled: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], says('whether the gateway can run the tool', '网关能否运行该工具')),
    ),
  },
  closed,
);

export const Tool = Type.Object({
  name: Type.String(),
  toolset: Type.String(),
  origin: oneOf(ORIGINS, origin),
  label: Type.String(),
  description: Type.String(),
  effect: oneOf(['read', 'idempotent', 'write', 'external']),
  parameters: Type.Record(Type.String(), Type.Unknown(), says('JSON Schema', 'JSON Schema')),
  enabled: Type.Boolean(says('whether this gateway can run it', '这个网关能否运行它')),
  reason: Type.Optional(Type.String(says('why it cannot', '不能运行的原因'))),
  problems: Type.Optional(Type.Array(Type.String(), says('errors in its definition', '工具定义中的错误'))),
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
      'content is the text for a model; the other fields are the same as data and depend on the tool. null after an error',
      'content 是给模型的文本，其余字段是各工具的数据形式；出错时为 null',
    ),
  ),
  error: Type.Union([Type.String(), Type.Null()]),
  errorCode: Type.Optional(oneOf(['tool_timeout'], says('tells programs which error it was', '出错时供程序区分原因'))),
  message: Type.String(),
  durationMs: Type.Integer(milliseconds),
  timestamp: Time,
});

export const ToolExecution = Type.Object({
  id: Type.String(),
  sessionId: Type.Optional(Type.String()),
  runId: Type.Optional(Type.String()),
  toolCallId: Type.Optional(Type.String()),
  tool: Type.String(),
  args: Type.String(says('JSON text, clipped', 'JSON 文本，过长会截断')),
  status: oneOf(STATUSES),
  result: Type.Optional(Type.String(clipped)),
  error: Type.Optional(Type.String(clipped)),
  durationMs: Type.Optional(Type.Number(milliseconds)),
  cached: Type.Optional(Type.Boolean()),
  duplicate: Type.Optional(Type.Boolean()),
  details: Type.Optional(AnyObject),
  createdAt: Time,
  endedAt: Type.Optional(Time),
});

export const Undone = Type.Object({
  undone: Type.Literal(true),
  path: Type.String(says('relative to the workspace', '相对于工作区的路径')),
});
