import { AppError } from '../../errors';
import type { EmbeddingPort } from '../../port/embedding';
import type { Observer, OpenWork } from '../../port/observer';
import { traceHeaders } from '../../port/traceparent';
import { joinUrl } from '../../utils/join_url';
import { toWellFormedJson } from '../../utils/well_formed';
import { CallGuard } from '../openai/call_guard';
import { providerOf } from '../openai/chat_endpoint';
import { createHttpPost, type HttpPost, type PostRequest } from '../openai/http_post';
import { isWorthRetrying, StatusError, tooLarge } from '../openai/model_errors';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../openai/model_limits';
import { type ErrorContext, toModelError } from '../openai/model_refusals';
import { decodeEmbeddings, type Embeddings } from './embedding_answer';

export interface OpenAiEmbeddingOptions {
  /** Undefined or empty for servers that need no key. Never appears in errors. */
  apiKey?: string;
  /** Base of an OpenAI-compatible API, http or https, usually ending with `/v1`. Default: OpenAI's own. */
  baseUrl?: string;
  model: string;
  limits?: Partial<ModelLimits>;
  /** Is told about each call. */
  observer?: Observer;
}

type Observed = OpenWork<'embedding'> | undefined;

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'internal');

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Limits of a call. They are shorter than a model's, because a call is small and callers wait for it only a moment. */
const LIMITS: ModelLimits = {
  ...DEFAULT_MODEL_LIMITS,
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 30_000,
  areTimesFixed: true,
};

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Creates the client of an OpenAI-compatible /embeddings API. */
export function createOpenAiEmbedding(options: OpenAiEmbeddingOptions): EmbeddingPort {
  return new OpenAiEmbedding(options);
}

class OpenAiEmbedding implements EmbeddingPort {
  readonly model: string;
  private readonly limits: ModelLimits;
  private http: HttpPost | undefined;
  private readonly endpoint: ReturnType<typeof endpointOf>;
  readonly provider: string;
  /** Dimensions of the first answer. Answers with other dimensions are refused, because their vectors could not be compared with earlier ones. */
  private dimensions: number | undefined;

  constructor(private readonly options: OpenAiEmbeddingOptions) {
    this.model = options.model;
    this.limits = { ...LIMITS, ...options.limits };
    this.endpoint = endpointOf(options);
    this.provider = providerOf(this.endpoint.url);
  }

  async embed(texts: readonly string[], signal: AbortSignal, onTokens?: (inputTokens: number) => void): Promise<Float32Array[]> {
    const work = this.options.observer?.begin('embedding', { model: this.model, provider: this.provider, texts: texts.length });
    try {
      const { vectors, inputTokens } = await this.embedWithRetries(texts, signal, work);
      work?.end({ inputTokens });
      if (inputTokens !== undefined) onTokens?.(inputTokens);
      return vectors;
    } catch (error) {
      work?.end({ error: signal.aborted ? 'aborted' : codeOf(error) });
      throw error;
    }
  }

  private async embedWithRetries(texts: readonly string[], signal: AbortSignal, work: Observed): Promise<Embeddings> {
    // Asks for base64, which is quicker to parse; servers that do not know base64 answer with lists of numbers.
    const body = Buffer.from(toWellFormedJson(JSON.stringify({ model: this.model, input: texts, encoding_format: 'base64' })));
    const guard = new CallGuard(signal, this.limits);
    try {
      for (let retries = 0; ; retries += 1) {
        try {
          return await this.attempt(body, texts.length, { guard, work });
        } catch (error) {
          guard.throwIfEnded();
          if (retries >= this.limits.maxRetries || !isWorthRetrying(error)) throw error;
          work?.mark({ type: 'retry', error: codeOf(error) });
          await guard.wait(this.retryDelayMs(retries, error));
        }
      }
    } finally {
      guard.dispose();
    }
  }

  private async attempt(body: Buffer, count: number, { guard, work }: { guard: CallGuard; work: Observed }): Promise<Embeddings> {
    const signal = guard.startAttempt();
    const trace = work?.trace;
    try {
      const answer = await this.post({ body: [body], signal, headers: trace && { ...traceHeaders(trace) } });
      const found = decodeEmbeddings(answer, { count, dimensions: this.dimensions, context: this.errorContext() });
      this.dimensions = found.vectors[0]?.length;
      return found;
    } catch (error) {
      throw toModelError(signal.aborted && !(error instanceof StatusError) ? signal.reason : error, this.errorContext());
    }
  }

  /** Sends the request and resolves with the text of the response. */
  private async post(request: Omit<PostRequest, 'onPiece'>): Promise<string> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    this.http ??= createHttpPost({ endpoint: this.endpoint, connectMs: this.limits.connectMs });
    await this.http.send({
      ...request,
      onPiece: piece => {
        bytes += piece.length;
        if (bytes > MAX_BODY_BYTES) throw tooLarge([`more than ${MAX_BODY_BYTES} bytes`, `超过 ${MAX_BODY_BYTES} 字节`]);
        pieces.push(Buffer.from(piece));
      },
    });
    return Buffer.concat(pieces).toString('utf8');
  }

  private errorContext(): ErrorContext {
    return { apiKey: this.options.apiKey, now: Date.now(), maxRetryAfterMs: this.limits.maxRetryAfterMs };
  }

  private retryDelayMs(retries: number, error: unknown): number {
    const { retryBaseMs, retryMaxMs } = this.limits;
    const delayMs = Math.min(retryMaxMs, retryBaseMs * 2 ** retries) * (0.5 + Math.random() / 2);
    return Math.max(delayMs, error instanceof AppError ? (error.retryAfterMs ?? 0) : 0);
  }
}

function endpointOf({ baseUrl = DEFAULT_BASE_URL, apiKey }: OpenAiEmbeddingOptions) {
  const url = joinUrl(baseUrl, '/embeddings');
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  return { url, headers };
}
