/** Decodes the body of POST /v1/chat/completions, and says what its fields mean for a run. */
import { AppError } from '../../errors';
import type { CallerContext } from '../../port/caller';
import type { ModelParameters } from '../../port/model_parameters';
import { createDecoder } from '../decode';
import { toCallerTools } from './caller_tools';
import { ChatRequest, THINKING_LEVELS } from './chat_request_schema';
import { relevantFields } from './ignored_fields';

const decode = createDecoder(ChatRequest);

/** Decodes a body. Null counts as absent, and fields of a known list are ignored. Throws `invalid_request`. */
export function decodeChatRequest(body: unknown): ChatRequest {
  const fields = relevantFields(body);
  refuseUnsupported(fields);
  const request = decode(fields);
  const { n = 1, logprobs, modalities = ['text'] } = request;
  if (n !== 1) throw refusal('/n', 'must be 1: a run has one answer. Send the request again for another one');
  if (logprobs) throw refusal('/logprobs', 'is not supported');
  if (modalities.some(modality => modality !== 'text')) throw refusal('/modalities', 'must be ["text"]');
  return request;
}

/** Fields of OpenAI that ask for something else, each with what to do instead. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  audio: 'is not supported; answers are text',
  functions: 'is not supported; use tools',
  function_call: 'is not supported; use tool_choice',
};

function refuseUnsupported(fields: unknown): void {
  for (const [name, rule] of Object.entries(UNSUPPORTED)) {
    if (typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)) throw refusal(`/${name}`, rule);
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
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop !== undefined && stop.length > 0 && { stop: typeof stop === 'string' ? [stop] : stop }),
    ...(seed !== undefined && { seed }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Reads the tools of the caller and what holds for this run alone. Throws `invalid_request`. */
export function toCallerContext(request: ChatRequest): Omit<CallerContext, 'instructions' | 'conversation'> {
  const {
    tools = [],
    tool_choice: choice = 'auto',
    parallel_tool_calls: parallel,
    reasoning_effort: effort,
    response_format: format,
  } = request;
  const declared = toCallerTools(
    tools.map(({ function: declaredFunction }, i) => ({ at: `/tools/${i}/function`, ...declaredFunction })),
    '/tools',
  );
  const forced = typeof choice === 'object' ? choice.function.name : undefined;
  if (forced !== undefined && !declared.some(({ name }) => name === forced))
    throw refusal('/tool_choice/function/name', 'must be the name of one of the tools');
  if (choice === 'required' && declared.length === 0) throw refusal('/tool_choice', 'required needs tools');
  const mustCall = forced !== undefined || choice === 'required';
  const modelFields = {
    ...(mustCall && { tool_choice: choice }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(format && format.type !== 'text' && { response_format: format }),
  };
  const level = effort === undefined ? undefined : THINKING_LEVELS[effort];
  return {
    tools: choice === 'none' ? [] : declared,
    ...(mustCall && { onlyCallerTools: true as const }),
    ...(level && { thinkingLevel: level }),
    ...(Object.keys(modelFields).length > 0 && { modelFields }),
  };
}

const refusal = (param: string, rule: string): AppError => new AppError('invalid_request', { param, message: `${param}: ${rule}.` });
