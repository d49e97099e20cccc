/** A stream as server-sent events: each page of messages as `data`, then `control`, which says where the page ends (Durable Streams protocol, 5.7). */
import type { Context } from '@midwayjs/koa';
import { closedSignal } from '../../controller/closed_signal';
import { SseAnswer } from '../../controller/sse_answer';
import { toAppError } from '../../errors';
import type { LogError } from '../../port/logger';
import type { StoredPage, StoredReader } from '../../service/run_log/stored_reader';
import { toJsonMessages } from './stream_messages';
import { nextCursor, toOffset } from './stream_offset';

/** Milliseconds after which the gateway closes the connection; the client reconnects with the last offset. */
const CONNECTION_MS = 60_000;

export interface SseRequest {
  /** Seq of the last event that the client has. */
  after: number;
  /** The cursor that the client sent. */
  cursor?: string;
  onError: LogError;
}

/** Resolves when the answer has ended. Rejects as long as nothing was sent. */
export async function answerSse(ctx: Context, reader: StoredReader, { after, cursor, onError }: SseRequest): Promise<void> {
  const answer = new SseAnswer(ctx);
  const signal = AbortSignal.any([closedSignal(ctx), AbortSignal.timeout(CONNECTION_MS), reader.stopped]);
  // The guard of callers ends a stream whose key was revoked.
  ctx.state.endStream = () => reader.stop();
  try {
    let page = await reader.readPage(after);
    for (;;) {
      await answer.add(encodePage(page, cursor));
      if (page.isEnded || signal.aborted) return;
      page = await reader.readNext(page.endSeq, signal);
      if (page.events.length === 0 && !page.isEnded) return;
    }
  } catch (thrown) {
    if (!answer.isOpen) throw thrown;
    // The client reconnects and gets the error as an answer of its own.
    if (toAppError(thrown).code === 'internal') onError('a stream ended early', thrown);
  } finally {
    if (answer.isOpen) answer.end();
  }
}

function encodePage({ events, endSeq, isUpToDate, isEnded }: StoredPage, sent?: string): string {
  const control = {
    streamNextOffset: toOffset(endSeq),
    ...(!isEnded && { streamCursor: nextCursor(Date.now(), sent) }),
    ...(isUpToDate && { upToDate: true }),
    ...(isEnded && { streamClosed: true }),
  };
  const data = events.length === 0 ? '' : `event: data\ndata: ${toJsonMessages(events)}\n\n`;
  return `${data}event: control\ndata: ${JSON.stringify(control)}\n\n`;
}
