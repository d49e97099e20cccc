/** Sends the chats of an export to the gateway, one request each, and counts them. */
import { type ReadResult, readChatFile } from '../../../../src/utils/read_chats';
import { callRest } from '../../api/call_rest';
import { RequestError } from '../../api/request_error';
import type { SessionSummary } from '../../api/rest_types';

/** The largest file that the page reads, in bytes. */
const MAX_FILE_BYTES = 200 * 1024 * 1024;
/** Milliseconds until the next try when the gateway names no time. */
const RETRY_MS = 2_000;

export type FileProblem = 'too_large' | 'is_zip' | 'not_json' | 'unknown_form';

export interface ImportProgress {
  done: number;
  all: number;
  imported: number;
  /** Chats that did not come in: `problem` is a reason of the page, `message` the sentence of the gateway. */
  refused: readonly { title: string; problem: 'no_messages' | 'too_long' | 'unknown_form' | 'refused'; message?: string }[];
}

/** Reads the file. Resolves with its chats, or with what is wrong with it. */
export async function readFile(file: File): Promise<readonly ReadResult[] | FileProblem> {
  if (file.size > MAX_FILE_BYTES) return 'too_large';
  if ((await file.slice(0, 4).text()).startsWith('PK')) return 'is_zip';
  return readChatFile(await file.text());
}

/** Imports the chats, oldest of the file first, and tells the progress. Rejects when `signal` aborts or the connection is lost. */
export async function importChats(
  results: readonly ReadResult[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ImportProgress) => void },
): Promise<void> {
  let progress: ImportProgress = { done: 0, all: results.length, imported: 0, refused: [] };
  onProgress(progress);
  for (const result of results.toReversed()) {
    signal.throwIfAborted();
    progress = { ...progress, ...(await importOne(result, progress, signal)), done: progress.done + 1 };
    onProgress(progress);
  }
}

async function importOne(
  result: ReadResult,
  { imported, refused }: ImportProgress,
  signal: AbortSignal,
): Promise<Pick<ImportProgress, 'imported' | 'refused'>> {
  if (!('chat' in result)) return { imported, refused: [...refused, result] };
  const { chat } = result;
  try {
    await send(chat, signal);
    return { imported: imported + 1, refused };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof RequestError && (thrown.isLost || thrown.code === 'unauthenticated')) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { imported, refused: [...refused, { title: chat.title, problem: 'refused', message }] };
  }
}

/** Waits and sends again while the gateway has too many requests. A file that is imported again within a day adds no chat twice. */
async function send(chat: object, signal: AbortSignal): Promise<void> {
  const headers = { 'idempotency-key': keyOf(chat) };
  for (;;) {
    try {
      await callRest<SessionSummary>('POST', '/sessions/import', chat, headers);
      return;
    } catch (thrown) {
      if (!(thrown instanceof RequestError) || thrown.code !== 'rate_limited') throw thrown;
      await pause(thrown.retryAfterMs ?? RETRY_MS, signal);
    }
  }
}

/** Rejects as soon as `signal` aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** `crypto.subtle` is absent on pages without https, so the key is a plain hash of the text. */
function keyOf(chat: object): string {
  const text = JSON.stringify(chat);
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  return `import-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}-${text.length.toString(36)}`;
}
