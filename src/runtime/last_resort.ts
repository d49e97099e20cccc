/**
 * The last resort when a server refuses a long request in words that are not understood: the request is shortened once, because its length may be
 * the reason. No session is then stuck behind such a server (docs/decisions/0087).
 */
import { AppError } from '../errors';
import type { LlmRequest } from '../port/llm';
import type { AgentRunParams } from './agent_run';
import { estimateMessages, estimateTools } from './fit_history';

export interface Guess {
  /** The error to throw when shortening changes nothing. */
  refusal: AppError;
  /** Estimated tokens of the refused request. */
  refusedTokens: number;
  /** The window before the guess, and the one that makes the request short. */
  before: number;
  window: number;
}

const STATUSES: ReadonlySet<unknown> = new Set([400, 413, 422]);
/** Without this many tokens of history, the length is hardly the reason for the refusal. */
const LEAST_HISTORY_TOKENS = 1_000;
/** Tokens of history that stay. Few, because there is no third request that could leave out more. */
const KEPT_HISTORY_TOKENS = 4_000;

/** Returns undefined when the refusal is understood, or when the request is short. */
export function guessWindow({ limits, compaction }: AgentRunParams, request: LlmRequest, thrown: unknown): Guess | undefined {
  if (!isUnexplained(thrown)) return undefined;
  const refusedTokens = sizeOf(request);
  const [system] = request.messages;
  const otherTokens = (system ? estimateMessages([system]) : 0) + estimateTools(request.tools);
  const historyTokens = refusedTokens - otherTokens;
  if (historyTokens < LEAST_HISTORY_TOKENS) return undefined;
  // A quarter of a window is left for the answer.
  const window = ((otherTokens + Math.min(KEPT_HISTORY_TOKENS, historyTokens / 4)) * 4) / 3;
  const scale = compaction?.meter.scale ?? 1;
  return { refusal: thrown, refusedTokens, before: limits.contextTokens, window: Math.ceil(window * scale) };
}

/** Throws the refusal when the shortened request is no shorter, such as when one message alone is long. */
export function assertShorter({ refusal, refusedTokens }: Guess, request: LlmRequest): void {
  if (sizeOf(request) >= refusedTokens) throw refusal;
}

/**
 * Returns the window for the rest of the run after the shortened request was accepted: half of the refused size. The length was probably the reason,
 * but that is not proven, so later runs begin with the whole window again.
 */
export function windowAfter({ before, refusedTokens, window }: Guess, { compaction }: AgentRunParams): number {
  return Math.min(before, Math.max(window, Math.floor((refusedTokens * (compaction?.meter.scale ?? 1)) / 2)));
}

const sizeOf = ({ messages, tools }: LlmRequest): number => estimateMessages(messages) + estimateTools(tools);

/** Returns true for a refusal of the request itself whose reason was not understood. */
const isUnexplained = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError &&
  thrown.code === 'model_refused' &&
  STATUSES.has(thrown.details?.['status']) &&
  thrown.details?.['fault'] === undefined &&
  thrown.details?.['reason'] === undefined;
