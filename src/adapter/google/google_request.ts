/** Builds the parameters of one call. */
import type { FunctionCallingConfigMode, GenerateContentConfig, GenerateContentParameters, ThinkingConfig } from '@google/genai';
import type { ThinkingLevel, WireTool } from '../../port/llm';
import { splitSystem } from '../native/answer_blocks';
import type { NativeCall } from '../native/native_model';
import { type NativeParameters, readNativeParameters } from '../native/native_parameters';
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
  const { extra } = parameters;
  const config: GenerateContentConfig = {
    httpOptions: { extraBody: { ...extra, ...(reasoning && reasoningFields(reasoning, thinkingLevel)) } },
    automaticFunctionCalling: { disable: true },
    automaticContinuation: false,
    ...samplingFields(parameters),
    ...(thinkingConfig && { thinkingConfig }),
    ...(instruction.trim() !== '' && { systemInstruction: { parts: [{ text: instruction.toWellFormed() }] } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toDeclaration) }], ...toolChoiceOf(parameters) }),
    ...(parameters.outputSchema &&
      (tools.length === 0 || traits.hasSchemaWithTools) && {
        responseMimeType: 'application/json',
        responseJsonSchema: parameters.outputSchema,
      }),
  };
  return { model, contents: toGoogleContents(conversation, { server: serverName, model, images }), config };
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
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop?.length && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
  };
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
