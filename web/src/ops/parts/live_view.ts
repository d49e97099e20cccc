/** Follows one view of the gateway's live stream, and reconnects after each break. */
import { AUTHENTICATED, UNAUTHENTICATED } from '../../api/call_rest';
import { readEventStream } from '../../api/event_source';
import { RequestError, toRequestError } from '../../api/request_error';

interface LiveListeners<T> {
  onData: (data: T) => void;
  /** The stream has answered, or sent a sign of life. */
  onAlive: () => void;
  /** The connection is lost; the next try follows by itself. */
  onLost: () => void;
  /** The gateway refuses the stream, and a retry would not help. */
  onRefused: (error: RequestError) => void;
}

/** Milliseconds without a byte after which the connection counts as lost. The gateway sends a sign of life every 15 seconds. */
const SILENCE_MS = 20_000;
/** Limits of the pause before the next connection, in milliseconds. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/** Follows a view. Returns the function that ends this. */
export function followLiveView<T>(path: string, listeners: LiveListeners<T>): () => void {
  const end = new AbortController();
  void follow(path, listeners, end.signal);
  return () => end.abort();
}

async function follow<T>(path: string, listeners: LiveListeners<T>, end: AbortSignal): Promise<void> {
  let pauseMs = MIN_PAUSE_MS;
  while (!end.aborted) {
    try {
      await readOnce(
        path,
        {
          ...listeners,
          onAlive: () => {
            pauseMs = MIN_PAUSE_MS;
            listeners.onAlive();
          },
        },
        end,
      );
    } catch (error) {
      if (isFinal(error) && !end.aborted) return listeners.onRefused(error);
    }
    if (end.aborted) return;
    listeners.onLost();
    await waitFor(pauseMs, end);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

const isFinal = (error: unknown): error is RequestError =>
  error instanceof RequestError && ['forbidden', 'not_found', 'invalid_request'].includes(error.code);

/** Reads until the stream ends or falls silent. */
async function readOnce<T>(path: string, { onData, onAlive }: LiveListeners<T>, end: AbortSignal): Promise<void> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  hear();
  try {
    await readEventStream(
      path,
      {
        onEvent: (name, data) => {
          if (name === 'error') throw endOf(data);
          // The gateway promises the shape of its answers.
          onData(JSON.parse(data) as T);
        },
        onBytes: () => {
          hear();
          onAlive();
        },
      },
      AbortSignal.any([end, silence.signal]),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the pause; a login, or the return of the network, ends the wait early. */
function waitFor(ms: number, end: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  for (const name of [AUTHENTICATED, 'online']) addEventListener(name, () => resolve(), { once: true, signal: end });
  end.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** The gateway ends a stream with an error when the key was revoked. */
function endOf(data: string): RequestError {
  const error = toRequestError(JSON.parse(data), '');
  if (error.code === 'unauthenticated') dispatchEvent(new Event(UNAUTHENTICATED));
  return error;
}
