/** Requests and answers of the routes under /model-providers. */
import { Type } from '@sinclair/typebox';
import { MODEL_NAME } from '../../controller/schemas/model_schemas';
import { MODEL_APIS } from '../../port/model_apis';
import { WrittenPrice } from '../../service/model/models_file';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';

/** The form of requests to the model server. */
const api = Optional.OneOf(
  MODEL_APIS,
  says(
    "form of the requests: chat (chat completions) or a vendor's own; absent: found by the address",
    '请求的形式：chat（Chat Completions）或厂商自己的形式；缺省时由地址决定',
  ),
);

const SERVER = {
  provider: Type.String({ minLength: 1, maxLength: 40, ...says('id of a provider', '提供方的 id') }),
  baseUrl: Optional.String({
    minLength: 1,
    maxLength: 2_000,
    ...says("absent: the provider's own address", '缺省为该提供方自己的地址'),
  }),
  api,
  apiKey: Optional.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: '^[\\x21-\\x7e]+$',
    ...says('absent: the server needs no key', '缺省表示服务器不需要密钥'),
  }),
};

export const ServerCheckRequest = closedObject({
  ...SERVER,
  model: Optional.String({
    ...MODEL_NAME,
    ...says('asks this model for one word; absent: asks for the list of models', '向此模型要一个词；缺省则读取模型列表'),
  }),
});

export const ConnectModelRequest = closedObject({
  ...SERVER,
  model: Type.String({ ...MODEL_NAME, ...says('the name that the model server knows', '模型服务所用的名称') }),
  label: Optional.String({ minLength: 1, maxLength: 100 }),
  images: Optional.Boolean(says('true: the model can see images', 'true 表示该模型能看图片')),
  files: Optional.Boolean(says('true: the model can read PDF files', 'true 表示该模型能读 PDF 文件')),
});

const baseUrl = Optional.String({ minLength: 1, maxLength: 2_000, ...says("absent: OpenAI's own address", '缺省为 OpenAI 自己的地址') });

export const ModelCheckRequest = closedObject({ baseUrl, api, key: SERVER.apiKey });

export const ModelCheckResult = Type.Object({
  ok: Type.Boolean(),
  models: Type.Array(Type.String()),
  message: Type.String(says("the result in one sentence; a failure with the server's own words", '一句话的结果；失败时含服务器的原话')),
});

export const ModelFieldsRequest = closedObject({
  baseUrl,
  api,
  key: Optional.String({ ...SERVER.apiKey, ...says('absent: the earlier key stays', '缺省则保留原有密钥') }),
  model: Type.String({ ...MODEL_NAME, ...says('the name that the model server knows', '模型服务所用的名称') }),
  label: Optional.String({ minLength: 1, maxLength: 100 }),
  contextWindow: Optional.Integer({ minimum: 1_024, maximum: 100_000_000, ...says('tokens, with the answer', 'token 数，含回答') }),
  images: Optional.Boolean(says('true: the model can see images', 'true 表示该模型能看图片')),
  files: Optional.Boolean(says('true: the model can read PDF files', 'true 表示该模型能读 PDF 文件')),
  price: Type.Optional({ ...WrittenPrice, ...says('USD for a million tokens', '每百万 token 的美元价格') }),
});

export const ModelProvider = Type.Object({
  id: Type.String(),
  label: Type.String(),
  baseUrl: Optional.String(says('absent: enter it', '缺省表示需要填写')),
  needsKey: Type.Boolean(),
  keyPage: Optional.String(says('the page on which people get a key', '获取密钥的页面')),
  models: Optional.Array(Type.String(), says('present for a server that runs on this machine now', '本机上正在运行的服务器才有')),
});

export const ServerCheckResult = Type.Object({
  ok: Type.Boolean(),
  models: Type.Array(Type.String()),
  problem: Optional.Object(
    { code: Type.String(), message: Type.String() },
    says("why it does not work, with the server's own words", '不可用的原因，含服务器的原话'),
  ),
});
