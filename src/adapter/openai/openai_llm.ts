import { randomUUID } from 'node:crypto';
import type { DialectName } from '../../port/dialects';
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink } from '../../port/llm';
import type { ModelClient, ModelDefinition } from '../../port/model_client';
import { traceHeaders } from '../../port/traceparent';
import type { EndHabit } from './answer_end';
import type { CallGuard } from './call_guard';
import { callWithRetries } from './call_retries';
import { buildChatEndpoint, providerOf } from './chat_endpoint';
import { encodeChatRequest } from './chat_request';
import { CompletionAccumulator } from './completion_accumulator';
import { createHttpPost, type HttpPost, type PostRequest } from './http_post';
import { chatListing } from './key_headers';
import { listServerModels } from './list_models';
import { refusesStreamOptions, StatusError } from './model_errors';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from './model_limits';
import { type ErrorContext, toModelError, toStreamedError } from './model_refusals';
import { type LeftOutFields, leftOutAfter } from './private_fields';
import { probeModelServer } from './probe_model_server';
import { readCompletion } from './read_completion';
import { DEFAULT_REASONING, parameterFields, reasoningFields } from './request_fields';
import { SentMessages, serverNameOf } from './sent_messages';
import type { ThoughtHabit } from './thought_splitter';

export interface OpenAiLlmOptions {
  /** Undefined or empty for servers that need no key. Never appears in errors. */
  apiKey?: string;
  /** Base of an OpenAI-compatible API, http or https, usually ending with `/v1`. Default: OpenAI's own. */
  baseUrl?: string;
  model: string;
  /** Default: found by base URL and model. */
  dialect?: DialectName | undefined;
  /** Default: `reasoning_effort` for each level but `off`. */
  reasoning?: ModelDefinition['reasoning'];
  /** Default: `max_completion_tokens` for OpenAI, `max_tokens` for other servers. */
  maxTokensField?: ModelDefinition['maxTokensField'];
  limits?: Partial<ModelLimits>;
  /** Returns the time in milliseconds since 1970, with which Retry-After dates are compared. */
  now?: () => number;
  /** 0 to 1; adds jitter to retries. */
  random?: () => number;
  /** Creates the id of a tool call that came without a usable one: `^[A-Za-z0-9_-]{1,64}$`, never the same twice. */
  createCallId?: () => string;
}

interface Attempt {
  guard: CallGuard;
  accumulator: CompletionAccumulator;
}

/** One model of the server by the name that a request asks for, with what its answers have shown. */
interface NamedModel {
  messages: SentMessages;
  /** Thought habits by tenant: the answers of one tenant never change how those of another are read. */
  thoughtHabits: Map<string, ThoughtHabit>;
  endHabit: EndHabit;
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const MAX_OTHER_NAMES = 50;
const MAX_TENANTS = 1_000;
/** Requests in another form after a refusal. */
const MAX_REPEATS = 4;

/** Creates the client of an OpenAI-compatible chat completions API. Throws when the base URL is not an http or https URL. */
export function createOpenAiLlm(options: OpenAiLlmOptions): ModelClient {
  return new ChatCompletionsModel(options);
}

class ChatCompletionsModel implements ModelClient {
  readonly info: LlmPort['info'];
  private readonly limits: ModelLimits;
  private readonly server: string;
  private readonly ownModel: NamedModel;
  /** Keyed by the other model names that requests ask for: on the same server such a model may speak another dialect. */
  private readonly otherModels = new Map<string, NamedModel>();
  private http: Promise<HttpPost> | undefined;
  /** Set after the server refused `stream_options`. */
  private withoutStreamOptions = false;

  constructor(private readonly options: OpenAiLlmOptions) {
    const url = checkedUrl(options.baseUrl || DEFAULT_BASE_URL);
    this.limits = { ...DEFAULT_MODEL_LIMITS, ...options.limits };
    this.server = serverNameOf(url);
    this.ownModel = this.createModel(options.model);
    this.info = { provider: providerOf(url), model: options.model, demo: false };
  }

  stream(request: LlmRequest, sink: LlmSink): Promise<LlmAnswer> {
    const { limits, options } = this;
    return callWithRetries({ request, sink, limits, random: options.random }, guard => {
      const accumulator = this.createAccumulator(request, sink);
      return { answer: this.attempt(request, { guard, accumulator }), isVisible: () => accumulator.isVisible };
    });
  }

  probe(onTime?: (at: number) => void): Promise<string | undefined> {
    const { baseUrl, apiKey } = this.options;
    return probeModelServer({ ...chatListing({ baseUrl: baseUrl || DEFAULT_BASE_URL, apiKey }), onTime });
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    const { baseUrl, apiKey } = this.options;
    return listServerModels(chatListing({ baseUrl: baseUrl || DEFAULT_BASE_URL, apiKey }), signal);
  }

  close(): void {
    this.http?.then(
      http => http.close(),
      () => {},
    );
  }

  /** Prepares the calls, once. When that fails, the next call tries again. */
  private connect(): Promise<HttpPost> {
    this.http ??= this.prepare().catch(thrown => {
      this.http = undefined;
      throw thrown;
    });
    return this.http;
  }

  private async prepare(): Promise<HttpPost> {
    const { baseUrl, apiKey } = this.options;
    const endpoint = await buildChatEndpoint({ baseUrl: baseUrl || DEFAULT_BASE_URL, apiKey });
    return createHttpPost({ endpoint, connectMs: this.limits.connectMs });
  }

  private async attempt(request: LlmRequest, { guard, accumulator }: Attempt): Promise<LlmAnswer> {
    const signal = guard.startAttempt();
    try {
      const { commentsAreLife } = this.modelOf(request).messages.dialect;
      await readCompletion({ accumulator, guard, limits: this.limits, commentsAreLife }, onPiece =>
        this.send(request, { signal, onPiece }),
      );
      return accumulator.finish();
    } catch (error) {
      // Report a status error even when reading its body timed out.
      throw toModelError(signal.aborted && !(error instanceof StatusError) ? signal.reason : error, this.errorContext(request));
    }
  }

  private async send(request: LlmRequest, reading: Pick<PostRequest, 'signal' | 'onPiece'>): Promise<void> {
    const http = await this.connect();
    const headers = request.trace && { ...traceHeaders(request.trace) };
    const { messages } = this.modelOf(request);
    const before = messages.leftOut;
    for (let repeats = 0; ; repeats++) {
      const { leftOut } = messages;
      try {
        return await http.send({ body: this.encode(request), headers, ...reading });
      } catch (error) {
        if (repeats < MAX_REPEATS && this.adaptTo(error, request, leftOut)) continue;
        // A repetition that did not help is undone: fields that it left out are sent again.
        if (repeats > 0 && messages.leftOut === leftOut) messages.leaveOut(before);
        throw error;
      }
    }
  }

  /** Changes the form of requests when the server refuses a part of it. `leftOut`: the fields without which the request was sent. */
  private adaptTo(error: unknown, request: LlmRequest, leftOut: LeftOutFields): boolean {
    if (!this.withoutStreamOptions && refusesStreamOptions(error)) {
      this.withoutStreamOptions = true;
      return true;
    }
    const { messages } = this.modelOf(request);
    const next = leftOutAfter(error, leftOut, messages.toSent(request.messages));
    // Another request may have found out and left the field out already.
    if (next && messages.leftOut === leftOut) messages.leaveOut(next);
    return next !== undefined;
  }

  private encode(request: LlmRequest): Uint8Array[] {
    const { model, messages, images, tools, thinkingLevel, parameters, outputSchema } = request;
    const { reasoning = DEFAULT_REASONING, maxTokensField = this.info.provider === 'openai' ? 'max_completion_tokens' : 'max_tokens' } =
      this.options;
    const fields = {
      model: model ?? this.options.model,
      stream: true,
      tool_choice: tools.length > 0 ? 'auto' : undefined,
      ...(parameters?.parallelToolCalls !== undefined && { parallel_tool_calls: parameters.parallelToolCalls }),
      ...reasoningFields(reasoning, thinkingLevel),
      // Other servers take other forms or none: the prompt asks for the form, too.
      ...(outputSchema && this.info.provider === 'openai' && { response_format: responseFormat(outputSchema) }),
      ...(parameters && parameterFields(parameters, maxTokensField)),
      // OpenAI refuses these fields in requests without tools. Undefined fields are not in the JSON.
      ...(tools.length === 0 && { parallel_tool_calls: undefined, tool_choice: undefined }),
      ...(!this.withoutStreamOptions && { stream_options: { include_usage: true } }),
    };
    return encodeChatRequest({ fields, messages: this.modelOf(request).messages.toSent(messages), tools, images });
  }

  private modelOf({ model = this.options.model }: LlmRequest): NamedModel {
    if (model === this.options.model) return this.ownModel;
    const known = this.otherModels.get(model) ?? this.createModel(model);
    if (this.otherModels.size > MAX_OTHER_NAMES) this.otherModels.clear();
    this.otherModels.set(model, known);
    return known;
  }

  private createModel(model: string): NamedModel {
    return {
      messages: new SentMessages(this.server, { ...this.options, model }),
      thoughtHabits: new Map(),
      endHabit: { done: 'unknown', writesEarlyEnds: false },
    };
  }

  private createAccumulator(request: LlmRequest, sink: LlmSink): CompletionAccumulator {
    const { messages, thoughtHabits, endHabit } = this.modelOf(request);
    const tenantId = request.run?.tenantId ?? '';
    const thoughtHabit = thoughtHabits.get(tenantId) ?? { loneEnds: 0 };
    if (thoughtHabits.size > MAX_TENANTS) thoughtHabits.clear();
    thoughtHabits.set(tenantId, thoughtHabit);
    return new CompletionAccumulator({
      sink,
      limits: this.limits,
      server: this.server,
      dialect: messages.dialect,
      thoughtHabit,
      endHabit,
      createCallId: this.options.createCallId ?? randomCallId,
      toError: error => toStreamedError(error, this.errorContext(request)),
    });
  }

  private errorContext({ tools }: LlmRequest): ErrorContext {
    return { apiKey: this.options.apiKey, now: (this.options.now ?? Date.now)(), maxRetryAfterMs: this.limits.maxRetryAfterMs, tools };
  }
}

/** Not strict: strict schemas must name every property. */
const responseFormat = (schema: Readonly<Record<string, unknown>>) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema, strict: false },
});

export const randomCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`;

export function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`The base URL of the model is not an http or https URL: ${text}`);
  return url;
}
