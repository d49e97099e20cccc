/** Tells from the error of a model whether the request was too long, and whether another model may answer it. */
import { AppError } from '../errors';

/** `details` of a `model_refused` for a request that is longer than the context window of the model. */
export interface ContextOverflow {
  reason: 'context_length';
  /** Size of the window in tokens, when the server reported it. */
  contextTokens?: number;
  /** The sentence with which the server refused. */
  said?: string;
}

/** Returns the details when the server refused a request as too long; undefined for any other error. */
export function contextOverflow(thrown: unknown): ContextOverflow | undefined {
  const details = thrown instanceof AppError ? thrown.details : undefined;
  return details?.['reason'] === 'context_length' ? (details as unknown as ContextOverflow) : undefined;
}

/** Error codes after which another model may answer the same request. */
const FALLBACK_CODES: ReadonlySet<string> = new Set(['model_unreachable', 'model_overloaded', 'model_timeout', 'model_bad_response']);

/**
 * Returns true when the server, its key or its account failed, so that another model may answer. A request that is wrong in itself, or too long,
 * fails with every model. `details.fault` of a `model_refused` is `endpoint` in the first case.
 */
export function mayFallBack(thrown: unknown): thrown is AppError {
  if (!(thrown instanceof AppError)) return false;
  return FALLBACK_CODES.has(thrown.code) || (thrown.code === 'model_refused' && thrown.details?.['fault'] === 'endpoint');
}
