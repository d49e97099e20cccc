/** Answers of /v1/messages. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { oneOf } from '../../utils/schema_types';

const TextBlock = Type.Object({ type: Type.Literal('text'), text: Type.String(), citations: Type.Null() });
const ThinkingBlock = Type.Object({
  type: Type.Literal('thinking'),
  thinking: Type.String(),
  signature: Type.String(says('always empty', '始终为空')),
});
const ToolUseBlock = Type.Object({
  type: Type.Literal('tool_use'),
  id: Type.String(),
  name: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
});

export const Message = Type.Object({
  id: Type.String(says('msg_ and the letters of the id of the run', 'msg_ 加运行 id 中的字符')),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: Type.String(says('the name in the request', '请求中的名字')),
  content: Type.Array(Type.Union([TextBlock, ThinkingBlock, ToolUseBlock])),
  stop_reason: oneOf(['end_turn', 'max_tokens', 'tool_use', 'refusal']),
  stop_sequence: Type.Null(),
  usage: Type.Object({
    input_tokens: Type.Integer(says('without cached input', '不含缓存的输入')),
    output_tokens: Type.Integer(),
    cache_creation_input_tokens: Type.Integer(),
    cache_read_input_tokens: Type.Integer(),
  }),
});

export const TokenCount = Type.Object({
  input_tokens: Type.Integer(says('as the server of the model counts them, else an estimate', '由模型服务器计算，否则为估算值')),
});
