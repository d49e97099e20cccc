/** Data of the events about model calls: what the model gets beside its own answers, tokens, and the change to another model. */
import { Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional } from '../utils/schema_types';

export const ContextCompactedData = closedObject({
  beforeTokens: Type.Integer({ minimum: 0, ...says('estimated tokens of the next request before', '压缩前下一次请求的估算 token 数') }),
  afterTokens: Type.Integer({ minimum: 0, ...says('and with the summary instead', '换成摘要后的估算 token 数') }),
  messages: Type.Integer({ minimum: 0, ...says('number of messages that the summary replaces', '摘要所代替的消息数') }),
  summary: Type.String(says('what the model gets instead of them', '模型得到的替代内容')),
});

export const UsageData = closedObject({
  inputTokens: Type.Integer({ minimum: 0 }),
  outputTokens: Type.Integer({ minimum: 0 }),
  reasoningTokens: Optional.Integer({ minimum: 0 }),
  cachedTokens: Optional.Integer({ minimum: 0 }),
  costUsd: Optional.Number({ minimum: 0, ...says('USD; absent when the price of a model is unknown', '美元；有模型价格未知时不出现') }),
});

/** `usage`: the tokens of one answer. */
export const AnswerUsageData = closedObject({
  ...UsageData.properties,
  model: Optional.String(
    says('id of the model that answered, when it is not the one of run_start', '实际应答的模型的 id，与 run_start 不同时出现'),
  ),
});

export const ModelFallbackData = closedObject({
  from: Type.String(says('id of the model that was left', '放弃的模型的 id')),
  to: Type.String(says('id of the model that is asked next', '接着请求的模型的 id')),
  reason: Type.String(says('a sentence for people', '给人看的说明')),
  code: Optional.String(says('code of the error', '错误码')),
});
