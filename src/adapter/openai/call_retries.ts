/** The attempts of one model call, and the waits between them. */
import { AppError } from '../../errors';
import type { LlmAnswer, LlmRequest, LlmSink } from '../../port/llm';
import { CallGuard } from './call_guard';
import { isWorthRetrying } from './model_errors';
import type { ModelLimits } from './model_limits';

export interface RetriedCall {
  request: Pick<LlmRequest, 'signal' | 'hasAlternative'>;
  sink: Pick<LlmSink, 'onRetry'>;
  limits: ModelLimits;
  /** 0 to 1; adds jitter to retries. */
  random?: () => number;
}

export interface Attempt {
  answer: Promise<LlmAnswer>;
  /** Returns true when the sink has received a part of the answer. */
  isVisible: () => boolean;
}

/** When another model can answer, a call is retried at most once and only if the wait is shorter than this. */
const SOON_MS = 1_000;

/** Repeats `attempt` after an error that may pass, as long as nothing of the answer was shown. Rejects as LlmPort.stream does. */
export async function callWithRetries(
  { request, sink, limits, random }: RetriedCall,
  attempt: (guard: CallGuard) => Attempt,
): Promise<LlmAnswer> {
  const guard = new CallGuard(request.signal, limits);
  try {
    for (let retries = 0; ; retries++) {
      const { answer, isVisible } = attempt(guard);
      try {
        return await answer;
      } catch (error) {
        guard.throwIfEnded();
        const delayMs = retryDelayMs(retries, error, limits, random);
        if (isVisible() || retries >= limits.maxRetries || !isWorthRetrying(error)) throw error;
        if (request.hasAlternative && (retries > 0 || delayMs >= SOON_MS || isTimeout(error))) throw error;
        sink.onRetry?.(error instanceof AppError ? error.code : 'internal');
        await guard.wait(delayMs);
      }
    }
  } finally {
    guard.dispose();
  }
}

function retryDelayMs(retries: number, error: unknown, { retryBaseMs, retryMaxMs }: ModelLimits, random = Math.random): number {
  const delayMs = Math.min(retryMaxMs, retryBaseMs * 2 ** retries) * (0.5 + random() / 2);
  return Math.max(delayMs, error instanceof AppError ? (error.retryAfterMs ?? 0) : 0);
}

const isTimeout = (error: unknown): boolean => error instanceof AppError && error.code === 'model_timeout';
