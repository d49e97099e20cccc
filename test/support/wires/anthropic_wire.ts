/** Anthropic's Messages API: platform.claude.com, "Streaming Messages", "Errors" and "Create a Message". */
import type Anthropic from '@anthropic-ai/sdk';
import { anthropicApi } from '../../../src/adapter/anthropic/anthropic_api';
import { createNativeModel } from '../../../src/adapter/native/native_model';
import { type ModelWire, toEvent, type WireAnswer, type WireFailure, type WireMessage, type WirePart, type WireUsage } from './model_wire';

type Event = Anthropic.RawMessageStreamEvent;

const send = (event: Event): string => toEvent(event, event.type);
const PING = toEvent({ type: 'ping' }, 'ping');

const usageOf = ({ fresh, cached, written, tier = 'standard' }: WireUsage) =>
  ({
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: null,
    inference_geo: null,
    server_tool_use: null,
    // A cast: the words of the vendor.
    service_tier: tier as Anthropic.Usage['service_tier'],
    speed: null,
  }) satisfies Anthropic.Usage;

const start = (usage: WireUsage): string =>
  send({
    type: 'message_start',
    message: {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_details: null,
      stop_sequence: null,
      usage: usageOf(usage),
    },
  });

function block(part: WirePart, index: number): string[] {
  const begin = (content_block: Anthropic.ContentBlock) => send({ type: 'content_block_start', index, content_block });
  const add = (delta: Anthropic.RawContentBlockDelta) => send({ type: 'content_block_delta', index, delta });
  const stop = send({ type: 'content_block_stop', index });
  if ('text' in part)
    return [begin({ type: 'text', text: '', citations: null }), PING, ...part.text.map(text => add({ type: 'text_delta', text })), stop];
  if ('thought' in part)
    return [
      begin({ type: 'thinking', thinking: '', signature: '' }),
      ...part.thought.map(thinking => add({ type: 'thinking_delta', thinking })),
      add({ type: 'signature_delta', signature: part.proof }),
      stop,
    ];
  if ('hidden' in part) return [begin({ type: 'redacted_thinking', data: part.hidden }), stop];
  const { id, name, args } = part.call;
  return [
    begin({ type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } } as Anthropic.ToolUseBlock),
    add({ type: 'input_json_delta', partial_json: '' }),
    ...args.map(partial_json => add({ type: 'input_json_delta', partial_json })),
    stop,
  ];
}

const NO_USAGE: WireUsage = { fresh: 10, cached: 0, written: 0, output: 5, thinking: 0 };

function encode({ parts, usage = NO_USAGE, end }: WireAnswer): string[] {
  const usual = parts.some(part => 'call' in part) ? 'tool_use' : 'end_turn';
  const reason = end === 'length' ? 'max_tokens' : end === 'filter' ? 'refusal' : usual;
  const delta = {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, stop_details: null, container: null },
    usage: {
      input_tokens: usage.fresh,
      cache_read_input_tokens: usage.cached,
      cache_creation_input_tokens: usage.written,
      output_tokens: usage.output,
      output_tokens_details: { thinking_tokens: usage.thinking },
      server_tool_use: null,
    },
  } satisfies Anthropic.RawMessageDeltaEvent;
  return [start(usage), ...parts.flatMap(block), send(delta), send({ type: 'message_stop' })];
}

const FAILURES: Record<WireFailure, [status: number, type: string, message: string]> = {
  key: [401, 'authentication_error', 'invalid x-api-key'],
  rate: [429, 'rate_limit_error', 'This request would exceed your organization’s rate limit of 50,000 input tokens per minute.'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  too_long: [400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'],
  bad_tool: [400, 'invalid_request_error', 'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12'],
  server: [500, 'api_error', 'Internal server error'],
};

const errorOf = (failure: WireFailure) => {
  const [, type, message] = FAILURES[failure];
  return { type: 'error', error: { type, message }, request_id: 'req_01' };
};

function partOf(content: Anthropic.ContentBlockParam): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
      return content.source.type === 'base64' ? `image:${content.source.media_type}:${content.source.data}` : 'image';
    case 'document':
      return content.source.type === 'base64' ? `file:${content.title}:${content.source.data}` : 'file';
    case 'thinking':
      return `thought:${content.thinking}:${content.signature}`;
    case 'redacted_thinking':
      return `hidden:${content.data}`;
    case 'tool_use':
      return `call:${content.id}:${content.name}:${JSON.stringify(content.input)}`;
    case 'tool_result': {
      const inner = content.content ?? '';
      // A cast: the tests send texts and images alone.
      const parts = typeof inner === 'string' ? [inner] : inner.map(part => partOf(part as Anthropic.ContentBlockParam));
      return `result:${content.tool_use_id}:${parts.join('+')}`;
    }
    default:
      throw new Error(`The request has a part of the type ${content.type}.`);
  }
}

const partsOf = ({ content }: Anthropic.MessageParam): string[] => (typeof content === 'string' ? [content] : content.map(partOf));

export const anthropicWire: ModelWire = {
  name: 'anthropic',
  provider: 'anthropic',
  model: 'claude-opus-4-5',
  has: { thoughts: true, hidden: true, cacheWrites: true, schema: true },
  open: (baseUrl, { model = 'claude-opus-4-5', ...options }) => createNativeModel(anthropicApi, { ...options, baseUrl, model }),
  encode,
  endEvents: 2,
  malformed: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n',
  errorEvent: toEvent(errorOf('overloaded'), 'error'),
  refuse: failure => ({ status: FAILURES[failure][0], body: errorOf(failure) }),
  badRequest: message => ({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_01' },
  }),
  read(sent, headers, path) {
    // A cast: what the server does not know is an error below.
    const body = sent as unknown as Anthropic.MessageCreateParamsStreaming;
    if (headers['anthropic-version'] !== '2023-06-01') throw new Error('The header anthropic-version is missing.');
    const { system = [], messages, tools = [], tool_choice: choice } = body;
    return {
      path,
      key: headers['x-api-key'] as string | undefined,
      model: body.model,
      system: typeof system === 'string' ? system : system.map(({ text }) => text).join(''),
      messages: messages.map((message): WireMessage => ({ role: message.role as 'user', parts: partsOf(message) })),
      tools: tools.flatMap(tool => ('name' in tool && typeof tool.name === 'string' ? [tool.name] : [])),
      parallel: choice && 'disable_parallel_tool_use' in choice ? !choice.disable_parallel_tool_use : undefined,
      thinks: body.thinking !== undefined,
      schema: body.output_config?.format?.schema,
    };
  },
  count: { path: /\/v1\/messages\/count_tokens$/, answer: input_tokens => ({ input_tokens }) },
  list: names => ({
    data: names.map(id => ({ id, type: 'model', display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
  }),
};
