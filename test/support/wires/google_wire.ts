/** Google's Gemini API: ai.google.dev, "streamGenerateContent", "Thought signatures", "Function calling" and "Troubleshooting guide". */
import type {
  Candidate,
  Content,
  FinishReason,
  FunctionDeclaration,
  GenerateContentResponseUsageMetadata,
  GenerationConfig,
  Part,
  ThinkingConfig,
  UsageMetadata,
} from '@google/genai';
import { googleApi } from '../../../src/adapter/google/google_api';
import { createNativeModel } from '../../../src/adapter/native/native_model';
import { type ModelWire, toEvent, type WireAnswer, type WireFailure, type WireMessage, type WirePart, type WireUsage } from './model_wire';

export const GOOGLE_MODEL = 'gemini-3-flash-preview';

interface Chunk {
  candidates: Candidate[];
  usageMetadata?: Partial<GenerateContentResponseUsageMetadata>;
  modelVersion: string;
  responseId: string;
}

const chunkOf = (candidate: Candidate): Chunk => ({ candidates: [candidate], modelVersion: GOOGLE_MODEL, responseId: 'r_01' });

/** One chunk with one part. */
export const send = (part: Part): string =>
  toEvent(chunkOf({ content: { role: 'model', parts: [part] }, index: 0 } satisfies Candidate) satisfies Chunk);

/** The last chunk, which says why the answer has ended. */
export const ending = (finishReason: string, usage: WireUsage = NO_USAGE): string => {
  const candidate = {
    content: { role: 'model', parts: [{ text: '' }] },
    // A cast: the words of the enum are those of the API.
    finishReason: finishReason as FinishReason,
    index: 0,
  } satisfies Candidate;
  const usageMetadata = {
    promptTokenCount: usage.fresh + usage.cached,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output - usage.thinking,
    thoughtsTokenCount: usage.thinking,
    totalTokenCount: usage.fresh + usage.cached + usage.output,
    // A cast: the words of the vendor.
    serviceTier: usage.tier as UsageMetadata['serviceTier'],
  } satisfies Partial<GenerateContentResponseUsageMetadata> & Pick<UsageMetadata, 'serviceTier'>;
  return toEvent({ ...chunkOf(candidate), usageMetadata } satisfies Chunk);
};

const NO_USAGE: WireUsage = { fresh: 10, cached: 0, written: 0, output: 5, thinking: 0 };

function partsOf(part: WirePart): Part[] {
  if ('text' in part) return part.text.map(text => ({ text }));
  if ('thought' in part) {
    const last = part.thought.length - 1;
    return part.thought.map((text, i) => ({ text, thought: true, ...(i === last && { thoughtSignature: part.proof }) }));
  }
  if ('hidden' in part) throw new Error('The API has no hidden thoughts.');
  const { id, name, args, proof } = part.call;
  // Many models of the API give their calls no ids.
  return [{ functionCall: { id: id || undefined, name, args: argsOf(args.join('')) }, ...(proof && { thoughtSignature: proof }) }];
}

/** Arguments are objects: those that a limit cut off are missing. */
function argsOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}

function encode({ parts, usage, end }: WireAnswer): string[] {
  const reason = end === 'length' ? 'MAX_TOKENS' : end === 'filter' ? 'SAFETY' : 'STOP';
  return [...parts.flatMap(partsOf).map(send), ending(reason, usage)];
}

const FAILURES: Record<WireFailure, [code: number, status: string, message: string]> = {
  key: [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  rate: [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  too_long: [400, 'INVALID_ARGUMENT', 'The input token count (213462) exceeds the maximum number of tokens allowed (200000).'],
  bad_tool: [400, 'INVALID_ARGUMENT', '* GenerateContentRequest.tools[0].function_declarations[1].parameters: schema is invalid'],
  server: [500, 'INTERNAL', 'An internal error has occurred.'],
};

const errorOf = (failure: WireFailure) => {
  const [code, status, message] = FAILURES[failure];
  const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' };
  return { error: { code, message, status, ...(failure === 'key' && { details: [reason] }) } };
};

const FILE_LINE = /^\[file \d+: ([^,]+), /;

/** The name of a file stands in a line before it; pieces of a thought are one thought. */
function readParts(parts: Part[]): string[] {
  const read: string[] = [];
  let fileName = '';
  for (const part of parts) {
    const { text, thought, thoughtSignature, functionCall, functionResponse, inlineData } = part;
    const [, named] = FILE_LINE.exec(text ?? '') ?? [];
    if (thought) read.push(`thought:${text}:${thoughtSignature}`);
    else if (named !== undefined) fileName = named;
    else if (text !== undefined) read.push(text);
    else if (inlineData?.mimeType === 'application/pdf') read.push(`file:${fileName}:${inlineData.data}`);
    else if (inlineData) read.push(`image:${inlineData.mimeType}:${inlineData.data}`);
    else if (functionCall) read.push(`call:${functionCall.id}:${functionCall.name}:${JSON.stringify(functionCall.args)}`);
    else if (functionResponse) {
      const { id, response, parts: shown = [] } = functionResponse;
      const images = shown.map(({ inlineData: blob }) => `image:${blob?.mimeType}:${blob?.data}`);
      read.push(`result:${id}:${[response?.['output'], ...images].join('+')}`);
    } else throw new Error(`The request has a part with the fields ${Object.keys(part)}.`);
  }
  return read;
}

/** The body of a request. */
export interface GoogleBody {
  contents: (Content & { parts: Part[] })[];
  systemInstruction?: Content;
  tools?: { functionDeclarations: FunctionDeclaration[] }[];
  toolConfig?: unknown;
  generationConfig?: GenerationConfig & { thinkingConfig?: ThinkingConfig; responseJsonSchema?: unknown };
}

export const googleWire: ModelWire = {
  name: 'google',
  provider: 'google',
  model: GOOGLE_MODEL,
  has: { thoughts: true, schema: true, argumentObjects: true, noParallelField: true },
  open: (baseUrl, { model = GOOGLE_MODEL, ...options }) => createNativeModel(googleApi, { ...options, baseUrl, model }),
  encode,
  endEvents: 1,
  malformed: 'data: {"candidates":[{"content":{"par\n\n',
  errorEvent: toEvent(errorOf('overloaded')),
  refuse: failure => ({ status: FAILURES[failure][0], body: errorOf(failure) }),
  badRequest: message => ({ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }),
  read(sent, headers, path) {
    // A cast: what the server does not know is an error below.
    const body = sent as unknown as GoogleBody;
    const [, model = ''] = /\/models\/([^/]+):streamGenerateContent\?alt=sse$/.exec(path) ?? [];
    if (model === '') throw new Error(`No model in the path ${path}.`);
    const { contents, systemInstruction, tools = [], generationConfig } = body;
    return {
      path,
      key: headers['x-goog-api-key'] as string | undefined,
      model,
      system: (systemInstruction?.parts ?? []).map(({ text }) => text).join(''),
      messages: contents.map(
        ({ role, parts }): WireMessage => ({ role: role === 'model' ? 'assistant' : 'user', parts: readParts(parts) }),
      ),
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name = '' }) => name)),
      parallel: undefined,
      thinks: generationConfig?.thinkingConfig?.includeThoughts === true,
      schema: generationConfig?.responseJsonSchema,
    };
  },
  count: { path: /\/models\/[^/]+:countTokens$/, answer: totalTokens => ({ totalTokens }) },
  list: names => ({ models: names.map(name => ({ name: `models/${name}`, displayName: name })) }),
};
