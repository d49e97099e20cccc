/** DOOR 3, embeddings: vectors from the embedding model of the operator. */
import { Controller } from '@midwayjs/core';
import { type Static, Type } from '@sinclair/typebox';
import { anyBodyOf, principalOf } from '../../../controller/http_request';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import { withoutNulls } from '../../../controller/model_door/foreign_fields';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { InjectService } from '../../../inject_service';
import { says } from '../../../utils/bilingual';
import { Optional } from '../../../utils/schema_types';
import { decode } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import { OPENAI_TAG } from '../shared/openai_route';
import type { Embeddings, EmbeddingsServices } from './embeddings';

const MAX_TEXTS = 2_048;
const MAX_TEXT_UNITS = 200_000;

const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT_UNITS });

const EmbeddingsRequest = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, ...says('the name in NETA_EMBEDDING_MODEL', 'NETA_EMBEDDING_MODEL 中的名称') }),
    input: Type.Unsafe<string | string[]>(
      Type.Union(
        [Text, Type.Array(Text, { minItems: 1, maxItems: MAX_TEXTS })],
        says('a text, or a list of texts', '一段文本，或文本列表'),
      ),
    ),
    encoding_format: Optional.OneOf(['float', 'base64'], says('float when left out', '省略则为 float')),
    user: Optional.String({ maxLength: 500 }),
  },
  {
    additionalProperties: true,
    ...says('other fields are ignored', '其他字段会被忽略'),
    examples: [{ model: 'text-embedding-3-small', input: 'hello' }],
  },
);

const EmbeddingsAnswer = Type.Object({
  object: Type.Literal('list'),
  model: Type.String(),
  data: Type.Array(
    Type.Object({
      object: Type.Literal('embedding'),
      index: Type.Integer(),
      embedding: Type.Unsafe<number[] | string>(
        Type.Union([
          Type.Array(Type.Number()),
          Type.String(says('32-bit floats, little-endian, as base64', '32 位浮点数，小端序，base64 编码')),
        ]),
      ),
    }),
  ),
  usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
});

const { Post } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/embeddings')
export class EmbeddingsController extends RestController {
  @InjectService<EmbeddingsServices>() embeddings!: Embeddings;

  @Post('/', 'createEmbeddings', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Turn texts into vectors', 'zh-CN': '把文本转成向量' },
    description: {
      en: 'With the embedding model of the operator; each vector has the length 1. 404 when there is no such model. The tokens count in the usage of the day.',
      'zh-CN': '使用运维人员指定的嵌入模型；每个向量的长度为 1。没有该模型时返回 404。token 计入当天的用量。',
    },
    body: EmbeddingsRequest,
    longField: 'input',
    answers: done(named('Embeddings', EmbeddingsAnswer)),
    errors: [
      'not_found',
      'rate_limited',
      'quota_exceeded',
      'store_unavailable',
      'model_unreachable',
      'model_timeout',
      'model_overloaded',
      'model_refused',
      'model_bad_response',
    ],
  })
  async create(): Promise<Static<typeof EmbeddingsAnswer>> {
    const body: Record<string, unknown> & Static<typeof EmbeddingsRequest> = decode(EmbeddingsRequest, withoutNulls(anyBodyOf(this.ctx)));
    const model = this.embeddings.modelNamed(body.model);
    if (body['dimensions'] !== undefined)
      throw refusal('/dimensions', 'is not supported; the model decides the number of dimensions', '不受支持；维数由模型决定');
    const gone = new AbortController();
    this.ctx.res.once('close', () => gone.abort(new Error('The caller went away.')));
    const { vectors, inputTokens } = await this.embeddings.embedTexts(principalOf(this.ctx), [body.input].flat(), gone.signal);
    this.ctx.status = 200;
    const write = body.encoding_format === 'base64' ? toBase64 : toNumbers;
    const data = vectors.map((vector, index) => ({ object: 'embedding' as const, index, embedding: write(vector) }));
    return { object: 'list', model, data, usage: { prompt_tokens: inputTokens, total_tokens: inputTokens } };
  }
}

const toNumbers = (vector: Float32Array): number[] => [...vector];

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [i, number] of vector.entries()) bytes.writeFloatLE(number, i * 4);
  return bytes.toString('base64');
}
