/** OpenAI's Responses API: developers.openai.com, "Streaming API responses", "Create a model response" and "Error codes". */
import type { OpenAI } from 'openai';
import { createNativeModel } from '../../../src/adapter/native/native_model';
import { responsesApi } from '../../../src/adapter/responses/responses_api';
import { type ModelWire, toEvent, type WireAnswer, type WireFailure, type WireMessage, type WirePart, type WireUsage } from './model_wire';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;
type InputItem = OpenAI.Responses.ResponseInputItem;
/** Events of an item before they get their place in the stream. */
type Unplaced<T> = T extends unknown ? Omit<T, 'sequence_number' | 'output_index'> & { output_index?: number } : never;
export type ItemEvent = Unplaced<Event>;

const MODEL = 'gpt-5';

const responseOf = (fields: Partial<Response>): Response => ({
  id: 'resp_01',
  object: 'response',
  created_at: 1_796_000_000,
  model: MODEL,
  status: 'in_progress',
  access_programs: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  output: [],
  output_text: '',
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  ...fields,
});

const usageOf = ({ fresh, cached, written, output, thinking }: WireUsage): OpenAI.Responses.ResponseUsage => ({
  input_tokens: fresh + cached + written,
  input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: thinking },
  total_tokens: fresh + cached + written + output,
});

/** Returns the events of one item, and the item as it ends. */
function itemEvents(part: WirePart, index: number): { events: ItemEvent[]; item: Item } {
  if ('text' in part) return messageEvents(`msg_${index}`, part.text);
  if ('thought' in part) return reasoningEvents(`rs_${index}`, part.thought, part.proof);
  if ('hidden' in part) return reasoningEvents(`rs_${index}`, [], part.hidden);
  const { id: call_id, name, args } = part.call;
  const begun = { type: 'function_call', id: `fc_${index}`, call_id, name, arguments: '', status: 'in_progress' } as const satisfies Item;
  const item: Item = { ...begun, arguments: args.join(''), status: 'completed' };
  const item_id = begun.id;
  const deltas = args.map((delta): ItemEvent => ({ type: 'response.function_call_arguments.delta', item_id, delta }));
  return {
    item,
    events: [
      { type: 'response.output_item.added', item: begun },
      ...deltas,
      { type: 'response.function_call_arguments.done', item_id, arguments: item.arguments },
      { type: 'response.output_item.done', item },
    ],
  };
}

function messageEvents(id: string, pieces: string[]): { events: ItemEvent[]; item: Item } {
  const text = pieces.join('');
  const part = { type: 'output_text', text: '', annotations: [] } as const;
  const item: Item = { type: 'message', id, role: 'assistant', status: 'completed', content: [{ ...part, annotations: [], text }] };
  const at = { item_id: id, content_index: 0 };
  return {
    item,
    events: [
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...at, part: { ...part, annotations: [] } },
      ...pieces.map((delta): ItemEvent => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part: { ...part, annotations: [], text } },
      { type: 'response.output_item.done', item },
    ],
  };
}

function reasoningEvents(id: string, pieces: string[], sealed: string): { events: ItemEvent[]; item: Item } {
  const text = pieces.join('');
  const item: Item = { type: 'reasoning', id, encrypted_content: sealed, summary: text ? [{ type: 'summary_text', text }] : [] };
  const at = { item_id: id, summary_index: 0 };
  const summary: ItemEvent[] = [
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    ...pieces.map((delta): ItemEvent => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } },
  ];
  return {
    item,
    events: [
      { type: 'response.output_item.added', item: { ...item, summary: [], encrypted_content: 'half' } },
      ...(text ? summary : []),
      { type: 'response.output_item.done', item },
    ],
  };
}

const place = (events: ItemEvent[], output_index: number): ItemEvent[] => events.map(event => ({ ...event, output_index }));

/** Numbers the events of a stream, and encodes them. `items`: the events of each item. */
export function encodeResponse(items: readonly ItemEvent[][], end: ItemEvent): string[] {
  const begin: ItemEvent[] = [
    { type: 'response.created', response: responseOf({}) },
    { type: 'response.in_progress', response: responseOf({}) },
  ];
  return [...begin, ...items.flatMap(place), end].map((event, sequence_number) => toEvent({ ...event, sequence_number }, event.type));
}

/** The last event of an answer. */
export const endOf = (fields: Partial<Response>): ItemEvent => {
  const { status = 'completed' } = fields;
  if (status !== 'completed' && status !== 'incomplete' && status !== 'failed') throw new Error(`${status} ends no answer.`);
  return { type: `response.${status}`, response: responseOf({ ...fields, status }) } as ItemEvent;
};

const NO_USAGE: WireUsage = { fresh: 10, cached: 0, written: 0, output: 5, thinking: 0 };
const REASONS = { length: 'max_output_tokens', filter: 'content_filter' } as const;

function encode({ parts, usage = NO_USAGE, end }: WireAnswer): string[] {
  const items = parts.map(itemEvents);
  const output = items.map(({ item }) => item);
  // A cast: the words of the vendor.
  const common = { output, usage: usageOf(usage), service_tier: usage.tier as Response['service_tier'] };
  const last = end ? endOf({ ...common, status: 'incomplete', incomplete_details: { reason: REASONS[end] } }) : endOf(common);
  return encodeResponse(
    items.map(({ events }) => events),
    last,
  );
}

type SentError = { message: string; type: string; code: string | null; param: string | null };
const TOO_LONG = "This model's maximum context length is 200000 tokens. However, your messages resulted in 213462 tokens.";
const FAILURES: Record<WireFailure, [status: number, error: SentError]> = {
  key: [401, { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key', param: null }],
  rate: [429, { message: 'Rate limit reached for gpt-5', type: 'tokens', code: 'rate_limit_exceeded', param: null }],
  overloaded: [503, { message: 'The server is currently overloaded', type: 'server_error', code: null, param: null }],
  too_long: [400, { message: TOO_LONG, type: 'invalid_request_error', code: 'context_length_exceeded', param: 'input' }],
  bad_tool: [
    400,
    {
      message: "Invalid schema for function 'second': schema must be a JSON Schema of 'type: \"object\"'",
      type: 'invalid_request_error',
      code: 'invalid_function_parameters',
      param: 'tools[1].parameters',
    },
  ],
  server: [500, { message: 'The server had an error', type: 'server_error', code: 'server_error', param: null }],
};

const overloaded = {
  type: 'error',
  code: 'server_is_overloaded',
  message: 'Our servers are currently overloaded. Please try again later.',
  param: null,
  sequence_number: 3,
} satisfies OpenAI.Responses.ResponseErrorEvent;

type Part = OpenAI.Responses.ResponseInputContent | OpenAI.Responses.ResponseOutputText | OpenAI.Responses.ResponseOutputRefusal;

function partOf(part: Part): string {
  if (part.type === 'input_text' || part.type === 'output_text') return part.text;
  if (part.type === 'input_image') return (part.image_url ?? '').replace(/^data:([^;]+);base64,/, 'image:$1:');
  if (part.type === 'input_file') return `file:${part.filename}:${part.file_data?.replace(/^data:application\/pdf;base64,/, '')}`;
  throw new Error(`The request has a part of the type ${part.type}.`);
}

const contentOf = (content: string | readonly Part[]): string[] => (typeof content === 'string' ? [content] : content.map(partOf));

/** Reasoning needs the item behind it, as the server demands. */
function messageOf(item: InputItem, next: InputItem | undefined): WireMessage {
  switch (item.type) {
    case 'message':
      return { role: item.role as 'user' | 'assistant', parts: contentOf(item.content as string | Part[]) };
    case 'function_call':
      return { role: 'assistant', parts: [`call:${item.call_id}:${item.name}:${item.arguments}`] };
    case 'function_call_output':
      return { role: 'user', parts: [`result:${item.call_id}:${contentOf(item.output as string | Part[]).join('+')}`] };
    case 'reasoning': {
      const isFollowed =
        next?.type === 'reasoning' || next?.type === 'function_call' || (next?.type === 'message' && next.role === 'assistant');
      if (!isFollowed) throw new Error(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`);
      const [summary] = item.summary;
      return {
        role: 'assistant',
        parts: [summary ? `thought:${summary.text}:${item.encrypted_content}` : `hidden:${item.encrypted_content}`],
      };
    }
    default:
      throw new Error(`The request has an item of the type ${item.type}.`);
  }
}

export const responsesWire: ModelWire = {
  name: 'responses',
  provider: 'openai',
  model: MODEL,
  has: { thoughts: true, hidden: true, cacheWrites: true, schema: true },
  open: (baseUrl, { model = MODEL, ...options }) => createNativeModel(responsesApi, { ...options, baseUrl, model }),
  encode,
  endEvents: 1,
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","del\n\n',
  errorEvent: toEvent(overloaded, 'error'),
  refuse: failure => ({ status: FAILURES[failure][0], body: { error: FAILURES[failure][1] } }),
  badRequest: message => ({ status: 400, body: { error: { message, type: 'invalid_request_error', code: null, param: null } } }),
  read(sent, headers, path) {
    // A cast: what the server does not know is an error below.
    const body = sent as unknown as OpenAI.Responses.ResponseCreateParamsStreaming;
    if (!path.endsWith('/responses')) throw new Error(`The server has no ${path}.`);
    if (body.store !== false) throw new Error('The request lets the server store the answer.');
    const { instructions, input = [], tools = [], text } = body;
    const items = typeof input === 'string' ? [] : input;
    return {
      path,
      key: headers.authorization?.replace('Bearer ', ''),
      model: body.model ?? '',
      system: instructions ?? '',
      messages: items.map((item, i) => messageOf(item, items[i + 1])),
      tools: tools.flatMap(tool => (tool.type === 'function' ? [tool.name] : [])),
      parallel: body.parallel_tool_calls ?? undefined,
      thinks: Boolean(body.reasoning),
      schema: text?.format?.type === 'json_schema' ? text.format.schema : undefined,
    };
  },
  count: { path: /\/responses\/input_tokens$/, answer: input_tokens => ({ object: 'response.input_tokens', input_tokens }) },
  list: names => ({ object: 'list', data: names.map(id => ({ id, object: 'model', created: 1, owned_by: 'openai' })) }),
};
