/** The body of POST /v1/chat/completions. readMessages checks its messages. */
import { type Static, Type } from '@sinclair/typebox';
import type { ThinkingLevel } from '../../../port/llm';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';

const penalty = says('passed to the model', '传给模型');

/** `none` and `minimal` differ only for models that know both. */
export const THINKING_LEVELS: Readonly<Record<string, ThinkingLevel>> = {
  none: 'off',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

const FunctionTool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String(),
    description: Optional.Union([Type.String(), Type.Null()]),
    parameters: Optional.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    strict: Optional.Union([Type.Boolean(), Type.Null()]),
  }),
});

/** The fields of a message; `readMessages` checks them by role. Other fields are ignored. */
const ChatMessageFields = Type.Object(
  {
    role: Type.String(says('system, developer, user, assistant, tool or function', 'system、developer、user、assistant、tool 或 function')),
    content: Optional.Unknown(
      says(
        'a text, or a list of parts: text, and for users image_url with a data URL or an https address',
        '文本，或由若干部分组成的列表：text；用户消息还可以有 image_url（data URL 或 https 地址）',
      ),
    ),
    tool_calls: Optional.Unknown(says('calls of an assistant message', 'assistant 消息中的调用')),
    tool_call_id: Optional.Unknown(says('the call that a tool message answers', 'tool 消息所回答的调用')),
  },
  { additionalProperties: true },
);

export const ChatRequest = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      ...says(
        'name of an agent, or agent@model with a model of models.yaml',
        '智能体的名字，或 agent@model，其中 model 是 models.yaml 中的模型',
      ),
    }),
    messages: Type.Array(ChatMessageFields, {
      minItems: 1,
      maxItems: 2_000,
      ...says(
        'the whole conversation; with x-session-id only those after the last assistant message count',
        '整个对话；带 x-session-id 时只取最后一条 assistant 消息之后的部分',
      ),
    }),
    stream: Optional.Boolean(),
    stream_options: Optional.Object({
      include_usage: Optional.Union([Type.Boolean(), Type.Null()], says('a last chunk has the usage', '最后一块带有用量')),
    }),
    temperature: Optional.Number({ minimum: 0, maximum: 2 }),
    top_p: Optional.Number({ minimum: 0, maximum: 1 }),
    max_tokens: Optional.Integer({ minimum: 1, maximum: 10_000_000 }),
    max_completion_tokens: Optional.Integer({
      minimum: 1,
      maximum: 10_000_000,
      ...says('most tokens of one answer of the model', '模型一次回答最多的 token 数'),
    }),
    stop: Optional.Union([
      Type.String({ minLength: 1, maxLength: 500 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 16 }),
    ]),
    seed: Optional.Integer(),
    presence_penalty: Optional.Number({ minimum: -2, maximum: 2, ...penalty }),
    frequency_penalty: Optional.Number({ minimum: -2, maximum: 2, ...penalty }),
    logit_bias: Type.Optional(Type.Record(Type.String(), Type.Number(), { ...penalty, maxProperties: 1_000 })),
    verbosity: Optional.String({ maxLength: 20, ...penalty }),
    reasoning_effort: Optional.OneOf(Object.keys(THINKING_LEVELS)),
    response_format: Optional.Object({ type: oneOf(['text', 'json_object', 'json_schema']) }, says('passed to the model', '传给模型')),
    tools: Optional.Array(
      FunctionTool,
      says('functions of the caller: their calls come back, the caller runs them', '调用方的函数：对它们的调用会返回给调用方执行'),
    ),
    tool_choice: Optional.Union([
      oneOf(['auto', 'none', 'required']),
      Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: Type.String() }) }),
    ]),
    parallel_tool_calls: Optional.Boolean(),
    functions: Optional.Unknown(
      says('the older form of tools; calls come back as function_call', 'tools 的旧形式；调用以 function_call 返回'),
    ),
    function_call: Optional.Unknown(says('the older form of tool_choice', 'tool_choice 的旧形式')),
    n: Optional.Integer(says('1, the only number of answers', '只能是 1')),
    logprobs: Optional.Boolean(says('false', '只能是 false')),
    modalities: Optional.Array(Type.String()),
    user: Optional.String({ maxLength: 500, ...says('kept with the run as metadata', '作为元数据随运行保存') }),
    metadata: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), says('kept with the run', '随运行保存'))),
  },
  {
    additionalProperties: true,
    ...says(
      'other fields go to the model server when it takes them; else they are ignored and named in x-ignored-fields',
      '其他字段在模型服务器接受时传给它；否则被忽略，并列在 x-ignored-fields 中',
    ),
    examples: [{ model: 'default', messages: [{ role: 'user', content: 'list the files' }] }],
  },
);
export type ChatRequest = Static<typeof ChatRequest>;
