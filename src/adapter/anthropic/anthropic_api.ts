/** Anthropic's Messages API over its official client. */
import type Anthropic from '@anthropic-ai/sdk';
import type { FinishReason, Usage } from '../../port/llm';
import type { NativeAnswer } from '../native/native_answer';
import type { NativeApi, NativeCall, NativeServer } from '../native/native_model';
import { endedBy } from '../openai/model_errors';
import { toAnthropicRequest } from './anthropic_request';
import { claudeTraits } from './claude_models';

/** Lets a model that thinks for a budget think between calls of tools, too. Newer models need no header for it. */
const INTERLEAVED = 'interleaved-thinking-2025-05-14';
/** Lets the server leave out old results of tools; operators ask for it. */
const CONTEXT_EDITING = 'context-management-2025-06-27';
/** The caller limits the times of a call. */
const NO_TIMEOUT_MS = 86_400_000;
const VERSION = '2023-06-01';
const COUNTED_FIELDS = new Set(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'context_management']);

export const anthropicApi: NativeApi = {
  api: 'anthropic',
  provider: 'anthropic',
  async ask(call, answer) {
    const client = await openClient(call);
    const body = toAnthropicRequest(call);
    // `messages.create` would write warnings about old models to the console.
    const options = { body, stream: true, signal: call.signal, headers: betaHeaders(body, call.model) };
    const stream = await client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>('/v1/messages', options);
    const reader = new EventReader(answer);
    for await (const event of stream) reader.read(event);
  },
  async countTokens(call) {
    const client = await openClient(call);
    const request = toAnthropicRequest(call);
    // The route takes what the model reads, and none of the other fields.
    const body = Object.fromEntries(Object.entries(request).filter(([name]) => COUNTED_FIELDS.has(name)));
    const options = { body, signal: call.signal, headers: betaHeaders(request, call.model) };
    return (await client.post<Anthropic.MessageTokensCount>('/v1/messages/count_tokens', options)).input_tokens;
  },
  listing(server) {
    const url = new URL(`${rootOf(server)}/v1/models?limit=1000`);
    return { url, headers: { 'anthropic-version': VERSION, ...keyHeaders(server) }, apiKey: server.apiKey };
  },
};

function betaHeaders(body: Anthropic.MessageCreateParams, model: string): Record<string, string> | undefined {
  const isInterleaved = body.thinking?.type === 'enabled' && body.tools !== undefined && claudeTraits(model).thinking === 'budget';
  const names = [...(isInterleaved ? [INTERLEAVED] : []), ...('context_management' in body ? [CONTEXT_EDITING] : [])];
  return names.length > 0 ? { 'anthropic-beta': names.join(',') } : undefined;
}

/** The client loads with the first call, which takes 0.1 s. A client for each call takes 0.2 ms. */
async function openClient({ server, fetch }: NativeCall) {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    apiKey: server.apiKey ?? 'none',
    authToken: null,
    baseURL: rootOf(server),
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    defaultHeaders: { authorization: null, 'x-api-key': null, 'anthropic-version': VERSION, ...keyHeaders(server) },
  });
}

/** Some servers take the key of this API in its own header, others in the usual one. */
const keyHeaders = ({ apiKey }: NativeServer): Record<string, string> => (apiKey === undefined ? {} : { 'x-api-key': apiKey });

/** The client adds `/v1` itself; an address that has it was meant for chat completions. */
const rootOf = ({ baseUrl }: NativeServer): string => baseUrl.replace(/\/v1$/, '');

const REASONS: Readonly<Record<Anthropic.StopReason, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
  // Only tools that the server runs pause a turn, and no request offers any.
  pause_turn: 'stop',
};

type Counts = Partial<Record<'input' | 'cached' | 'written' | 'output' | 'thinking', number>> & { tier?: string };

/** Reads the events of one stream. */
class EventReader {
  private usage: Counts = {};
  private reason: string | undefined;
  /** Blocks of thoughts that grow, by their index. */
  private readonly thoughts = new Map<number, { type: 'thinking'; thinking: string; signature: string }>();

  constructor(private readonly answer: NativeAnswer) {}

  read(event: Anthropic.RawMessageStreamEvent): void {
    this.answer.noteLife();
    if (event.type === 'message_start') this.noteUsage(event.message.usage);
    else if (event.type === 'content_block_start') this.beginBlock(event.index, event.content_block);
    else if (event.type === 'content_block_delta') this.addDelta(event.index, event.delta);
    else if (event.type === 'message_delta') {
      this.reason = event.delta.stop_reason ?? this.reason;
      this.noteUsage(event.usage);
    } else if (event.type === 'message_stop') this.end();
  }

  private beginBlock(index: number, block: Anthropic.ContentBlock): void {
    const { answer } = this;
    if (block.type === 'text') {
      answer.beginText();
      answer.addText(block.text);
    } else if (block.type === 'tool_use') {
      answer.beginCall(index, { id: block.id, name: block.name });
      // Servers that do not stream arguments send them here.
      if (Object.keys(block.input ?? {}).length > 0) answer.addArguments(index, JSON.stringify(block.input));
    } else if (block.type === 'redacted_thinking') answer.keep({ type: 'redacted_thinking', data: block.data });
    else if (block.type === 'thinking') {
      const thought = { type: 'thinking' as const, thinking: block.thinking, signature: block.signature };
      this.thoughts.set(index, thought);
      answer.keep(thought);
      answer.beginThought();
      answer.addThought(block.thinking);
    }
  }

  private addDelta(index: number, delta: Anthropic.RawContentBlockDelta): void {
    const thought = this.thoughts.get(index);
    if (delta.type === 'text_delta') this.answer.addText(delta.text);
    else if (delta.type === 'input_json_delta') this.answer.addArguments(index, delta.partial_json);
    else if (delta.type === 'thinking_delta') {
      if (thought) thought.thinking += delta.thinking;
      this.answer.addThought(delta.thinking);
    } else if (delta.type === 'signature_delta' && thought) thought.signature = delta.signature;
  }

  /** Counts are those of the whole message so far. Tokens that the cache gave or took are not in `input_tokens`. */
  private noteUsage(usage: Anthropic.Usage | Anthropic.MessageDeltaUsage | null): void {
    const {
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
    } = usage ?? {};
    const thinking = usage?.output_tokens_details?.thinking_tokens;
    const known = this.usage;
    this.usage = {
      input: input ?? known.input,
      cached: cached ?? known.cached,
      written: written ?? known.written,
      output: output ?? known.output,
      thinking: thinking ?? known.thinking,
      tier: (usage && 'service_tier' in usage ? usage.service_tier : undefined) ?? known.tier,
    };
    this.answer.noteUsage(toUsage(this.usage));
  }

  private end(): void {
    const { reason = '' } = this;
    if (!Object.hasOwn(REASONS, reason)) throw endedBy(reason);
    this.answer.end(REASONS[reason as Anthropic.StopReason]);
  }
}

function toUsage({ input = 0, cached = 0, written = 0, output = 0, thinking, tier }: Counts): Usage {
  return {
    inputTokens: input + cached + written,
    outputTokens: output,
    reasoningTokens: thinking,
    cachedTokens: cached,
    cacheWriteTokens: written,
    serviceTier: tier,
  };
}
