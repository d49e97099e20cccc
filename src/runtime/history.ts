/**
 * Checks and repairs histories in wire format. A valid history has exactly one result after each tool call, in the order of the calls, no
 * result without a call, and no empty assistant message.
 */
import type { AssistantMessage, ChatMessage, ToolMessage, WireToolCall } from '../port/llm';
import type { ToolLocale } from '../tools/common';
import type { Bilingual } from '../utils/bilingual';
import { foldGrowing } from './fold_growing';

/** Replaces a result that was never stored. */
const OUTCOME_UNKNOWN: Bilingual = {
  en: 'The outcome of this call is unknown: it was interrupted. Check the state before you repeat it.',
  'zh-CN': '这次调用的结果未知：它被中断了。再次调用之前，请先检查状态。',
};

/** Returns the result for a call that was interrupted, in the language of the run. */
export const outcomeUnknown = (locale: ToolLocale): string => OUTCOME_UNKNOWN[locale];

/** `open`: calls whose results must come next, from `next` on. `problem`: the first one. */
interface Checked {
  open: readonly WireToolCall[];
  next: number;
  problem: string | undefined;
}

const checkGrowing = foldGrowing<ChatMessage, Checked>(() => ({ open: [], next: 0, problem: undefined }), checkMessage);

/**
 * Returns why a model server would refuse the history, or undefined when it is valid: a call without its result, results out of order, a
 * result without a call, an empty assistant message. O(n); O(1) for each message that a checked list grows by.
 */
export function historyProblem(messages: readonly ChatMessage[]): string | undefined {
  const { open, next, problem } = checkGrowing(messages);
  return problem ?? missingResult(open[next]);
}

const missingResult = (call: WireToolCall | undefined): string | undefined => call && `the call ${call.id} has no result`;

function checkMessage(state: Checked, message: ChatMessage): void {
  if (state.problem !== undefined) return;
  const expected = state.open[state.next];
  if (message.role === 'tool') {
    if (message.tool_call_id !== expected?.id) state.problem = `the result of ${message.tool_call_id} stands where it does not belong`;
    state.next += 1;
    return;
  }
  state.problem = missingResult(expected);
  state.open = (message.role === 'assistant' && message.tool_calls) || [];
  state.next = 0;
  if (message.role === 'assistant' && state.open.length === 0 && !message.content) state.problem ??= 'an assistant message says nothing';
}

/**
 * Makes a history valid: puts results in the order of their calls, replaces missing ones by `outcomeUnknown`, and drops results without a call,
 * repeated results and empty assistant messages. `locale`: the language of the run. With `keepOpen`, results of the last attempt may be missing,
 * because these are still to come. Reuses the message objects. O(n).
 */
export function repairHistory(
  messages: readonly ChatMessage[],
  { locale = 'en', keepOpen = false }: { locale?: ToolLocale; keepOpen?: boolean } = {},
): ChatMessage[] {
  const repaired: ChatMessage[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant') {
      repaired.push(message);
    } else if (message.tool_calls?.length) {
      const found = resultsAfter(messages, i);
      const isOpen = keepOpen && i + found.count === messages.length - 1;
      repaired.push(message, ...resultsOf(message, found.byCall, isOpen ? undefined : outcomeUnknown(locale)));
    } else if (message.content) {
      repaired.push(message);
    }
  }
  return repaired;
}

/** Collects the tool messages that follow the message at `index`; the first of a repeated id counts. */
function resultsAfter(messages: readonly ChatMessage[], index: number): { byCall: Map<string, ToolMessage>; count: number } {
  const byCall = new Map<string, ToolMessage>();
  let count = 0;
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i] as ChatMessage;
    if (message.role !== 'tool') break;
    count += 1;
    if (!byCall.has(message.tool_call_id)) byCall.set(message.tool_call_id, message);
  }
  return { byCall, count };
}

/** `missing`: stands in for a result that is not there; undefined leaves the result out. */
function resultsOf(assistant: AssistantMessage, byCall: ReadonlyMap<string, ToolMessage>, missing: string | undefined): ToolMessage[] {
  const calls = assistant.tool_calls ?? [];
  return calls.flatMap((call): ToolMessage[] => {
    const result = byCall.get(call.id);
    if (result) return [result];
    return missing === undefined ? [] : [{ role: 'tool', tool_call_id: call.id, content: missing }];
  });
}

/**
 * Keeps the last messages, at most `limit`, starting with a user message so that turns stay whole. Keeps the current turn even when it exceeds
 * the limit.
 */
export function trimHistory(messages: readonly ChatMessage[], limit: number): readonly ChatMessage[] {
  if (messages.length <= limit) return messages;
  let start = -1;
  for (let i = messages.length - 1; i >= 0; i--) {
    if (messages[i]?.role !== 'user') continue;
    if (start !== -1 && messages.length - i > limit) break;
    start = i;
  }
  return start <= 0 ? messages : messages.slice(start);
}
