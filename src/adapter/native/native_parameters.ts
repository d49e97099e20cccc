/** Reads parameters that callers of the OpenAI doors, or operators, wrote as fields of chat completions: other APIs have them in another form. */
import type { LlmRequest } from '../../port/llm';
import type { ModelParameters } from '../../port/model_parameters';
import { isRecord } from '../openai/json_value';

/** Fields of chat completions, which other APIs refuse. */
const CHAT_FIELDS: ReadonlySet<string> = new Set([
  ...['response_format', 'parallel_tool_calls', 'tool_choice', 'logit_bias', 'logprobs', 'top_logprobs', 'frequency_penalty'],
  ...['presence_penalty', 'user', 'verbosity', 'modalities', 'audio', 'prediction', 'prompt_cache_key', 'safety_identifier', 'store'],
  ...['metadata', 'service_tier', 'reasoning_effort', 'stream_options', 'web_search_options'],
]);

/** Fields of the vendors' APIs that the gateway writes, or that would add what the gateway does not know. */
const GATEWAY_FIELDS: ReadonlySet<string> = new Set([
  ...['contents', 'systemInstruction', 'system_instruction', 'cachedContent', 'toolConfig', 'tool_config', 'system', 'messages', 'tools'],
  ...['input', 'instructions', 'previous_response_id', 'conversation', 'background', 'stream'],
]);

export interface NativeParameters extends Omit<ModelParameters, 'extra'> {
  /** Fields of the API's own form, from models.yaml. */
  extra: Readonly<Record<string, unknown>>;
  /** `any`: the model must call a tool; otherwise the name of the tool to call. Absent: it decides. */
  forcedTool?: 'any' | { name: string };
  outputSchema?: Readonly<Record<string, unknown>>;
  /** The answer must be JSON of any form. */
  wantsJson: boolean;
}

/** `ownFields`: names in CHAT_FIELDS that the API has too, with the same meaning. */
export function readNativeParameters(request: LlmRequest, ownFields: readonly string[] = []): NativeParameters {
  const { extra = {}, parallelToolCalls, ...rest } = request.parameters ?? {};
  const parallel = parallelToolCalls ?? extra['parallel_tool_calls'];
  return {
    ...rest,
    parallelToolCalls: typeof parallel === 'boolean' ? parallel : undefined,
    forcedTool: readChoice(extra['tool_choice']),
    outputSchema: request.outputSchema ?? readSchema(extra['response_format']),
    wantsJson: isRecord(extra['response_format']) && extra['response_format']['type'] === 'json_object',
    extra: Object.fromEntries(
      Object.entries(extra).filter(([name]) => !GATEWAY_FIELDS.has(name) && (!CHAT_FIELDS.has(name) || ownFields.includes(name))),
    ),
  };
}

function readChoice(choice: unknown): NativeParameters['forcedTool'] {
  if (choice === 'required') return 'any';
  const named = isRecord(choice) ? choice['function'] : undefined;
  return isRecord(named) && typeof named['name'] === 'string' ? { name: named['name'] } : undefined;
}

function readSchema(format: unknown): NativeParameters['outputSchema'] {
  const inner = isRecord(format) ? format['json_schema'] : undefined;
  const schema = isRecord(inner) ? inner['schema'] : undefined;
  return isRecord(schema) ? schema : undefined;
}
