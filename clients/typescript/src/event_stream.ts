/** Reads the events of a run, and continues behind the last one when the connection breaks. */
import { type Http, NetaError, pause, unreachable } from './http';
import type { RunEvent } from './types';

/** Milliseconds; the gateway writes at least a comment every 15 s. */
const SILENCE_MS = 45_000;
const NO_CONTENT = 204;

/**
 * Yields the events of a run behind `after` (a `seq`; 0: all) until `run_end`. A `replay_reset` event has a snapshot that replaces everything before
 * it. Rejects with NetaError when the gateway refuses, or cannot be reached several times in a row.
 */
export async function* readRunEvents(http: Http, runId: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent> {
  let lastId = String(after);
  for (let failures = 0; ; failures++) {
    let problem = unreachable('the event stream');
    try {
      for await (const { id, event } of readConnection(http, runId, lastId, signal)) {
        failures = 0;
        lastId = id;
        yield event;
        if (event.type === 'run_end') return;
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      if (!(thrown instanceof NetaError)) throw thrown;
      if (thrown.status === NO_CONTENT) return;
      problem = thrown;
    }
    if (!problem.fields.retryable || failures >= http.retries) throw problem;
    await pause(failures, problem.fields.retryAfterMs, signal);
  }
}

async function* readConnection(http: Http, runId: string, lastId: string, signal?: AbortSignal) {
  const silence = new AbortController();
  const response = await http.sendOnce({
    method: 'get',
    path: `/api/v1/runs/${encodeURIComponent(runId)}/events`,
    headers: { accept: 'text/event-stream', 'last-event-id': lastId },
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  });
  if (response.status === NO_CONTENT || !response.body) throw new NetaError('ended', 'The run has ended.', NO_CONTENT);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { done, value } = await reader.read().catch(thrown => Promise.reject(unreachable('the event stream', thrown)));
      clearTimeout(timer);
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('id:')) yield parse(block);
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

/** The gateway writes `id`, `event` and `data`, one line each. */
function parse(block: string): { id: string; event: RunEvent } {
  const fields = new Map(block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const));
  return { id: fields.get('id') ?? '', event: JSON.parse(fields.get('data') ?? '') as RunEvent };
}
