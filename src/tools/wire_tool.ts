import type { WireTool } from '../port/llm';
import type { ToolLocale, ToolSpec } from './common';
import { parametersIn } from './parameter_paths';
import { toolTexts } from './tool_spec';

type JsonObject = Record<string, unknown>;

/**
 * Returns a tool in the form of chat completions APIs. Texts are English where there is no translation. The result shares nothing with the spec.
 */
export function toWireTool(spec: ToolSpec, locale: ToolLocale): WireTool {
  const texts = toolTexts(spec, locale);
  // JSON drops the symbols that TypeBox puts on its schemas.
  const parameters = plainSchema(JSON.parse(JSON.stringify(spec.parameters))) as JsonObject;
  for (const [path, property] of parametersIn(parameters)) {
    if (Object.hasOwn(texts.parameters, path)) property['description'] = texts.parameters[path];
  }
  return { type: 'function', function: { name: spec.name, description: texts.description, parameters } };
}

/** Turns a union of constants into an `enum`, because several model servers understand no other form. */
function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = value as JsonObject;
  const constants = stringConstants(anyOf);
  if (constants) return { ...rest, type: 'string', enum: constants };
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plainSchema(entry)]));
}

function stringConstants(anyOf: unknown): string[] | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined;
  const constants = anyOf.map(option => (option as JsonObject | null)?.const);
  return constants.every(constant => typeof constant === 'string') ? constants : undefined;
}
