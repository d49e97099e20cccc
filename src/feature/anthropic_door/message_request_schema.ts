/** The bodies of POST /v1/messages and /v1/messages/count_tokens. readConversation checks the messages. */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { Optional, oneOf } from '../../utils/schema_types';

const open = { additionalProperties: true };

const orNull = <T extends ReturnType<typeof oneOf>>(schema: T) => Optional.Union([schema, Type.Null()]);

/** The fields of a message; other fields are ignored. */
const MessageFields = Type.Object(
  {
    role: Type.String(says('user or assistant; system for more instructions', 'user 或 assistant；system 用于追加指令')),
    content: Type.Unknown(
      says(
        'a text, or a list of blocks: text, image, document with text, search_result and tool_result of a user; text and tool_use of an assistant',
        '文本，或由内容块组成的列表：user 可用 text、image、文本 document、search_result 和 tool_result；assistant 可用 text 和 tool_use',
      ),
    ),
  },
  open,
);
export type GivenMessage = Static<typeof MessageFields>;

const Tool = Type.Object(
  {
    type: Optional.Union([Type.String(), Type.Null()], says('custom, which is also the default', 'custom，也是默认值')),
    name: Type.String(),
    description: Optional.Union([Type.String(), Type.Null()]),
    input_schema: Optional.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  open,
);

const ToolChoice = Type.Object(
  {
    type: oneOf(['auto', 'any', 'tool', 'none']),
    name: Optional.String(says('with tool: the tool to call', '用于 tool：要调用的工具')),
    disable_parallel_tool_use: Optional.Boolean(says('true: at most one call in an answer', 'true：一次回答最多一个调用')),
  },
  open,
);

const Thinking = Type.Object(
  {
    type: oneOf(['enabled', 'adaptive', 'between_tools', 'disabled']),
    budget_tokens: Optional.Integer({ minimum: 1, ...says('chooses the thinking level', '决定思考级别') }),
    display: orNull(oneOf(['summarized', 'omitted'])),
  },
  { ...open, ...says('anything but disabled: the answer has blocks of the type thinking', '除 disabled 外：回答带有 thinking 内容块') },
);

const OutputConfig = Type.Object(
  {
    effort: orNull(oneOf(['low', 'medium', 'high', 'xhigh', 'max'])),
    format: Optional.Union([
      Type.Object({ type: Type.Literal('json_schema'), schema: Type.Record(Type.String(), Type.Unknown()) }, open),
      Type.Null(),
    ]),
  },
  open,
);

/** The fields that decide what goes to the model. */
const conversation = {
  model: Type.String({
    minLength: 1,
    maxLength: 200,
    ...says(
      'name of an agent, or agent@model with a model of models.yaml',
      '智能体的名字，或 agent@model，其中 model 是 models.yaml 中的模型',
    ),
  }),
  messages: Type.Array(MessageFields, {
    minItems: 1,
    maxItems: 2_000,
    ...says(
      'the whole conversation; with x-session-id only those after the last assistant message count',
      '整个对话；带 x-session-id 时只取最后一条 assistant 消息之后的部分',
    ),
  }),
  system: Optional.Unknown(says('instructions: a text, or a list of text blocks', '指令：文本，或由 text 块组成的列表')),
  tools: Optional.Array(
    Tool,
    says('tools of the caller: their calls come back, the caller runs them', '调用方的工具：对它们的调用会返回给调用方执行'),
  ),
  tool_choice: Type.Optional(ToolChoice),
  thinking: Type.Optional(Thinking),
  output_config: Type.Optional(OutputConfig),
};

const foreign = {
  ...open,
  ...says(
    'other fields go to the model server when it takes them; else they are ignored and named in x-ignored-fields',
    '其他字段在模型服务器接受时传给它；否则被忽略，并列在 x-ignored-fields 中',
  ),
};

export const MessageRequest = Type.Object(
  {
    ...conversation,
    max_tokens: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      ...says('most tokens of one answer of the model', '模型一次回答最多的 token 数'),
    }),
    stream: Optional.Boolean(),
    temperature: Optional.Number({ minimum: 0, maximum: 1 }),
    top_p: Optional.Number({ minimum: 0, maximum: 1 }),
    stop_sequences: Optional.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 16 }),
    metadata: Optional.Object(
      { user_id: Optional.Union([Type.String({ maxLength: 500 }), Type.Null()], says('kept with the run', '随运行保存')) },
      open,
    ),
  },
  { ...foreign, examples: [{ model: 'default', max_tokens: 4_096, messages: [{ role: 'user', content: 'list the files' }] }] },
);
export type MessageRequest = Static<typeof MessageRequest>;

export const TokenCountRequest = Type.Object(conversation, {
  ...foreign,
  examples: [{ model: 'default', messages: [{ role: 'user', content: 'list the files' }] }],
});
export type TokenCountRequest = Static<typeof TokenCountRequest>;
