/** Google's Gemini API over its official client. */
import type {
  CountTokensResponse,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  FinishReason as GoogleReason,
  Part,
  UsageMetadata,
} from '@google/genai';
import type { FinishReason, Usage } from '../../port/llm';
import type { NativeAnswer } from '../native/native_answer';
import type { NativeApi, NativeCall, NativeServer } from '../native/native_model';
import { readNativeParameters } from '../native/native_parameters';
import { endedBy } from '../openai/model_errors';
import { readClientError } from './google_errors';
import { toGoogleRequest } from './google_request';

const KEY_HEADER = 'x-goog-api-key';
const VERSION = 'v1beta';

export const googleApi: NativeApi = {
  api: 'google',
  provider: 'google',
  async ask(call, answer) {
    const client = await openClient(call);
    const reader = new ChunkReader(answer, readNativeParameters(call.request).parallelToolCalls === false);
    try {
      const stream = await client.models.generateContentStream(toGoogleRequest(call));
      for await (const chunk of stream) reader.read(chunk);
    } catch (thrown) {
      throw readClientError(thrown);
    }
  },
  async countTokens(call) {
    const counter = new CountingFetch(call);
    const client = await openClient({ ...call, fetch: counter.fetch });
    // The client counts contents alone. The body of a call, which it writes, is counted as a whole.
    await client.models.generateContent(toGoogleRequest(call));
    return counter.tokens;
  },
  listing(server) {
    const { baseUrl, apiVersion } = addressOf(server);
    const headers: Record<string, string> = server.apiKey === undefined ? {} : { [KEY_HEADER]: server.apiKey };
    return { url: new URL(`${baseUrl}/${apiVersion}/models?pageSize=1000`), headers, apiKey: server.apiKey };
  },
};

/** Sends the body of a call to the route that counts its tokens. */
class CountingFetch {
  tokens = 0;

  constructor(private readonly call: NativeCall) {}

  readonly fetch: typeof fetch = async (input, init) => {
    const url = String(input).replace(/:generateContent.*$/, ':countTokens');
    const body: unknown = JSON.parse(String(init?.body));
    const generateContentRequest = { model: `models/${this.call.model.replace(/^models\//, '')}`, ...(body as object) };
    const response = await this.call.fetch(url, { ...init, body: JSON.stringify({ generateContentRequest }) });
    const { totalTokens } = (await response.json()) as CountTokensResponse;
    if (totalTokens === undefined) throw new Error('The server counted no tokens.');
    this.tokens = totalTokens;
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };
}

/** The client loads with the first call. Without `vertexai` it would read the environment. `fetch` follows the signal of the call. */
async function openClient({ server, fetch }: NativeCall) {
  const { GoogleGenAI } = await import('@google/genai');
  return new GoogleGenAI({ apiKey: server.apiKey ?? 'none', vertexai: false, httpOptions: { ...addressOf(server), fetch } });
}

/** The client adds the version itself; an address may name one, and the path for chat completions below it. */
function addressOf({ baseUrl }: NativeServer): { baseUrl: string; apiVersion: string } {
  const [ending, version = VERSION] = /(?:\/(v\d+(?:alpha|beta)?\d*))?(?:\/openai)?$/.exec(baseUrl) ?? [''];
  return { baseUrl: baseUrl.slice(0, baseUrl.length - ending.length), apiVersion: version };
}

/** Other words mean that the answer failed, such as MALFORMED_FUNCTION_CALL. */
const REASONS: Readonly<Partial<Record<GoogleReason, FinishReason>>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
};

/** Reads the chunks of one stream. */
class ChunkReader {
  private calls = 0;
  /** The thought that grows. */
  private thought: { thought: true; text: string; thoughtSignature?: string } | undefined;

  /** `isAlone`: the API cannot be asked for one call at a time, so further calls are left out. */
  constructor(
    private readonly answer: NativeAnswer,
    private readonly isAlone: boolean,
  ) {}

  read({ candidates, promptFeedback, usageMetadata }: GenerateContentResponse): void {
    const { answer } = this;
    answer.noteLife();
    if (usageMetadata) answer.noteUsage(toUsage(usageMetadata));
    const [candidate] = candidates ?? [];
    for (const part of candidate?.content?.parts ?? []) this.readPart(part);
    const reason = candidate?.finishReason;
    if (reason) {
      const known = REASONS[reason];
      if (!known) throw endedBy(reason);
      answer.end(known);
    } else if (promptFeedback?.blockReason) answer.end('content_filter');
  }

  private readPart({ text, thought, functionCall, thoughtSignature }: Part): void {
    const fields = thoughtSignature === undefined ? undefined : { thoughtSignature };
    if (thought) this.addThought(text ?? '', fields);
    else if (functionCall) {
      this.thought = undefined;
      if (this.isAlone && this.calls > 0) return;
      const key = this.calls++;
      this.answer.beginCall(key, { id: functionCall.id, name: functionCall.name ?? '', fields });
      this.answer.addArguments(key, JSON.stringify(functionCall.args ?? {}));
    } else if (text || fields) {
      this.thought = undefined;
      if (text) this.answer.addText(text);
      if (fields) this.answer.markText(fields);
    }
  }

  /** Pieces of a thought become one part, as pieces of a text do. */
  private addThought(text: string, fields: { thoughtSignature: string } | undefined): void {
    const { answer } = this;
    if (!this.thought) {
      this.thought = { thought: true, text: '' };
      answer.keep(this.thought);
      answer.beginThought();
    }
    this.thought.text += text;
    Object.assign(this.thought, fields);
    answer.addThought(text);
    if (fields) this.thought = undefined;
  }
}

/** The client names the tier in its other type of usage alone. */
type Counts = GenerateContentResponseUsageMetadata & Pick<UsageMetadata, 'serviceTier'>;

/** Thoughts are not in the tokens of the candidates; tokens of the cache are in those of the prompt. */
function toUsage(counts: Counts): Usage {
  const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount } = counts;
  return {
    inputTokens: promptTokenCount + toolUsePromptTokenCount,
    outputTokens: candidatesTokenCount + (thoughtsTokenCount ?? 0),
    reasoningTokens: thoughtsTokenCount,
    cachedTokens: counts.cachedContentTokenCount,
    serviceTier: counts.serviceTier?.toLowerCase(),
  };
}
