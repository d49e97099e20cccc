import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors';
import type { CallGuard } from './call_guard';
import type { CompletionAccumulator } from './completion_accumulator';
import { CompletionBody } from './completion_body';
import { connectionLost } from './model_errors';
import type { ModelLimits } from './model_limits';

export interface CompletionReading {
  accumulator: CompletionAccumulator;
  guard: CallGuard;
  /** Ends this attempt. */
  signal: AbortSignal;
  limits: ModelLimits;
}

/** Milliseconds to wait for the end of the body after `[DONE]`; reading to the end only makes the connection reusable. */
const GOODBYE_MS = 100;

/**
 * Reads the body of a response into the accumulator, to its end so that the connection is reused. Closes the connection and rejects with an
 * AppError `model_*`, or with the reason of `signal`.
 */
export async function readCompletion(incoming: IncomingMessage, reading: CompletionReading): Promise<void> {
  const { accumulator, guard, signal, limits } = reading;
  const body = new CompletionBody(accumulator, limits);
  let waitMs = 0;
  let progress = accumulator.progress;
  const onPiece = (piece: Buffer): void => {
    body.push(piece);
    const nextWaitMs = accumulator.isComplete ? GOODBYE_MS : accumulator.hasEnded ? limits.trailerMs : limits.idleMs;
    if (nextWaitMs === waitMs) {
      // Restart the timer only when the answer grows: a server can send comments forever.
      if (accumulator.progress !== progress) guard.touch();
      progress = accumulator.progress;
      return;
    }
    progress = accumulator.progress;
    waitMs = nextWaitMs;
    guard.startPhase('idle', waitMs);
  };
  try {
    await readPieces(incoming, signal, onPiece);
    body.end();
  } catch (error) {
    const isWhole = accumulator.hasEnded && !guard.hasEnded;
    if (!isWhole || !isMissingGoodbye(error)) throw error;
  } finally {
    if (!incoming.complete) incoming.destroy();
  }
}

/** Calls `onPiece` for each piece; rejects when it throws. */
function readPieces(incoming: IncomingMessage, signal: AbortSignal, onPiece: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      incoming.off('data', onData).off('close', onClose);
      settle();
    };
    const onAbort = (): void => stop(() => reject(signal.reason));
    const onClose = (): void => stop(() => reject(connectionLost()));
    const onData = (piece: Buffer): void => {
      try {
        onPiece(piece);
      } catch (error) {
        stop(() => reject(error));
      }
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    incoming.once('end', () => stop(resolve));
    incoming.once('close', onClose);
    incoming.on('error', error => stop(() => reject(connectionLost(error))));
    incoming.on('data', onData);
  });
}

const isMissingGoodbye = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'model_timeout' || error.code === 'model_unreachable');
