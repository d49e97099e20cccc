/**
 * Marks the places up to which Anthropic keeps a request in its cache: behind the tools, the stable part of the prompt, the summary, and the newest
 * message. At most four are allowed (platform.claude.com, "Prompt caching").
 */
import type Anthropic from '@anthropic-ai/sdk';
import { type ChatMessage, isSummaryMessage, type PromptPart, promptPartsOf, type WireTool } from '../../port/llm';
import type { ConvertedMessages, SentMessage } from './anthropic_messages';

const MARK = { cache_control: { type: 'ephemeral' } } as const;

const sentTools = new WeakMap<readonly WireTool[], Anthropic.Tool[]>();

/** Returns the tools; the last one is marked. The same list gives the same result. */
export function toAnthropicTools(tools: readonly WireTool[]): Anthropic.Tool[] {
  const known = sentTools.get(tools);
  if (known) return known;
  const sent = tools.map(({ function: { name, description, parameters } }, i): Anthropic.Tool => {
    const schema = { ...parameters, type: 'object' as const };
    return { name, description, input_schema: schema, ...(i === tools.length - 1 && MARK) };
  });
  sentTools.set(tools, sent);
  return sent;
}

/** Returns the prompt in two blocks: the part that all sessions of an agent share, which is marked, and the rest. */
export function toAnthropicSystem(messages: readonly ChatMessage[]): Anthropic.TextBlockParam[] {
  const [stable, ...others] = messages.flatMap(
    (message): readonly PromptPart[] => promptPartsOf(message) ?? [{ text: message.content ?? '' }],
  );
  const texts = [stable?.text ?? '', others.map(({ text }) => text).join('')];
  return texts.flatMap((text, i) =>
    text.trim() === '' ? [] : [{ type: 'text' as const, text: text.toWellFormed(), ...(i === 0 && MARK) }],
  );
}

/**
 * Marks the end of the conversation, and the summary in its front; without a summary the end of the request before, so that a step with many results
 * finds it again.
 */
export function markConversation(history: readonly ChatMessage[], { messages, places }: ConvertedMessages): void {
  const summary = history.findIndex(isSummaryMessage);
  const newestAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const earlier = summary >= 0 ? places[summary] : newestAnswer - 1;
  for (const place of new Set([earlier, messages.length - 1])) markLast(messages[place ?? -1]);
}

function markLast(message: SentMessage | undefined): void {
  const place = message?.content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking') ?? -1;
  const block = message?.content[place];
  // A cast: all blocks but those of thoughts take the mark.
  if (message && block) message.content[place] = { ...block, ...MARK } as Anthropic.ContentBlockParam;
}
