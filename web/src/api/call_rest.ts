import { ROOT } from '../platform/root';
import { keyHeaders } from './access_key';
import { RequestError, toRequestError } from './request_error';

/** Path before every route of the REST API, same origin. */
export const API_BASE = `${ROOT}api/v1`;

/** Event of the window: the gateway wants a key, or the login has ended. */
export const UNAUTHENTICATED = 'neta:unauthenticated';
/** Event of the window: the person must add an authenticator app before anything else. */
export const SECOND_FACTOR_NEEDED = 'neta:second_factor_needed';
/** Event of the window: the person has logged in. */
export const AUTHENTICATED = 'neta:authenticated';

const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Calls the REST API and resolves with the decoded answer. Every failure rejects with a RequestError. */
export async function callRest<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  const text = await (await requestRest(method, path, { body, headers })).text();
  // The contract promises the shapes of the responses. An empty body has no content.
  return (text === '' ? undefined : parse(text)) as T;
}

/**
 * Resolves with a successful response. A Blob is sent as it is, every other body as JSON. Every failure rejects with a RequestError, in the
 * language of the page. `base`: what the path follows, when it is no route of the REST API.
 */
export async function requestRest(
  method: string,
  path: string,
  {
    body,
    headers = {},
    signal,
    base = API_BASE,
  }: { body?: unknown; headers?: Record<string, string> | undefined; signal?: AbortSignal; base?: string } = {},
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Blob);
  const response = await fetch(base + path, {
    method,
    signal,
    headers: {
      accept: 'application/json',
      'accept-language': document.documentElement.lang,
      ...keyHeaders(),
      ...headers,
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: isJson ? JSON.stringify(body) : body,
  }).catch((cause: unknown) => {
    throw new RequestError('disconnected', String(cause), true);
  });
  if (response.ok) return response;
  const answer = parse(await response.text());
  // A proxy answers for a gateway that is away.
  if (answer === undefined && AWAY.has(response.status)) throw new RequestError('disconnected', `HTTP ${response.status}`, true);
  const error = toRequestError(answer, `HTTP ${response.status}`);
  // A wrong code or a wrong current password ends no login.
  if (response.status === 401 && error.param === undefined) dispatchEvent(new Event(UNAUTHENTICATED));
  if (error.details['needs'] === 'authenticator') dispatchEvent(new Event(SECOND_FACTOR_NEEDED));
  throw error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
