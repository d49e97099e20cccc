/** Request fields for thinking levels. */
import type Anthropic from '@anthropic-ai/sdk';
import type { ThinkingLevel } from '../../port/llm';
import type { ClaudeTraits } from './claude_models';

type Level = Exclude<ThinkingLevel, 'off'>;

/** Tokens, of which an answer may use the rest. */
const BUDGETS: Readonly<Record<Level, number>> = { minimal: 1_024, low: 4_096, medium: 10_240, high: 24_576 };
const EFFORTS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' } as const satisfies Record<Level, string>;
/** The API takes no smaller budget. */
const LEAST_BUDGET_TOKENS = 1_024;
/** Tokens that are left for the answer behind its thoughts, at least. */
const LEAST_ANSWER_TOKENS = 4_096;

export interface ThinkingFields {
  thinking?: Anthropic.ThinkingConfigParam;
  effort?: 'low' | 'medium' | 'high';
}

/** `maxTokens`: the limit of the answer, thoughts included. A small one leaves no budget for thoughts. */
export function thinkingFields(level: ThinkingLevel, traits: ClaudeTraits, maxTokens: number): ThinkingFields {
  if (level === 'off' || traits.thinking === 'none') return {};
  // Without `display`, newer models send their thoughts as a signature alone.
  if (traits.thinking === 'adaptive') return { thinking: { type: 'adaptive', display: 'summarized' }, effort: EFFORTS[level] };
  const budget = Math.min(BUDGETS[level], maxTokens - LEAST_ANSWER_TOKENS);
  return budget < LEAST_BUDGET_TOKENS ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}
