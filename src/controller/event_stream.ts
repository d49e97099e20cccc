/** Sends the events of a run as server-sent events: `id: <seq>`, `event: <type>`, `data: <the event>`. */
import type { ServerResponse } from 'node:http';
import type { Context } from '@midwayjs/koa';
import type { EventSink, RunSubscription } from '../service/run/run_subscription';
import { memoByObject } from '../utils/memo_by_object';

const HEARTBEAT_MS = 15_000;

/**
 * Answers the request with what the follower gives, until the run ends or the reader goes away. Resolves then. A reader that is slower than
 * the run is waited for.
 */
export async function sendEventStream(ctx: Context, createFollower: (sink: EventSink) => RunSubscription): Promise<void> {
  const { res } = ctx;
  const follower = createFollower(async events => {
    for (const event of events) if (!res.write(encodeEvent(event))) await drained(res);
  });
  ctx.respond = false;
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  res.flushHeaders();
  const heartbeat = setInterval(() => res.writableNeedDrain || res.write(': heartbeat\n\n'), HEARTBEAT_MS);
  res.on('close', () => follower.stop());
  // A caller that left before the line above gives no close event any more, and would keep its place among the readers.
  if (res.destroyed) follower.stop();
  try {
    await follower.start();
    await follower.ended;
  } finally {
    clearInterval(heartbeat);
    res.end();
  }
}

/** Encodes to bytes, because a waiting connection holds its data: all readers of an event share the bytes, but would copy a text. */
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
