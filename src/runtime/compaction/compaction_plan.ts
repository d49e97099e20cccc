/** Decides which messages a summary replaces. Pure. */
import type { ChatMessage } from '../../port/llm';

export interface PlanRequest {
  history: readonly ChatMessage[];
  /** Messages before this index are summarised already. */
  from: number;
  /** Index of the message that began the run. */
  turnStart: number;
  tokensOf: (message: ChatMessage) => number;
  /** Limit of the turns that stay; the running turn may have more, up to `maxTurnTokens`. */
  keep: { tokens: number; messages: number };
  maxTurnTokens: number;
}

/**
 * Returns the index of the first message that stays, or undefined when no message can be replaced. The last turns stay whole, at least the running
 * one; when that turn alone is too long, its last steps stay. A step is an answer with all its results, so calls and results are never separated.
 * O(n).
 */
export function planCompaction(request: PlanRequest): number | undefined {
  const { history, from, turnStart, keep, maxTurnTokens } = request;
  const sizes = sizesToEnd(request);
  const fits = (index: number) => sizeAt(sizes, index - from) <= keep.tokens && history.length - index <= keep.messages;
  const turns = indicesOf(request, index => index > from && index <= turnStart && isTurnStart(history, index));
  const firstTurn = turns.find(fits) ?? (turnStart > from ? turnStart : undefined);
  const isTurnTooLong = sizeAt(sizes, Math.max(0, turnStart - from)) > maxTurnTokens;
  if (!isTurnTooLong) return firstTurn;
  const steps = indicesOf(request, index => index > Math.max(from, turnStart) && history[index]?.role !== 'tool');
  return steps.find(fits) ?? steps.at(-1) ?? firstTurn;
}

/** Tokens from each index to the end, beginning with `from`. */
function sizesToEnd({ history, from, tokensOf }: PlanRequest): number[] {
  const sizes: number[] = [];
  let sum = 0;
  for (let i = history.length - 1; i >= from; i--) {
    sum += tokensOf(history[i] as ChatMessage);
    sizes.push(sum);
  }
  return sizes.reverse();
}

const sizeAt = (sizes: readonly number[], index: number): number => sizes[index] ?? 0;

function indicesOf({ history, from }: PlanRequest, accepts: (index: number) => boolean): number[] {
  const found: number[] = [];
  for (let i = from; i < history.length; i++) if (accepts(i)) found.push(i);
  return found;
}

/** Returns true when a person's message begins a turn. A message that was sent into a turn follows the results of calls. */
function isTurnStart(history: readonly ChatMessage[], index: number): boolean {
  if (history[index]?.role !== 'user') return false;
  const before = history[index - 1];
  return before?.role !== 'tool';
}
