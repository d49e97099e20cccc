/** Builds the body of one call. */
import type Anthropic from '@anthropic-ai/sdk';
import { splitSystem } from '../native/answer_blocks';
import type { NativeCall } from '../native/native_model';
import { type NativeParameters, readNativeParameters } from '../native/native_parameters';
import { reasoningFields } from '../openai/request_fields';
import { lacksThoughts, toAnthropicMessages } from './anthropic_messages';
import { thinkingFields } from './anthropic_thinking';
import { markConversation, toAnthropicSystem, toAnthropicTools } from './cache_breakpoints';
import { type ClaudeTraits, claudeTraits } from './claude_models';
import { toOutputFormat } from './output_format';

type Body = Anthropic.MessageCreateParamsStreaming;

/** Fields of chat completions that this API has too. */
const OWN_FIELDS = ['service_tier', 'metadata'];

/** Parameters of models.yaml may name any further field of the API. */
export function toAnthropicRequest({ request, model, serverName, reasoning }: NativeCall): Body {
  const { messages, tools, images } = request;
  const traits = claudeTraits(model);
  const parameters = readNativeParameters(request, OWN_FIELDS);
  const target = { server: serverName, model, images };
  const { system, conversation } = splitSystem(messages);
  const converted = toAnthropicMessages(conversation, target);
  markConversation(conversation, converted);
  const maxTokens = parameters.maxOutputTokens ?? traits.maxTokens;
  const mayThink = !parameters.forcedTool && (traits.thinking !== 'budget' || !lacksThoughts(conversation, target));
  const level = mayThink ? request.thinkingLevel : 'off';
  // Fields of models.yaml replace those of the API.
  const { thinking, effort } = thinkingFields(reasoning ? 'off' : level, traits, maxTokens);
  const outputConfig = outputConfigOf(parameters, traits, effort);
  const ownReasoning = reasoning && reasoningFields(reasoning, level);
  const thinks = thinking !== undefined || ownReasoning?.['thinking'] !== undefined;
  return {
    ...parameters.extra,
    ...ownReasoning,
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(thinking && { thinking }),
    ...(outputConfig && { output_config: outputConfig }),
    ...(!thinks && samplingFields(parameters, traits)),
    ...(parameters.stop?.length && { stop_sequences: [...parameters.stop] }),
    ...(tools.length > 0 && { tools: toAnthropicTools(tools), tool_choice: toolChoiceOf(parameters) }),
    ...(system.length > 0 && { system: toAnthropicSystem(system) }),
    messages: converted.messages,
  };
}

/** Without a choice the API has tools side by side. */
function toolChoiceOf({ forcedTool, parallelToolCalls }: NativeParameters): Anthropic.ToolChoice {
  const alone = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (forcedTool === undefined) return { type: 'auto', ...alone };
  return forcedTool === 'any' ? { type: 'any', ...alone } : { type: 'tool', name: forcedTool.name, ...alone };
}

function outputConfigOf(
  { outputSchema }: NativeParameters,
  { hasOutputFormat }: ClaudeTraits,
  effort: 'low' | 'medium' | 'high' | undefined,
) {
  const schema = hasOutputFormat && outputSchema ? toOutputFormat(outputSchema) : undefined;
  if (!schema && !effort) return undefined;
  return { ...(effort && { effort }), ...(schema && { format: { type: 'json_schema' as const, schema } }) };
}

/** Models refuse what they do not take, so it is left out. A model that thinks takes neither. */
function samplingFields({ temperature, topP }: NativeParameters, { sampling }: ClaudeTraits): { temperature?: number; top_p?: number } {
  if (sampling === 'none') return {};
  // The API goes up to 1, others up to 2.
  const heat = temperature === undefined ? {} : { temperature: Math.min(1, temperature) };
  return topP === undefined || (sampling === 'one' && temperature !== undefined) ? heat : { ...heat, top_p: topP };
}
