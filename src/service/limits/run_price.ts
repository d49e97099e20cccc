/** What a new run will likely cost and use: what of it is reserved in the budgets of the day, and whether a person is asked first. */
import { AppError } from '../../errors';
import type { PriceQuestion, RunLimits, RunRecord } from '../../port/store/runs';
import { toNanoDollars } from '../../utils/dollars';
import type { RunEstimate } from './run_estimate';

/** Amounts of money and tokens. */
export interface Reservation {
  tokens: number;
  nanoDollars: number;
}

export type RunPrice = Pick<RunRecord, 'reservedTokens' | 'reservedNanoDollars' | 'priceQuestion'>;

/** A run is expected to use what nine of ten similar runs did not exceed, and never more than its own limits. */
export function expectedUse({ tokens, costUsd }: RunEstimate, { maxTokens, maxCostUsd }: RunLimits): Reservation {
  return {
    tokens: Math.min(tokens.p90, maxTokens ?? tokens.p90),
    nanoDollars: costUsd === undefined ? 0 : toNanoDollars(Math.min(costUsd.p90, maxCostUsd ?? costUsd.p90)),
  };
}

/**
 * Returns the question about the price. Undefined when the run will likely stay below `askAboveUsd`, when the price is unknown, and when the request
 * itself names the most that it may cost: its caller has agreed.
 */
export function priceQuestionOf(
  { costUsd, ms, basedOn }: RunEstimate,
  { askAboveUsd, asked, limits }: { askAboveUsd: number; asked: RunLimits; limits: RunLimits },
): PriceQuestion | undefined {
  if (costUsd === undefined || asked.maxCostUsd !== undefined) return undefined;
  const expected = Math.min(costUsd.p90, limits.maxCostUsd ?? costUsd.p90);
  return expected > askAboveUsd ? { costUsd, ms, basedOn, askAboveUsd } : undefined;
}

/** The error where nobody can be asked, or nobody answered. */
export function priceNotAgreed({ costUsd, ms, basedOn, askAboveUsd }: PriceQuestion): AppError {
  const range = `${shownUsd(costUsd.p50)}–${shownUsd(costUsd.p90)}`;
  return new AppError('price_not_agreed', {
    message: `This run will likely cost ${range} (${basedOn} similar runs), and askAboveUsd of limits.yaml asks a person above ${shownUsd(askAboveUsd)}. Agree with limits.maxCostUsd in the request, or start it where a person can answer (clarify: wait).`,
    messageZh: `此运行预计花费 ${range}（依据 ${basedOn} 个类似的运行），而 limits.yaml 的 askAboveUsd 规定超过 ${shownUsd(askAboveUsd)} 时须询问人。请在请求中用 limits.maxCostUsd 表示同意，或在有人能回答的地方启动（clarify: wait）。`,
    details: { costUsd, ms, basedOn, askAboveUsd, setting: 'askAboveUsd' },
  });
}

/** Two significant digits at least, and cents for larger amounts. */
export const shownUsd = (amount: number): string => `$${amount >= 0.1 ? amount.toFixed(2) : Number(amount.toPrecision(2))}`;
