/** Decodes the body of POST /v1/chat/completions, and says what its fields mean for a run. */

import { withoutNulls } from '../../../controller/model_door/foreign_fields';
import type { CallerContext } from '../../../port/caller';
import type { ModelParameters } from '../../../port/model_parameters';
import type { Bilingual } from '../../../utils/bilingual';
import { definedFields } from '../../../utils/defined_fields';
import { toCallerTools } from '../../../wire/caller_tools';
import { createDecoder } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import { ChatRequest, THINKING_LEVELS } from './chat_request_schema';
import { isOldForm, readOldFunctions } from './old_functions';

const decode = createDecoder(ChatRequest);

/** Decodes a body. Null counts as absent; fields without a meaning here stay, see passForeignFields. Throws `invalid_request`. */
export function decodeChatRequest(body: unknown): ChatRequest {
  const fields = withoutNulls(body);
  refuseUnsupported(fields);
  const request: ChatRequest & { top_logprobs?: unknown } = decode(readOldFunctions(fields));
  const { n = 1, logprobs, modalities = ['text'] } = request;
  if (n !== 1)
    throw refusal(
      '/n',
      'must be 1: a run has one answer. Send the request again for another one',
      '必须是 1：一个运行只有一个回答。要另一个回答请再发一次请求',
    );
  if (logprobs) throw refusal('/logprobs', 'is not supported', '不受支持');
  if (request.top_logprobs !== undefined && request.top_logprobs !== 0) throw refusal('/top_logprobs', 'is not supported', '不受支持');
  if (modalities.some(modality => modality !== 'text')) throw refusal('/modalities', 'must be ["text"]', '必须是 ["text"]');
  return request;
}

/** Fields of OpenAI that ask for something the gateway does not do, each with advice. */
const UNSUPPORTED: Readonly<Record<string, Bilingual>> = {
  audio: { en: 'is not supported; answers are text', 'zh-CN': '不受支持；回答只有文本' },
};

function refuseUnsupported(fields: unknown): void {
  for (const [name, rule] of Object.entries(UNSUPPORTED)) {
    if (typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)) throw refusal(`/${name}`, rule.en, rule['zh-CN']);
  }
}

/** Reads the parameters of the model calls. */
export function toRunParameters(request: ChatRequest): ModelParameters {
  const { temperature, top_p: topP, max_tokens: most, max_completion_tokens: maxOutputTokens = most, stop, seed } = request;
  const { presence_penalty, frequency_penalty, logit_bias, verbosity } = request;
  const extra = Object.fromEntries(
    Object.entries({ presence_penalty, frequency_penalty, logit_bias, verbosity }).filter(([, value]) => value !== undefined),
  );
  return {
    temperature,
    topP,
    maxOutputTokens,
    stop: stop !== undefined && stop.length > 0 ? (typeof stop === 'string' ? [stop] : stop) : undefined,
    seed,
    extra: Object.keys(extra).length > 0 ? extra : undefined,
  };
}

/** Reads the tools of the caller and its wishes for this run alone. `passed`: further fields for the model server. Throws `invalid_request`. */
export function toCallerContext(
  request: ChatRequest,
  passed: Readonly<Record<string, unknown>> = {},
): Omit<CallerContext, 'instructions' | 'conversation'> {
  const {
    tools = [],
    tool_choice: choice = 'auto',
    parallel_tool_calls: parallel,
    reasoning_effort: effort,
    response_format: format,
  } = request;
  const isOld = isOldForm(request);
  const declared = toCallerTools(
    tools.map(({ function: declaredFunction }, i) => ({ at: isOld ? `/functions/${i}` : `/tools/${i}/function`, ...declaredFunction })),
    isOld ? '/functions' : '/tools',
  );
  const forced = typeof choice === 'object' ? choice.function.name : undefined;
  if (forced !== undefined && !declared.some(({ name }) => name === forced))
    throw refusal('/tool_choice/function/name', 'must be the name of one of the tools', '必须是 tools 中某个函数的名字');
  if (choice === 'required' && declared.length === 0) throw refusal('/tool_choice', 'required needs tools', 'required 需要 tools');
  const mustCall = forced !== undefined || choice === 'required';
  const modelFields = {
    ...passed,
    ...definedFields({
      tool_choice: mustCall ? choice : undefined,
      parallel_tool_calls: parallel,
      response_format: format && format.type !== 'text' ? format : undefined,
    }),
  };
  const level = effort === undefined ? undefined : THINKING_LEVELS[effort];
  return {
    tools: choice === 'none' ? [] : declared,
    onlyCallerTools: mustCall || undefined,
    thinkingLevel: level,
    modelFields: Object.keys(modelFields).length > 0 ? modelFields : undefined,
  };
}
