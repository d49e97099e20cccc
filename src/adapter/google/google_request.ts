/** Builds the parameters of one call. */
import type { FunctionCallingConfigMode, GenerateContentConfig, GenerateContentParameters, ThinkingConfig } from '@google/genai';
import type { ThinkingLevel, WireTool } from '../../port/llm';
import { definedFields } from '../../utils/defined_fields';
import { splitSystem } from '../native/answer_blocks';
import type { NativeCall } from '../native/native_model';
import { type NativeParameters, readNativeParameters } from '../native/native_parameters';
import { isRecord } from '../openai/json_value';
import { reasoningFields } from '../openai/request_fields';
import { type GeminiLevel, type GeminiTraits, geminiTraits } from './gemini_models';
import { toGoogleContents } from './google_contents';

/** Parameters of models.yaml may name any further field of the request's body, such as `safetySettings`. */
export function toGoogleRequest({ request, model, serverName, reasoning }: NativeCall): GenerateContentParameters {
  const { messages, tools, images, thinkingLevel } = request;
  const traits = geminiTraits(model);
  const parameters = readNativeParameters(request);
  const { system, conversation } = splitSystem(messages);
  const instruction = system.map(({ content }) => content ?? '').join('');
  // Fields of models.yaml replace those of the API.
  const thinkingConfig = reasoning ? undefined : thinkingOf(thinkingLevel, traits);
  const generation = {
    ...samplingFields(parameters),
    ...definedFields({ thinkingConfig }),
    ...answerFormatOf(parameters, tools.length === 0 || traits.hasSchemaWithTools),
  };
  const config: GenerateContentConfig = {
    httpOptions: {
      extraBody: { ...withoutFields(parameters.extra, generation), ...(reasoning && reasoningFields(reasoning, thinkingLevel)) },
    },
    automaticFunctionCalling: { disable: true },
    automaticContinuation: false,
    ...generation,
    ...(instruction.trim() !== '' && { systemInstruction: { parts: [{ text: instruction.toWellFormed() }] } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toDeclaration) }], ...toolChoiceOf(parameters) }),
  };
  return { model, contents: toGoogleContents(conversation, { server: serverName, model, images }), config };
}

/** Returns the extra fields of the body without those of `generationConfig` that the gateway sets, because the client lets the extra ones win. */
function withoutFields(extra: NativeParameters['extra'], own: GenerateContentConfig): Record<string, unknown> {
  const { generationConfig, generation_config: snakeCased, ...others } = extra;
  const written = Object.entries({ ...asRecord(snakeCased), ...asRecord(generationConfig) }).map(
    ([name, value]) => [name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value] as const,
  );
  const kept = written.filter(([name]) => !Object.hasOwn(own, name));
  return kept.length === 0 ? others : { ...others, generationConfig: Object.fromEntries(kept) };
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** `isTaken`: the model can be held to a form. */
function answerFormatOf({ outputSchema, wantsJson }: NativeParameters, isTaken: boolean): GenerateContentConfig {
  if (!isTaken || !(outputSchema || wantsJson)) return {};
  return definedFields({ responseMimeType: 'application/json', responseJsonSchema: outputSchema });
}

const toDeclaration = ({ function: { name, description, parameters } }: WireTool) => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

/** The words of the client's enums are those of the API; the enums themselves load with the client. */
function toolChoiceOf({ forcedTool }: NativeParameters): Pick<GenerateContentConfig, 'toolConfig'> {
  if (forcedTool === undefined) return {};
  const allowed = forcedTool === 'any' ? {} : { allowedFunctionNames: [forcedTool.name] };
  return { toolConfig: { functionCallingConfig: { mode: 'ANY' as FunctionCallingConfigMode, ...allowed } } };
}

function samplingFields({ temperature, topP, maxOutputTokens, stop, seed }: NativeParameters): GenerateContentConfig {
  return definedFields({ temperature, topP, maxOutputTokens, stopSequences: stop?.length ? [...stop] : undefined, seed });
}

/** Thoughts come as summaries, when they are asked for. */
function thinkingOf(level: ThinkingLevel, { thinking }: GeminiTraits): ThinkingConfig | undefined {
  const amount: GeminiLevel | number | undefined = thinking?.[level];
  if (amount === undefined) return undefined;
  const shown = level === 'off' ? {} : { includeThoughts: true };
  return typeof amount === 'number'
    ? { ...shown, thinkingBudget: amount }
    : { ...shown, thinkingLevel: amount as ThinkingConfig['thinkingLevel'] };
}
