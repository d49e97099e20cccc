/** Data of the events about what the model gets, beside its own answers. */
import { Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';

const closed = { additionalProperties: false };

export const ContextCompactedData = Type.Object(
  {
    beforeTokens: Type.Integer({ minimum: 0, ...says('estimated tokens of the next request before', '压缩前下一次请求的估算 token 数') }),
    afterTokens: Type.Integer({ minimum: 0, ...says('and with the summary instead', '换成摘要后的估算 token 数') }),
    messages: Type.Integer({ minimum: 0, ...says('number of messages that the summary replaces', '摘要所代替的消息数') }),
    summary: Type.String(says('what the model gets instead of them', '模型得到的替代内容')),
  },
  closed,
);
