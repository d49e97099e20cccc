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

export const Tool = Type.Object({
  name: Type.String(),
  toolset: Type.String(),
  label: Type.String(),
  description: Type.String(),
  effect: oneOf(['read', 'idempotent', 'write', 'external']),
  parameters: Type.Record(Type.String(), Type.Unknown(), says('JSON Schema', 'JSON Schema')),
  enabled: Type.Boolean(says('whether this gateway can run it', '这个网关能否运行它')),
  reason: Type.Optional(Type.String(says('why it cannot', '不能运行的原因'))),
  problems: Type.Optional(Type.Array(Type.String(), says('errors in its definition', '工具定义中的错误'))),
});

export const Toolset = Type.Object({
  name: Type.String(),
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
