/** A model behind the own API of its vendor, over the vendor's official client. Each API brings a NativeApi; this file does the rest. */
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink } from '../../port/llm';
import type { ModelApi } from '../../port/model_apis';
import type { ModelClient, ReasoningFields } from '../../port/model_client';
import { traceHeaders } from '../../port/traceparent';
import type { CallGuard } from '../openai/call_guard';
import { callWithRetries } from '../openai/call_retries';
import { createHttpPost, type HttpPost } from '../openai/http_post';
import type { ModelListing } from '../openai/key_headers';
import { listServerModels } from '../openai/list_models';
import { StatusError } from '../openai/model_errors';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../openai/model_limits';
import { type ErrorContext, toModelError, toStreamedError } from '../openai/model_refusals';
import { checkedUrl, randomCallId } from '../openai/openai_llm';
import { probeModelServer } from '../openai/probe_model_server';
import { serverNameOf } from '../openai/sent_messages';
import { NativeAnswer } from './native_answer';
import { causeOf, createSdkFetch, type SdkFetch } from './sdk_fetch';

/** The server of a model. */
export interface NativeServer {
  /** Without a slash at its end. */
  baseUrl: string;
  /** Undefined for servers that need no key. */
  apiKey: string | undefined;
}

/** One attempt of a call. */
export interface NativeCall {
  request: LlmRequest;
  server: NativeServer;
  /** The name under which data of the server is stored with messages. */
  serverName: string;
  /** The name that the server gives the model. */
  model: string;
  /** Request fields for thinking levels, which replace those of the API. */
  reasoning: ReasoningFields | undefined;
  /** Goes to the vendor's client; it follows `signal` by itself. */
  fetch: typeof fetch;
  signal: AbortSignal;
}

/** The part that the adapter of one API brings. */
export interface NativeApi {
  api: ModelApi;
  /** The vendor, as metrics and traces name it. */
  provider: string;
  /**
   * Asks for one answer with the vendor's client, whose own retries are off, and hands the stream to `answer`. Resolves at the end of the stream.
   * Rejects with whatever the client throws: the caller converts it.
   */
  ask(call: NativeCall, answer: NativeAnswer): Promise<void>;
  /** Asks the server for the tokens of a request. Rejects as `ask` does. Absent: the API has no such route. */
  countTokens?(call: NativeCall): Promise<number>;
  /** The request for the list of models. */
  listing(server: NativeServer): ModelListing;
}

export interface NativeModelOptions {
  apiKey?: string;
  baseUrl: string;
  model: string;
  reasoning?: ReasoningFields;
  limits?: Partial<ModelLimits>;
  /** Returns the time in milliseconds since 1970, with which Retry-After dates are compared. */
  now?: () => number;
  /** 0 to 1; adds jitter to retries. */
  random?: () => number;
  createCallId?: () => string;
}

/** A count is worth no longer wait: an estimate takes its place. */
const COUNT_MS = 10_000;
/** Statuses of servers that do not know a route. */
const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);
/** Milliseconds until a server is asked for a count again that lacks the route, or that failed. */
const NO_ROUTE_PAUSE_MS = 3_600_000;
const COUNT_PAUSE_MS = 60_000;

/** Creates the client of a model. Opens no connection yet. Throws when the base URL is not an http or https URL. */
export function createNativeModel(api: NativeApi, options: NativeModelOptions): ModelClient {
  return new NativeModel(api, options);
}

class NativeModel implements ModelClient {
  readonly info: LlmPort['info'];
  private readonly limits: ModelLimits;
  private readonly server: NativeServer;
  private readonly url: URL;
  private readonly serverName: string;
  private http: HttpPost | undefined;
  /** Set after the server refused the route for counts. */
  /** The server is asked for counts again from this time on: milliseconds since 1970. */
  private countsFrom = 0;

  constructor(
    private readonly api: NativeApi,
    private readonly options: NativeModelOptions,
  ) {
    this.url = checkedUrl(options.baseUrl);
    this.limits = { ...DEFAULT_MODEL_LIMITS, ...options.limits };
    this.server = { baseUrl: options.baseUrl.replace(/\/+$/, ''), apiKey: options.apiKey || undefined };
    this.serverName = `${serverNameOf(this.url)} ${api.api}`;
    this.info = { provider: api.provider, model: options.model, demo: false };
  }

  stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const { limits, options } = this;
    return callWithRetries({ request, sink, limits, random: options.random }, guard => {
      const answer = this.createAnswer(request, sink, guard);
      return { answer: this.attempt(request, guard, answer), isVisible: () => answer.isVisible };
    });
  }

  async countTokens(request: LlmRequest): Promise<number | undefined> {
    const { api, server, serverName } = this;
    const now = this.options.now ?? Date.now;
    if (!api.countTokens || now() < this.countsFrom) return undefined;
    request.signal.throwIfAborted();
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(COUNT_MS)]);
    const toError = (said: unknown) => toStreamedError(said, this.errorContext(request));
    const transport = createSdkFetch({
      http: this.connect(),
      limits: this.limits,
      signal,
      onBytes: () => {},
      toError,
      expects: 'document',
    });
    const { reasoning } = this.options;
    try {
      const call = { request, server, serverName, model: this.modelOf(request), reasoning, fetch: transport.fetch, signal };
      return await api.countTokens(call);
    } catch {
      request.signal.throwIfAborted();
      // Other servers that speak the API often lack the route. A server that fails must not hold up each request.
      const lacksRoute = transport.failure instanceof StatusError && NO_ROUTE.has(transport.failure.status);
      this.countsFrom = now() + (lacksRoute ? NO_ROUTE_PAUSE_MS : COUNT_PAUSE_MS);
      return undefined;
    }
  }

  probe(onTime?: (at: number) => void): Promise<string | undefined> {
    return probeModelServer({ ...this.api.listing(this.server), onTime });
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    return listServerModels(this.api.listing(this.server), signal);
  }

  close(): void {
    this.http?.close();
  }

  private async attempt(request: LlmRequest, guard: CallGuard, answer: NativeAnswer): Promise<LlmAnswer> {
    const context = this.errorContext(request);
    const toError = (said: unknown) => toStreamedError(said, context);
    const signal = guard.startAttempt();
    const { reasoning } = this.options;
    const begin = firstTime(() => guard.startPhase('idle', this.limits.idleMs));
    const transport = createSdkFetch({
      http: this.connect(),
      limits: this.limits,
      signal,
      headers: request.trace && { ...traceHeaders(request.trace) },
      onBytes: () => {
        begin();
        // Clients hide signs of life such as pings.
        if (!answer.isComplete) guard.touch();
      },
      toError,
      expects: 'events',
    });
    const { server, serverName } = this;
    try {
      const call = { request, server, serverName, model: this.modelOf(request), reasoning, fetch: transport.fetch, signal };
      await this.api.ask(call, answer);
      // Clients end their streams without an error when they are aborted.
      if (!answer.isComplete) throwFailure(transport, signal);
      return answer.finish();
    } catch (thrown) {
      // Nothing that follows makes a whole answer worse.
      if (answer.isComplete && !guard.hasEnded) return answer.finish();
      const { failure } = transport;
      const reason = signal.aborted && !(failure instanceof StatusError) ? signal.reason : (failure ?? causeOf(thrown, toError));
      throw toModelError(reason, context);
    }
  }

  private connect(): HttpPost {
    this.http ??= createHttpPost({ endpoint: { url: this.url, headers: {} }, connectMs: this.limits.connectMs });
    return this.http;
  }

  private createAnswer(request: LlmRequest, sink: LlmSink, guard: CallGuard): NativeAnswer {
    return new NativeAnswer({
      sink,
      limits: this.limits,
      server: this.serverName,
      model: this.modelOf(request),
      createCallId: this.options.createCallId ?? randomCallId,
      onProgress: () => guard.touch(),
      onEnd: () => guard.startPhase('idle', this.limits.trailerMs),
    });
  }

  private modelOf({ model = this.options.model }: LlmRequest): string {
    return model;
  }

  private errorContext({ tools }: LlmRequest): ErrorContext {
    return { apiKey: this.options.apiKey, now: (this.options.now ?? Date.now)(), maxRetryAfterMs: this.limits.maxRetryAfterMs, tools };
  }
}

function throwFailure({ failure }: SdkFetch, signal: AbortSignal): void {
  if (failure !== undefined) throw failure;
  signal.throwIfAborted();
}

function firstTime(act: () => void): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) act();
    isFirst = false;
  };
}
