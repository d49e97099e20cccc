/** One request of a model server that is no call of a chat model: over fetch, with a short answer. */
import { AppError } from '../../errors';
import { createFetch } from '../network/proxy_fetch';
import { toConnectionError } from './connection_errors';
import { badResponse, StatusError, timeoutError } from './model_errors';
import { toModelError } from './model_refusals';

export interface ServerAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface AskOptions {
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  /** A FormData of undici, or nothing. */
  body?: object;
  signal: AbortSignal;
  /** Milliseconds for the whole answer. */
  limitMs: number;
  maxBytes: number;
}

/**
 * Resolves with the answer, whatever its status. The key goes to this server alone, so a redirect is not followed. Rejects with an AppError `model_*`
 * when there is no answer in time or it is longer than `maxBytes`, and with the reason of `signal`.
 */
export async function askModelServer(url: URL, { limitMs, maxBytes, signal, ...init }: AskOptions): Promise<ServerAnswer> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const asked = { ...init, redirect: 'manual', signal: AbortSignal.any([signal, limit]) };
    // A cast, because the body may be undici's own FormData, which Node's types call by another name.
    const response = await createFetch(url)(url, asked as RequestInit);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await readText(response, maxBytes) };
  } catch (thrown) {
    signal.throwIfAborted();
    if (limit.aborted) throw timeoutError('first_byte', limitMs, { areTimesFixed: true });
    if (thrown instanceof AppError) throw thrown;
    throw toConnectionError((thrown as Error & { cause?: Error }).cause ?? (thrown as Error));
  }
}

/** Returns the AppError `model_*` for an answer that is no success, with the server's own words. `apiKey` is hidden in them. */
export const toRefusal = ({ status, headers, text }: ServerAnswer, apiKey: string | undefined): AppError =>
  toModelError(new StatusError(status, headers, text), { apiKey, now: Date.now(), maxRetryAfterMs: 0 });

async function readText(response: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    bytes += next.value.length;
    if (bytes > maxBytes) throw badResponse([`it is longer than ${maxBytes} bytes`, `超过 ${maxBytes} 字节`]);
    pieces.push(next.value);
  }
  return Buffer.concat(pieces).toString('utf8');
}
