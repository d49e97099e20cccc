/** The schemas of POST /v1/responses. */
import { type Static, Type } from '@sinclair/typebox';
import type { ThinkingLevel } from '../../../port/llm';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';
import { METADATA } from '../shared/openai_schemas';

const MAX_NAME = 64;
const text = (maxLength: number, description: object = {}) => Type.String({ maxLength, ...description });

export const FunctionTool = Type.Object({
  type: Type.Literal('function'),
  name: Type.String({ pattern: `^[A-Za-z0-9_-]{1,${MAX_NAME}}$` }),
  description: Type.Optional(text(20_000)),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  strict: Optional.Boolean(),
});
export type FunctionTool = Static<typeof FunctionTool>;

export const FunctionChoice = Type.Object({ type: Type.Literal('function'), name: Type.String({ minLength: 1, maxLength: MAX_NAME }) });
export const MODES = ['none', 'auto', 'required'] as const;
export type ToolChoice = (typeof MODES)[number] | Static<typeof FunctionChoice>;

/** Effort of the reasoning -> thinking level. */
export const LEVELS = {
  none: 'off',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
} as const satisfies Record<string, ThinkingLevel>;
const EFFORTS = Object.keys(LEVELS) as (keyof typeof LEVELS)[];

export const Format = Type.Object({
  type: oneOf(['text', 'json_object', 'json_schema']),
  name: Type.Optional(text(MAX_NAME)),
  description: Type.Optional(text(20_000)),
  schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  strict: Optional.Boolean(),
});

/** The fields that have a meaning here. `input`, `tools` and `tool_choice` are read further by their own rules. */
export const ResponseRequest = Type.Object(
  {
    input: Type.Unsafe<string | unknown[]>(
      Type.Union(
        [Type.String({ maxLength: 200_000 }), Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 2_000 })],
        says(
          'a text, or items: message, function_call, function_call_output, reasoning (ignored), compaction, item_reference',
          '一段文字，或条目：message、function_call、function_call_output、reasoning（忽略）、compaction、item_reference',
        ),
      ),
    ),
    model: Type.Optional(text(200, says('name of an agent; default when left out', '智能体的名字；省略则为 default'))),
    instructions: Type.Optional(text(200_000, says('a system message for this response alone', '只用于本次响应的系统消息'))),
    previous_response_id: Type.Optional(text(200, says('the response to continue', '要继续的响应'))),
    conversation: Type.Optional(
      Type.Unsafe<string | { id: string }>(
        Type.Union(
          [Type.String({ maxLength: 200 }), Type.Object({ id: Type.String({ maxLength: 200 }) }, { additionalProperties: true })],
          says('the conversation to continue: its id, or { id }', '要继续的对话：其 id，或 { id }'),
        ),
      ),
    ),
    stream: Optional.Boolean(),
    background: Optional.Boolean(says('answer at once; the response goes on without its caller', '立即返回；调用方离开后响应继续进行')),
    store: Optional.Boolean(
      says(
        'false: the response cannot be read again and is deleted some minutes after its end',
        'false：此响应之后不可再读取，并在结束几分钟后删除',
      ),
    ),
    tools: Optional.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }), {
      maxItems: 128,
      ...says('functions of the caller; the agent has its own tools besides', '调用方的函数；智能体另有自己的工具'),
    }),
    tool_choice: Type.Optional(
      Type.Unsafe<string | Record<string, unknown>>(
        Type.Union(
          [Type.String(), Type.Object({}, { additionalProperties: true })],
          says('none, auto, required or one function', 'none、auto、required 或一个函数'),
        ),
      ),
    ),
    parallel_tool_calls: Optional.Boolean(),
    temperature: Optional.Number({ minimum: 0, maximum: 2 }),
    top_p: Optional.Number({ minimum: 0, maximum: 1 }),
    max_output_tokens: Optional.Integer({ minimum: 1, maximum: 10_000_000 }),
    max_tool_calls: Optional.Integer({
      minimum: 1,
      maximum: 100_000,
      ...says('calls of the tools of the agent', '智能体自身工具的调用次数'),
    }),
    reasoning: Optional.Object({
      effort: Optional.OneOf(EFFORTS),
      summary: Optional.OneOf(
        ['auto', 'concise', 'detailed'],
        says('present: reasoning comes as summary items', '填写后，推理过程以 summary 条目给出'),
      ),
    }),
    text: Optional.Object({ format: Type.Optional(Format), verbosity: Type.Optional(text(20)) }),
    metadata: Type.Optional(METADATA),
    include: Optional.Array(Type.String()),
    user: Type.Optional(text(512)),
    truncation: Optional.OneOf(['auto', 'disabled']),
  },
  { additionalProperties: true, examples: [{ model: 'default', input: 'list the files' }] },
);
