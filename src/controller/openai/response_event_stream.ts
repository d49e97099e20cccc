/** Sends a response as server-sent events, from the log of its run. */
import type { ServerResponse } from 'node:http';
import type { Context } from '@midwayjs/koa';
import type { EventSink, RunSubscription } from '../../service/run/run_subscription';
import type { ResponseProjection } from '../../wire/openai/response_projection';
import { encodeResponseEvent, type ResponseEventBody } from '../../wire/openai/response_stream_event';

type Sent = Parameters<EventSink>[0];

const HEARTBEAT_MS = 15_000;
const EVENTS_LOST: ResponseEventBody = {
  type: 'error',
  code: 'events_expired',
  message: 'Events of this response were lost. Read it again from its start.',
  param: null,
};

/** The stream that answers one request. */
export class ResponseEventStream {
  private readonly subscription: RunSubscription;

  /** Ends when the reader leaves. */
  constructor(
    private readonly ctx: Context,
    private readonly projection: ResponseProjection,
    createSubscription: (sink: EventSink) => RunSubscription,
  ) {
    this.subscription = createSubscription(events => this.send(events));
    ctx.res.on('close', () => this.subscription.stop());
    // A caller that left before the line above causes no close event.
    if (ctx.res.destroyed) this.subscription.stop();
  }

  /** Subscribes to a run that has not published an event yet, so that `answer` needs no replay. Never rejects. */
  join(): Promise<void> {
    return this.subscription.join();
  }

  /** Answers with the events. Resolves with true when the response has ended, false when the reader has left before. */
  async answer(): Promise<boolean> {
    const { res } = this.ctx;
    this.ctx.respond = false;
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    res.write(this.projection.project([]).map(encodeResponseEvent).join(''));
    const heartbeat = setInterval(() => res.writableNeedDrain || res.write(': heartbeat\n\n'), HEARTBEAT_MS);
    try {
      await this.subscription.start();
      await this.subscription.ended;
      return this.projection.hasEnded;
    } catch {
      this.write([{ ...EVENTS_LOST, sequence_number: this.projection.nextSequenceNumber }]);
      return this.projection.hasEnded;
    } finally {
      clearInterval(heartbeat);
      res.end();
    }
  }

  /** The events of one batch leave in one write. Waits for a reader that is slower than the run. */
  private send(events: Sent): Promise<void> | void {
    const known = events.filter(event => event.type !== 'replay_reset');
    this.write(this.projection.project(known));
    if (known.length < events.length) throw new Error('Events that the reader has are gone.');
    if (this.ctx.res.writableNeedDrain) return drained(this.ctx.res);
  }

  private write(events: readonly Parameters<typeof encodeResponseEvent>[0][]): void {
    if (events.length > 0) this.ctx.res.write(events.map(encodeResponseEvent).join(''));
  }
}

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
