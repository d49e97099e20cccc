/** Counts tokens as the tokenizer of a model does, in a worker thread. */

/**
 * @example
 * import type { TokenCounter } from './token_counter';
 *
 * // Counts four characters as a token.
 * export const roughCounter: TokenCounter = {
 *   countTokens: async (_model, texts) => texts.map(text => Math.ceil(text.length / 4)),
 *   close: async () => {},
 * };
 */
export interface TokenCounter {
  /**
   * Resolves with the number of tokens of each text, in order. Tokens of an unknown model are counted with o200k. Rejects when counting fails or
   * takes too long, and with the signal's reason after an abort.
   */
  countTokens(model: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  /** Ends the thread and rejects the counts that wait. */
  close(): Promise<void>;
}
