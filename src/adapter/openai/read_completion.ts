import { AppError } from '../../errors';
import type { CallGuard } from './call_guard';
import type { CompletionAccumulator } from './completion_accumulator';
import { CompletionBody } from './completion_body';
import type { ModelLimits } from './model_limits';

export interface CompletionReading {
  accumulator: CompletionAccumulator;
  guard: CallGuard;
  limits: ModelLimits;
  /** A comment of the stream shows that the server still works. */
  commentsAreLife?: boolean;
}

/** Milliseconds to wait for the end of the body after `[DONE]`; reading to the end only makes the connection reusable. */
const GOODBYE_MS = 100;

/**
 * Reads the body of a response into the accumulator. `send` sends the request and calls its argument for each piece of the body. Rejects as `send`
 * does, with an AppError `model_*` about the body. A complete answer counts even when the server does not end the response.
 */
export async function readCompletion(
  { accumulator, guard, limits, commentsAreLife = false }: CompletionReading,
  send: (onPiece: (piece: Buffer) => void) => Promise<void>,
): Promise<void> {
  const body = new CompletionBody(accumulator, limits);
  let waitMs = 0;
  let progress = accumulator.progress;
  const onPiece = (piece: Buffer): void => {
    body.push(piece);
    // Comments and the role of the answer come before the model has begun: the time for its beginning goes on.
    if (accumulator.progress === 0 && !accumulator.hasEnded) {
      if (commentsAreLife) guard.touch();
      return;
    }
    const nextWaitMs = accumulator.isComplete ? GOODBYE_MS : accumulator.hasSurelyEnded ? limits.trailerMs : limits.idleMs;
    if (nextWaitMs === waitMs) {
      // Restarts the timer only when the answer grows: most servers, and proxies before them, send comments also when the model is stuck.
      if (commentsAreLife || accumulator.progress !== progress) guard.touch();
      progress = accumulator.progress;
      return;
    }
    progress = accumulator.progress;
    waitMs = nextWaitMs;
    guard.startPhase('idle', waitMs);
  };
  try {
    await send(onPiece);
    body.end();
  } catch (error) {
    if (guard.hasEnded || !isWholeAfter(error, accumulator)) throw error;
  }
}

/**
 * Returns true when an answer is whole although the stream failed. Silence ends an answer whose finish reason came last; a broken connection ends
 * only an answer that had surely ended.
 */
function isWholeAfter(error: unknown, { hasSurelyEnded, isEndedBySilence }: CompletionAccumulator): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'model_timeout' ? isEndedBySilence : error.code === 'model_unreachable' && hasSurelyEnded;
}
