/** The response object of /v1/responses and its output items, in the shapes of OpenAI's API. Times are seconds since 1970. */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../../../utils/bilingual';
import { oneOf } from '../../../utils/schema_types';
import { OutputText } from '../items/output_text';

const orNull = <T>(schema: ReturnType<typeof Type.Unsafe<T>>) => Type.Unsafe<T | null>(Type.Union([schema, Type.Null()]));
const textOrNull = orNull(Type.Unsafe<string>(Type.String()));
const numberOrNull = orNull(Type.Unsafe<number>(Type.Number()));
const jsonObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const ItemStatus = oneOf(['in_progress', 'completed', 'incomplete']);
export type ItemStatus = Static<typeof ItemStatus>;

export const OutputMessage = Type.Object({
  id: Type.String(),
  type: Type.Literal('message'),
  status: ItemStatus,
  role: Type.Literal('assistant'),
  content: Type.Array(OutputText),
});
export type OutputMessage = Static<typeof OutputMessage>;

const SummaryText = Type.Object({ type: Type.Literal('summary_text'), text: Type.String() });

/** Present only when the request asks for a summary of the reasoning. */
export const OutputReasoning = Type.Object({
  id: Type.String(),
  type: Type.Literal('reasoning'),
  status: ItemStatus,
  summary: Type.Array(SummaryText),
});
export type OutputReasoning = Static<typeof OutputReasoning>;

/** A call of a function that the caller declared. `call_id` joins it with its function_call_output. */
export const OutputFunctionCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function_call'),
  status: ItemStatus,
  call_id: Type.String(),
  name: Type.String(),
  arguments: Type.String(says('JSON as the model wrote it', '模型写出的 JSON 原文')),
});
export type OutputFunctionCall = Static<typeof OutputFunctionCall>;

const OutputItem = Type.Union([OutputMessage, OutputReasoning, OutputFunctionCall]);
export type OutputItem = Static<typeof OutputItem>;

const RESPONSE_STATUSES = ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const;

export const ResponseUsage = Type.Object({
  input_tokens: Type.Integer(),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer(), cache_write_tokens: Type.Integer() }),
  output_tokens: Type.Integer(),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});
export type ResponseUsage = Static<typeof ResponseUsage>;

const ResponseError = Type.Object({
  code: Type.String(says('a code of the table of errors', '错误表中的错误码')),
  message: Type.String(),
});

/** The settings of the request, as every response repeats them. */
const SETTINGS = {
  background: Type.Boolean(says('the response goes on when its caller leaves', '调用方离开后仍继续')),
  conversation: orNull(Type.Unsafe<{ id: string }>(Type.Object({ id: Type.String() }))),
  instructions: textOrNull,
  max_output_tokens: numberOrNull,
  max_tool_calls: numberOrNull,
  metadata: Type.Unsafe<Record<string, string>>(Type.Record(Type.String(), Type.String())),
  model: Type.String(says('the agent', '智能体')),
  parallel_tool_calls: Type.Boolean(),
  previous_response_id: textOrNull,
  reasoning: Type.Object({ effort: textOrNull, summary: textOrNull }),
  store: Type.Boolean(says('false: the response can never be read again', 'false：此响应之后不可再读取')),
  temperature: numberOrNull,
  text: jsonObject,
  tool_choice: Type.Unsafe<string | Record<string, unknown>>(Type.Union([Type.String(), jsonObject])),
  tools: Type.Array(jsonObject, says('the functions that the caller declared', '调用方声明的函数')),
  top_p: numberOrNull,
  truncation: oneOf(['auto', 'disabled']),
  user: textOrNull,
};
export const ResponseSettings = Type.Object(SETTINGS);

/** Fields that Open Responses requires and that have one value here (https://www.openresponses.org). */
export const FIXED_FIELDS = {
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  service_tier: 'default',
  safety_identifier: null,
  prompt_cache_key: null,
} as const;

export type ResponseSettings = Static<typeof ResponseSettings>;

export const ResponseObject = Type.Object({
  id: Type.String(says('resp_ and the id of the run', 'resp_ 加运行的 id')),
  object: Type.Literal('response'),
  created_at: Type.Integer(says('seconds since 1970', '自 1970 年起的秒数')),
  status: oneOf(RESPONSE_STATUSES, says('the last four are final', '后四个表示已结束')),
  completed_at: numberOrNull,
  error: orNull(Type.Unsafe<Static<typeof ResponseError>>(ResponseError)),
  incomplete_details: orNull(
    Type.Unsafe<{ reason: string }>(
      Type.Object({
        reason: Type.String(
          says(
            'max_output_tokens, content_filter, or a reason of this gateway: max_iterations, budget, timeout, model_cut',
            'max_output_tokens、content_filter，或本网关自己的原因：max_iterations、budget、timeout、model_cut',
          ),
        ),
      }),
    ),
  ),
  output: Type.Array(OutputItem),
  usage: orNull(Type.Unsafe<ResponseUsage>(ResponseUsage)),
  ...SETTINGS,
  temperature: Type.Number(says('1 when the request leaves it to the agent', '请求未指定时为 1')),
  top_p: Type.Number(says('1 when the request leaves it to the agent', '请求未指定时为 1')),
  presence_penalty: Type.Literal(FIXED_FIELDS.presence_penalty),
  frequency_penalty: Type.Literal(FIXED_FIELDS.frequency_penalty),
  top_logprobs: Type.Literal(FIXED_FIELDS.top_logprobs),
  service_tier: Type.Literal(FIXED_FIELDS.service_tier),
  safety_identifier: Type.Null(),
  prompt_cache_key: Type.Null(),
});
export type ResponseObject = Static<typeof ResponseObject>;

const PREFIX = 'resp_';

/** Returns the id of the response that a run makes. */
export const toResponseId = (runId: string): string => `${PREFIX}${runId}`;

/** Returns the id of the run, undefined for a text that is no id of a response. */
export function runIdOf(responseId: string): string | undefined {
  return /^resp_[A-Za-z0-9_-]{1,64}$/.test(responseId) ? responseId.slice(PREFIX.length) : undefined;
}
