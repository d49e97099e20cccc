/** Answers of the routes under /models, and the fields that choose a model. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { Optional, oneOf } from '../../utils/schema_types';
import { Time } from './common';

const price = (en: string, zh: string) => Type.Number(says(en, zh));

export const Model = Type.Object({
  id: Type.String(says('the value of `model` in a request', '请求中 `model` 的取值')),
  label: Optional.String(),
  provider: Type.String(),
  model: Type.String(says('the name that the model server knows', '模型服务所用的名称')),
  default: Type.Boolean(says('true: the model of agents that name none', 'true 表示未指定模型的智能体使用它')),
  demo: Optional.Literal(true, says('present for the script that answers when no model is configured', '未配置模型时应答的脚本才有')),
  contextWindow: Type.Integer(says('tokens, with the answer', 'token 数，含回答')),
  images: Type.Boolean(says('true: it can see images that a message carries', 'true 表示能看消息中的图片')),
  files: Type.Boolean(says('true: it can read PDF files that a message carries', 'true 表示能读消息中的 PDF 文件')),
  reasoningLevels: Type.Array(
    oneOf(['minimal', 'low', 'medium', 'high']),
    says('thinking levels that differ for this model; empty: it has none', '对此模型有区别的思考等级；为空表示没有'),
  ),
  price: Optional.Object(
    {
      input: price('input tokens', '输入 token'),
      output: price('output tokens', '输出 token'),
      cachedInput: Type.Optional(price('input tokens that the server had cached', '命中缓存的输入 token')),
      cacheWrite: Type.Optional(price('input tokens that the server writes into its cache', '写入缓存的输入 token')),
      tiers: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Number(),
          says('factors of these prices by the service tier that answered', '按应答的服务等级对这些价格的系数'),
        ),
      ),
    },
    says('USD for a million tokens; absent: unknown', '每百万 token 的美元价格；缺省表示未知'),
  ),
  state: oneOf(
    ['ok', 'cooling', 'failing'],
    says(
      'cooling: it failed, and other models stand in for it until retryAt; failing: its last call or check failed',
      'cooling：刚刚失败，retryAt 之前由其他模型代替；failing：最近一次调用或检查失败',
    ),
  ),
  reason: Optional.String(says('why it is not ok', '不正常的原因')),
  retryAt: Type.Optional(Time),
});

export const MODEL_NAME = { minLength: 1, maxLength: 200 };
