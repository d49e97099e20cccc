/** OpenAI's chat completions: platform.openai.com, "Chat Completions". */
import type { OpenAI } from 'openai';
import { createOpenAiLlm } from '../../../src/adapter/openai/openai_llm';
import { type ModelWire, toEvent, type WireAnswer, type WireFailure, type WireMessage, type WirePart, type WireUsage } from './model_wire';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Choice = Chunk['choices'][number];
type Delta = Choice['delta'];

const chunkOf = (delta: Delta, finish_reason: Choice['finish_reason'] = null): Chunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason }],
});

const usageChunk = ({ fresh, cached, written, output, thinking, tier }: WireUsage): Chunk => {
  const input = fresh + cached + written;
  return {
    ...chunkOf({}),
    choices: [],
    // A cast: the words of the vendor.
    service_tier: tier as Chunk['service_tier'],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: thinking },
    },
  };
};

function encode({ parts, usage, end }: WireAnswer): string[] {
  let calls = 0;
  const deltas = parts.flatMap((part: WirePart): Delta[] => {
    if ('text' in part) return part.text.map(content => ({ content }));
    // A cast: the field is that of DeepSeek and many others.
    if ('thought' in part) return part.thought.map(reasoning_content => ({ reasoning_content }) as Delta);
    if (!('call' in part)) return [];
    const index = calls++;
    const { id, name, args } = part.call;
    return [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...args.map((text): Delta => ({ tool_calls: [{ index, function: { arguments: text } }] })),
    ];
  });
  const usual = calls > 0 ? 'tool_calls' : 'stop';
  const reason = end === 'length' ? 'length' : end === 'filter' ? 'content_filter' : usual;
  const chunks = [...deltas.map(delta => chunkOf(delta)), chunkOf({}, reason), ...(usage ? [usageChunk(usage)] : [])];
  return [...chunks.map(chunk => toEvent(chunk)), toEvent('[DONE]')];
}

const FAILURES: Record<WireFailure, [status: number, error: { message: string; type: string; code: string | null; param?: string }]> = {
  key: [401, { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' }],
  rate: [429, { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' }],
  overloaded: [503, { message: 'The server is currently overloaded', type: 'server_error', code: null }],
  too_long: [
    400,
    {
      message: "This model's maximum context length is 200000 tokens. However, your messages resulted in 213462 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  ],
  bad_tool: [
    400,
    {
      message: "Invalid schema for function 'second'",
      type: 'invalid_request_error',
      code: 'invalid_function_parameters',
      param: 'tools[1]',
    },
  ],
  server: [500, { message: 'The server had an error', type: 'server_error', code: null }],
};

function partsOf(message: Message): string[] {
  if (message.role === 'tool') return [`result:${message.tool_call_id}:${message.content as string}`];
  const { content } = message;
  const texts = typeof content === 'string' ? [content] : (content ?? []).map(partOf);
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    ...texts.filter(text => text !== ''),
    ...calls.flatMap(call => (call.type === 'function' ? [`call:${call.id}:${call.function.name}:${call.function.arguments}`] : [])),
  ];
}

type Part = Exclude<Exclude<Message['content'], string | null | undefined>[number], { type: 'refusal' }>;

function partOf(part: Part | { type: 'refusal'; refusal: string }): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'image_url') return part.image_url.url.replace(/^data:([^;]+);base64,/, 'image:$1:');
  if (part.type === 'file') return `file:${part.file.filename}:${part.file.file_data?.replace(/^[^,]*,/, '')}`;
  throw new Error(`The request has a part of the type ${part.type}.`);
}

export const chatWire: ModelWire = {
  name: 'chat',
  provider: 'openai-compatible',
  model: 'gpt-5',
  has: {},
  open: (baseUrl, { model = 'gpt-5', ...options }) => createOpenAiLlm({ ...options, baseUrl, model }),
  encode,
  endEvents: 2,
  malformed: 'data: {"choices":[{"delta":{"content":"hel\n\n',
  errorEvent: toEvent({ error: { message: 'Overloaded', type: 'overloaded_error', code: 'overloaded' } }),
  refuse: failure => ({ status: FAILURES[failure][0], body: { error: FAILURES[failure][1] } }),
  badRequest: message => ({ status: 400, body: { error: { message, type: 'invalid_request_error', code: null, param: null } } }),
  read(sent, headers, path) {
    // A cast: what the server does not know is an error below.
    const body = sent as unknown as OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
    const system = body.messages.filter(({ role }) => role === 'system');
    return {
      path,
      key: headers.authorization?.replace('Bearer ', ''),
      model: body.model,
      system: system.map(({ content }) => content as string).join(''),
      messages: body.messages
        .filter(({ role }) => role !== 'system')
        .map((message): WireMessage => ({ role: message.role === 'assistant' ? 'assistant' : 'user', parts: partsOf(message) })),
      tools: (body.tools ?? []).flatMap(tool => (tool.type === 'function' ? [tool.function.name] : [])),
      parallel: body.parallel_tool_calls,
      thinks: body.reasoning_effort !== undefined,
    };
  },
  list: names => ({ object: 'list', data: names.map(id => ({ id, object: 'model', created: 1, owned_by: 'openai' })) }),
};
