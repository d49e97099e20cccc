/** Turns parameters and thinking levels into fields of a request body. */
import type { ThinkingLevel } from '../../port/llm';
import type { ReasoningFields } from '../../port/model_client';
import type { ModelParameters } from '../../port/model_parameters';
import { definedFields } from '../../utils/defined_fields';

const LEVELS = ['minimal', 'low', 'medium', 'high'] as const satisfies readonly ThinkingLevel[];

/** `reasoning_effort` as OpenAI takes it. */
export const DEFAULT_REASONING: ReasoningFields = Object.fromEntries(LEVELS.map(level => [level, { reasoning_effort: level }]));

/** Returns the fields of the level, or of the nearest level that the model has: a lower one first. */
export function reasoningFields(reasoning: ReasoningFields, level: ThinkingLevel): Readonly<Record<string, unknown>> {
  if (level === 'off') return reasoning.off ?? {};
  const wanted = LEVELS.indexOf(level);
  const nearest = [...LEVELS.slice(0, wanted + 1).reverse(), ...LEVELS.slice(wanted + 1)].find(other => reasoning[other]);
  return (nearest && reasoning[nearest]) ?? {};
}

/** `extra` comes first, so that it never replaces the gateway's own field of the same name. */
export function parameterFields(
  { temperature, maxOutputTokens, topP, stop, seed, extra }: ModelParameters,
  maxTokensField: string,
): Record<string, unknown> {
  return {
    ...extra,
    ...definedFields({ temperature, [maxTokensField]: maxOutputTokens, top_p: topP, stop, seed }),
  };
}
