/** Sends the events of a run as server-sent events: `id: <seq>`, `event: <type>`, `data: <the event>`. */
import type { ServerResponse } from 'node:http';
import type { Context } from '@midwayjs/koa';
import type { EventSink, RunSubscription } from '../service/run/run_subscription';
import { memoByObject } from '../utils/memo_by_object';

const HEARTBEAT_MS = 15_000;

/**
 * Sends the events of a subscription as the answer, and resolves when the run has ended or the reader has left. Waits for a reader that is
 * slower than the run.
 */
export async function sendEventStream(ctx: Context, createSubscription: (sink: EventSink) => RunSubscription): Promise<void> {
  const { res } = ctx;
  const subscription = createSubscription(async events => {
    for (const event of events) if (!res.write(encodeEvent(event))) await drained(res);
  });
  ctx.respond = false;
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  res.flushHeaders();
  const heartbeat = setInterval(() => res.writableNeedDrain || res.write(': heartbeat\n\n'), HEARTBEAT_MS);
  res.on('close', () => subscription.stop());
  // A caller that left before the line above causes no close event; without this line it would stay counted as a reader.
  if (res.destroyed) subscription.stop();
  try {
    await subscription.start();
    await subscription.ended;
  } finally {
    clearInterval(heartbeat);
    res.end();
  }
}

/** Encodes to bytes: slow connections hold unsent data, and all readers of an event share its bytes, while each would copy a string. */
const encodeEvent = memoByObject((event: Parameters<EventSink>[0][number]): Buffer => {
  const id = 'seq' in event ? `id: ${event.seq}\n` : '';
  return Buffer.from(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
});

function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}
