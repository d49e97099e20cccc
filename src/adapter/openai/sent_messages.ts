/**
 * Writes messages in the form that one server takes: with the fields that it sent, without fields of other servers, and with call ids of its form.
 * Returns the same objects for the same messages, because their bytes are cached by object.
 */
import { type Dialect, type DialectChoice, dialectOf, SIGNATURES, THOUGHT_FIELDS } from '../../port/dialects';
import type { AssistantMessage, ChatMessage, ServerData, ToolMessage, WireToolCall } from '../../port/llm';
import { CallIds } from './call_ids';
import { isWanted } from './kept_fields';
import { type LeftOutFields, NOTHING_LEFT_OUT } from './private_fields';

interface Sent {
  message: AssistantMessage;
  /** The facts that the sent message depends on, beside the message of the history. */
  withThoughts: boolean;
  ids: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the name under which data of the server is stored with messages. */
export const serverNameOf = ({ host, pathname }: URL): string => `${host}${pathname.replace(/\/+$/, '')}`;

export class SentMessages {
  readonly dialect: Dialect;
  private readonly substitute: Dialect['substitute'];
  private sent = new WeakMap<AssistantMessage, Sent>();
  private refused = NOTHING_LEFT_OUT;
  private readonly sentResults = new WeakMap<ToolMessage, ToolMessage>();

  constructor(
    private readonly server: string,
    choice: DialectChoice,
  ) {
    this.dialect = dialectOf(choice);
    const { substitute } = this.dialect;
    this.substitute = substitute?.exceptModels?.test(choice.model) ? undefined : substitute;
  }

  get leftOut(): LeftOutFields {
    return this.refused;
  }

  /** The server refuses these fields. */
  leaveOut(fields: LeftOutFields): void {
    this.refused = fields;
    this.sent = new WeakMap();
  }

  toSent(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    if (messages.every(message => message.role !== 'assistant' || this.isPlain(message))) return messages;
    const ids = new CallIds(messages.flatMap(message => this.keptIdsOf(message)));
    const sentIds = new Map<string, string>();
    let hasCalls = false;
    return messages.map(message => {
      if (message.role === 'user') hasCalls = false;
      if (message.role === 'tool') return this.toSentResult(message, sentIds.get(message.tool_call_id));
      if (message.role !== 'assistant') return message;
      hasCalls ||= message.tool_calls !== undefined;
      const callIds = (message.tool_calls ?? []).map((call, i) => this.keptIdOf(message, call, i) ?? ids.shortIdOf(call.id));
      message.tool_calls?.forEach((call, i) => {
        sentIds.set(call.id, callIds[i] ?? call.id);
      });
      return this.toSentAnswer(message, { withThoughts: this.sendsThoughts(hasCalls), ids: callIds });
    });
  }

  /** Returns true for an answer that is sent as it stands in the history. */
  private isPlain({ serverData, tool_calls: calls }: AssistantMessage): boolean {
    if (serverData) return false;
    return !calls?.length || (!this.substitute && calls.every(call => this.takesId(call.id)));
  }

  private takesId(id: string): boolean {
    return this.dialect.callIds.test(id);
  }

  private keptIdsOf(message: ChatMessage): string[] {
    if (message.role !== 'assistant') return [];
    return (message.tool_calls ?? []).flatMap((call, i) => this.keptIdOf(message, call, i) ?? []);
  }

  /** Returns the id of the server's own call, or the one of the history when the server takes it. */
  private keptIdOf(message: AssistantMessage, { id }: WireToolCall, index: number): string | undefined {
    return this.dataOf(message)?.calls?.[index]?.id ?? (this.takesId(id) ? id : undefined);
  }

  private dataOf({ serverData }: AssistantMessage): ServerData | undefined {
    return serverData?.server === this.server ? serverData : undefined;
  }

  private sendsThoughts(turnHasCalls: boolean): boolean {
    const { thoughtsSentBack } = this.dialect;
    return thoughtsSentBack === 'always' || (thoughtsSentBack === 'turns_with_calls' && turnHasCalls);
  }

  private toSentResult(message: ToolMessage, id = message.tool_call_id): ToolMessage {
    if (id === message.tool_call_id) return message;
    const known = this.sentResults.get(message);
    if (known?.tool_call_id === id) return known;
    const sent = { ...message, tool_call_id: id };
    this.sentResults.set(message, sent);
    return sent;
  }

  private toSentAnswer(message: AssistantMessage, { withThoughts, ids }: Omit<Sent, 'message'>): AssistantMessage {
    if (this.isPlain(message)) return message;
    const known = this.sent.get(message);
    if (known?.withThoughts === withThoughts && ids.every((id, i) => id === known.ids[i])) return known.message;
    const sent = this.write(message, { withThoughts, ids });
    this.sent.set(message, { message: sent, withThoughts, ids });
    return sent;
  }

  private write(message: AssistantMessage, { withThoughts, ids }: Omit<Sent, 'message'>): AssistantMessage {
    const { serverData: _private, tool_calls: calls, ...rest } = message;
    const data = this.dataOf(message);
    const { wantsThinkTags } = this.dialect;
    const content = wantsThinkTags && data?.textBefore ? `${data.textBefore}${message.content ?? ''}` : message.content;
    const own = this.wantedFields(data?.fields, withThoughts);
    const written = { ...rest, content, ...own };
    if (!calls?.length) return written;
    return {
      ...this.substituteFor(own, this.substitute?.message),
      ...written,
      tool_calls: calls.map((call, i) => this.writeCall({ ...call, id: ids[i] ?? call.id }, data?.calls?.[i]?.fields, i)),
    };
  }

  private writeCall(call: WireToolCall, data: Fields | undefined, index: number): WireToolCall {
    const { callFields } = this.dialect;
    const fields = this.withoutLeftOut(data, name => name === 'function' || isWanted(name, callFields));
    const inner = this.withoutLeftOut(fields['function'] as Fields | undefined, () => true);
    const own = { ...fields, function: { ...inner, ...call.function } };
    return { ...(index === 0 && this.substituteFor(own, this.substitute?.firstCall)), ...call, ...own };
  }

  private wantedFields(fields: Fields | undefined, withThoughts: boolean): Fields {
    const { messageFields } = this.dialect;
    const isSent = (name: string) => isWanted(name, messageFields) && (withThoughts || !THOUGHT_FIELDS.includes(name));
    return this.withoutLeftOut(fields, isSent);
  }

  private withoutLeftOut(fields: Fields | undefined, isSent: (name: string) => boolean): Fields {
    return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => isSent(name) && !this.refused.own.has(name)));
  }

  private substituteFor(own: Fields, substitute: Fields | undefined): Fields | undefined {
    const isLeftOut = Object.keys(substitute ?? {}).some(name => this.refused.substitutes.has(name));
    return isLeftOut ? undefined : lacking(own, substitute);
  }
}

/** Returns the substitute when the server's own data has none of its fields. */
function lacking(own: Fields, substitute: Fields | undefined): Fields | undefined {
  const inner = own['function'] as Fields | undefined;
  const names = [...Object.keys(substitute ?? {}), ...SIGNATURES];
  return names.some(name => name in own || (inner && name in inner)) ? undefined : substitute;
}
