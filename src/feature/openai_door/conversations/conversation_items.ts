/**
 * The messages of a session as the items of a conversation. A message makes one item, or an item for its text and one for each of its calls. The id of
 * an item names its message, so that it stays the same when other items are deleted.
 */
import type { AssistantMessage, ChatMessage, WireToolCall } from '../../../port/llm';
import type { MessageRecord } from '../../../port/store/messages';
import { fingerprintOf } from '../../../utils/fingerprint';
import { outputText } from '../items/output_text';

export interface ConversationItem extends Record<string, unknown> {
  id: string;
  type: 'message' | 'function_call' | 'function_call_output' | 'compaction';
}

/** The message that the id of an item names, and the call for an item that is a call. */
export interface ItemKey {
  messageId: string;
  /** The fingerprint of the id of the call. */
  call?: string;
}

const MESSAGE_PREFIX = 'msg_';

/**
 * Makes the items of a message, in order. Images have no URL and summaries no sealed text: toWireItem adds them. The answer of the gateway that accepts a
 * summary makes none.
 */
export function itemsOfMessage({ id, message }: Pick<MessageRecord, 'id' | 'message'>): ConversationItem[] {
  const own = id.slice(MESSAGE_PREFIX.length);
  switch (message.role) {
    case 'user': {
      if (message.summary) return [{ id: `cmp_${own}`, type: 'compaction', encrypted_content: '' }];
      const images = (message.images ?? []).map(() => ({ type: 'input_image', detail: 'auto', file_id: null, image_url: null }));
      return [messageItem(id, 'user', [{ type: 'input_text', text: message.content }, ...images])];
    }
    case 'assistant': {
      if (message.isByGateway) return [];
      const text = message.content ? [messageItem(id, 'assistant', [outputText(message.content)])] : [];
      return [...text, ...(message.tool_calls ?? []).map(call => callItem(`fc_${own}_${keyOfCall(call)}`, call))];
    }
    case 'tool':
      return [
        { id: `fco_${own}`, type: 'function_call_output', status: 'completed', call_id: message.tool_call_id, output: message.content },
      ];
    case 'system':
      return [];
  }
}

const messageItem = (id: string, role: 'user' | 'assistant', content: readonly object[]): ConversationItem => ({
  id,
  type: 'message',
  status: 'completed',
  role,
  content,
});

const callItem = (id: string, call: WireToolCall): ConversationItem => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: call.id,
  name: call.function.name,
  arguments: call.function.arguments,
});

const keyOfCall = ({ id }: Pick<WireToolCall, 'id'>): string => fingerprintOf(id).slice(0, 12);

/** Returns what an id names, undefined for a text that is no id of an item. */
export function keyOfItem(itemId: string): ItemKey | undefined {
  const [, kind, own, call] = /^(msg|fco|fc|cmp)_([A-Za-z0-9-]{1,40})(?:_([A-Za-z0-9_-]{12}))?$/.exec(itemId) ?? [];
  if (kind === undefined || (kind === 'fc') !== (call !== undefined)) return undefined;
  return { messageId: `${MESSAGE_PREFIX}${own}`, call };
}

/** Returns the message without one of its items; undefined when nothing is left of it. */
export function withoutItem(message: ChatMessage, { call: key }: ItemKey): ChatMessage | undefined {
  if (message.role !== 'assistant') return undefined;
  // What a server sent with the message belongs to the message as a whole.
  const { serverData: _server, tool_calls: calls = [], ...rest } = message;
  const kept = key === undefined ? calls : calls.filter(call => keyOfCall(call) !== key);
  const content = key === undefined ? null : rest.content;
  if (!content && kept.length === 0) return undefined;
  return { ...rest, content, ...(kept.length > 0 && { tool_calls: kept }) } satisfies AssistantMessage;
}

/** Returns the ids of the calls that have no result. `messages`: in any order. */
export function openCallsOf(messages: readonly ChatMessage[]): Set<string> {
  const results = new Set(messages.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : [])));
  const calls = messages.flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  return new Set(calls.map(({ id }) => id).filter(id => !results.has(id)));
}
