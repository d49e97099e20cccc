/**
 * The order of an answer's parts, with the data that its server wants back: thoughts with signatures, ids of items. The history has one text and a list
 * of calls, so the order is kept in `serverData`, and read from there when the message goes back to the same server.
 */
import {
  type AssistantMessage,
  type ChatMessage,
  type ServerData,
  type ToolMessage,
  UNNAMED_CALL,
  type WireToolCall,
} from '../../port/llm';
import { CallIds } from '../openai/call_ids';

type Fields = Readonly<Record<string, unknown>>;

/** A part of an answer. `own`: a part that only its server reads, as it came. `fields`: further fields of a text or a call. */
export type AnswerBlock = { own: Fields } | { text: string; fields?: Fields } | { call: WireToolCall; fields?: Fields };

/** A block as it is stored: texts by their place in the message, calls by their number. */
export type StoredBlock = { own: Fields } | { text: [from: number, to: number]; fields?: Fields } | { call: number; fields?: Fields };

interface StoredLayout {
  /** The model that wrote the blocks. */
  model: string;
  /** UTF-16 code units of the text when it was stored. */
  units: number;
  blocks: StoredBlock[];
}

/** Returns the fields of `serverData` for these blocks; undefined when text and calls alone say the same. */
export function layoutFields(layout: StoredLayout): Map<string, unknown> | undefined {
  const isPlain = layout.blocks.every(block => !('own' in block) && !block.fields);
  return isPlain ? undefined : new Map(Object.entries(layout));
}

export interface ReadBlocks {
  blocks: AnswerBlock[];
  /** The model that wrote the blocks; undefined when another server did, so that the blocks are text and calls alone. */
  model?: string;
}

/** Returns the parts of an answer in order, as `server` gets them. Thoughts of other servers are left out. */
export function blocksOf(message: AssistantMessage, server: string): ReadBlocks {
  const data = message.serverData?.server === server ? message.serverData : undefined;
  const layout = readLayout(data);
  if (!layout) return { blocks: plainBlocks(message) };
  const { content, tool_calls: calls = [] } = message;
  const text = content ?? '';
  const storedCalls = layout.blocks.filter(block => 'call' in block).length;
  const isUnchanged = text.length === layout.units && calls.length === storedCalls;
  // The text or the calls became others, such as calls that the model wrote as text: the private parts stay in front.
  if (!isUnchanged) return { model: layout.model, blocks: [...layout.blocks.filter(block => 'own' in block), ...plainBlocks(message)] };
  const blocks = layout.blocks.flatMap((block): AnswerBlock[] => {
    if ('own' in block) return [block];
    if ('text' in block) return [{ text: text.slice(...block.text), fields: block.fields }];
    const call = calls[block.call];
    return call ? [{ call, fields: block.fields }] : [];
  });
  return { model: layout.model, blocks };
}

const plainBlocks = ({ content, tool_calls: calls = [] }: AssistantMessage): AnswerBlock[] => [
  ...(content ? [{ text: content }] : []),
  ...calls.map(call => ({ call })),
];

/** A cast: this file writes the fields of its servers. */
const readLayout = (data: ServerData | undefined): StoredLayout | undefined =>
  data?.fields && Array.isArray(data.fields['blocks']) ? (data.fields as unknown as StoredLayout) : undefined;

/** Returns the arguments of a call as an object; an empty one for a text that is none. */
export function argumentsOf({ function: { arguments: text } }: WireToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * The ids of the calls of one request, in the order of its messages: the server's own, otherwise those of the history. An id that the server does not
 * take, or that an earlier call of the request has, becomes another, the same in each request.
 */
export class SentCallIds {
  private readonly ids = new CallIds([]);
  private readonly taken = new Set<string>();
  private readonly newest = new Map<string, { id: string; name: string }>();

  /** `takes`: matches the ids that the server takes. */
  constructor(
    private readonly server: string,
    private readonly takes: RegExp,
  ) {}

  /** Notes the calls of a message and returns their ids. */
  idsOf({ tool_calls: calls = [], serverData }: AssistantMessage): string[] {
    const data = serverData?.server === this.server ? serverData.calls : undefined;
    return calls.map((call, i) => {
      const id = this.unique(data?.[i]?.id ?? call.id);
      this.newest.set(call.id, { id, name: call.function.name });
      return id;
    });
  }

  /** Returns the id and the name of the call that a result belongs to. */
  callOf({ tool_call_id: id }: ToolMessage): { id: string; name: string } {
    return this.newest.get(id) ?? { id: this.takes.test(id) ? id : this.ids.shortIdOf(id), name: UNNAMED_CALL };
  }

  private unique(wanted: string): string {
    let id = this.takes.test(wanted) ? wanted : this.ids.shortIdOf(wanted);
    for (let i = 1; this.taken.has(id); i++) id = this.ids.shortIdOf(`${wanted} ${i}`);
    this.taken.add(id);
    return id;
  }
}

/** Returns the text of the system messages in front of the conversation, and the messages behind them. */
export function splitSystem(messages: readonly ChatMessage[]): { system: ChatMessage[]; conversation: ChatMessage[] } {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const count = first < 0 ? messages.length : first;
  return { system: messages.slice(0, count), conversation: messages.slice(count) };
}
