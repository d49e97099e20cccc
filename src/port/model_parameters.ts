/** Parameters of a model call, as models.yaml, agent profiles, sessions and requests set them. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional } from '../utils/schema_types';

const maxOutputTokens = Type.Integer({ minimum: 1, maximum: 10_000_000, ...says('most tokens of one answer', '一次回答最多的 token 数') });
const topP = Type.Number({ minimum: 0, maximum: 1, ...says('nucleus sampling', '核采样的概率上限') });
const stopText = Type.String({ minLength: 1, maxLength: 500 });
const underOtherName = <T extends TSchema>(schema: T, name: string): T => ({
  ...schema,
  ...says(`another name of ${name}`, `${name} 的另一个名字`),
});

/** Parameters as people write them: some fields may have another name, and `stop` may be one text. */
export const WrittenParameters = closedObject(
  {
    temperature: Optional.Number({ minimum: 0, maximum: 2, ...says('0: nearly the same answer each time', '0：每次的回答几乎相同') }),
    maxOutputTokens: Type.Optional(maxOutputTokens),
    topP: Type.Optional(topP),
    stop: Optional.Union(
      [stopText, Type.Array(stopText, { minItems: 1, maxItems: 16 })],
      says('the answer ends before one of these texts', '回答在这些文本之前结束'),
    ),
    seed: Optional.Integer(says('the same seed makes the same answer more likely', '相同的种子更可能得到相同的回答')),
    parallelToolCalls: Optional.Boolean(says('false: at most one tool call in an answer', 'false：一次回答最多调用一个工具')),
    extra: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        maxProperties: 50,
        ...says('further fields of the request to the model server, sent as they are', '发给模型服务的其他字段，原样发送'),
      }),
    ),
    maxTokens: Type.Optional(underOtherName(maxOutputTokens, 'maxOutputTokens')),
    max_tokens: Type.Optional(underOtherName(maxOutputTokens, 'maxOutputTokens')),
    top_p: Type.Optional(underOtherName(topP, 'topP')),
  },
  says('parameters of the model calls', '模型调用的参数'),
);
export type WrittenParameters = Static<typeof WrittenParameters>;

/** Parameters of a call. An absent field is not sent, so the model server decides. */
export interface ModelParameters {
  temperature?: number;
  maxOutputTokens?: number;
  topP?: number;
  stop?: readonly string[];
  seed?: number;
  parallelToolCalls?: boolean;
  extra?: Readonly<Record<string, unknown>>;
}
