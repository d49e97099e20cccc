/** Builds the body of one call. */
import { createHash } from 'node:crypto';
import type { OpenAI } from 'openai';
import type { LlmRequest, WireTool } from '../../port/llm';
import { definedFields } from '../../utils/defined_fields';
import { splitSystem } from '../native/answer_blocks';
import type { NativeCall } from '../native/native_model';
import { type NativeParameters, readNativeParameters } from '../native/native_parameters';
import { reasoningFields } from '../openai/request_fields';
import { type OpenAiTraits, openAiTraits } from './openai_models';
import { toResponsesInput } from './responses_input';
import { isStrictSchema } from './strict_schema';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;

/** Fields of chat completions that this API has too; `verbosity` has another place. */
const OWN_FIELDS = ['service_tier', 'metadata', 'safety_identifier', 'prompt_cache_key', 'verbosity'];

/**
 * Parameters of models.yaml may name any further field of the API. The tools and the prompt come first in what the model reads, and `input` grows at its
 * end alone, so the cache of the server finds the request before this one as a prefix.
 */
export function toResponsesRequest({ request, model, serverName, reasoning }: NativeCall): Body {
  const { messages, tools, images } = request;
  const traits = openAiTraits(model);
  const parameters = readNativeParameters(request, OWN_FIELDS);
  const { verbosity, ...extra } = parameters.extra;
  const { system, conversation } = splitSystem(messages);
  const instructions = system.map(({ content }) => content ?? '').join('\n\n');
  // Fields of models.yaml replace those of the API.
  const ownReasoning = reasoning && reasoningFields(reasoning, request.thinkingLevel);
  const effort = reasoning ? undefined : traits.efforts[request.thinkingLevel];
  const hasReasoning = traits.alwaysReasons || effort !== undefined || ownReasoning?.['reasoning'] !== undefined;
  const text = textFields(parameters, verbosity);
  return {
    ...definedFields({ prompt_cache_key: cacheKeyOf(request) }),
    ...extra,
    ...ownReasoning,
    model,
    stream: true,
    // The gateway keeps the conversation itself, so the server seals the reasoning and hands it over.
    store: false,
    ...(hasReasoning && { include: ['reasoning.encrypted_content'] }),
    ...(effort && { reasoning: effort === 'none' ? { effort } : { effort, summary: 'auto' } }),
    ...definedFields({ max_output_tokens: parameters.maxOutputTokens }),
    ...samplingFields(parameters, traits, effort),
    ...(text && { text }),
    ...(tools.length > 0 && { tools: toResponsesTools(tools), ...choiceFields(parameters) }),
    ...(instructions !== '' && { instructions: instructions.toWellFormed() }),
    input: toResponsesInput(conversation, { server: serverName, model, images }),
  };
}

/**
 * Requests with the same key go to a server that has their beginning in its cache. A session is the unit: a key of many sessions is spread over several
 * servers. Hashed, because ids of tenants are no business of the server.
 */
function cacheKeyOf({ run }: LlmRequest): string | undefined {
  if (!run) return undefined;
  const parts = [run.tenantId, run.sessionId, run.agent];
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

const sentTools = new WeakMap<readonly WireTool[], OpenAI.Responses.FunctionTool[]>();

/** The same list gives the same result. Without `strict: false` the server makes all parameters required. */
function toResponsesTools(tools: readonly WireTool[]): OpenAI.Responses.FunctionTool[] {
  const known = sentTools.get(tools);
  if (known) return known;
  const sent = tools.map(({ function: { name, description, parameters } }) => ({
    type: 'function' as const,
    name,
    description,
    parameters,
    strict: false,
  }));
  sentTools.set(tools, sent);
  return sent;
}

/** Without a choice the model decides, and calls tools side by side. */
function choiceFields({ forcedTool, parallelToolCalls }: NativeParameters): Pick<Body, 'tool_choice' | 'parallel_tool_calls'> {
  const choice = forcedTool === 'any' ? 'required' : forcedTool && { type: 'function' as const, name: forcedTool.name };
  return definedFields({ tool_choice: choice, parallel_tool_calls: parallelToolCalls });
}

function samplingFields({ temperature, topP }: NativeParameters, { sampling }: OpenAiTraits, effort: string | undefined) {
  const reasons = effort !== undefined && effort !== 'none';
  if (sampling === 'never' || (sampling === 'without_effort' && reasons)) return {};
  return definedFields({ temperature, top_p: topP });
}

function textFields(parameters: NativeParameters, verbosity: unknown): Body['text'] {
  const format = formatOf(parameters);
  if (!format && verbosity === undefined) return undefined;
  // A cast: operators and callers write the word, and the server checks it.
  return definedFields({ format, verbosity: verbosity as 'low' | 'medium' | 'high' | undefined });
}

function formatOf({ outputSchema: schema, wantsJson }: NativeParameters): OpenAI.Responses.ResponseFormatTextConfig | undefined {
  if (schema) return { type: 'json_schema', name: 'answer', schema: { ...schema }, strict: isStrictSchema(schema) };
  return wantsJson ? { type: 'json_object' } : undefined;
}
