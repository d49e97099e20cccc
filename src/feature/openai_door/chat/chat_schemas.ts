/** Headers and answers of chat completions. */
import { Type } from '@sinclair/typebox';
import { GivenRunHeaders } from '../../../controller/model_door/given_run';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';

export const ChatHeaders = Type.Object({
  ...GivenRunHeaders.properties,
  'x-neta-events': Optional.Literal(
    'true',
    says('chunks with the field neta carry reasoning, tool progress and the plan', '用带 neta 字段的分块传送推理、工具进度和计划'),
  ),
});

const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

export const ChatCompletion = Type.Object({
  id: Type.String(says('chatcmpl- and the id of the run', 'chatcmpl- 加运行的 id')),
  object: Type.Literal('chat.completion'),
  created: Type.Integer(says('seconds since 1970', '自 1970 年起的秒数')),
  model: Type.String(says('the name in the request', '请求中的名字')),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: Type.Union([Type.String(), Type.Null()]),
        refusal: Type.Null(),
        tool_calls: Optional.Array(ToolCall),
      }),
      logprobs: Type.Null(),
      finish_reason: oneOf(['stop', 'length', 'tool_calls', 'content_filter']),
    }),
  ),
  usage: Type.Object({
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    prompt_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
    completion_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  }),
});
