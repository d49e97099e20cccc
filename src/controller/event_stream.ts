/** Sends the events of a run as server-sent events: `id: <seq>`, `event: <type>`, `data: <the event>`. */
import type { ServerResponse } from 'node:http';
import type { Context } from '@midwayjs/koa';
import { type AppError, toWireError } from '../errors';
import type { EventSink } from '../service/run_log/event_sink';
import type { RunSubscription } from '../service/run_log/run_subscription';
import { markStored } from '../service/run_log/stored_cursor';
import { memoByObject } from '../utils/memo_by_object';
import { LARGE_ENCODING, memoEncoding, type SentEvent, WriteBatching } from '../wire/sent_events';

const HEARTBEAT_MS = 15_000;

/** The event stream that answers one request. */
export class EventStream {
  private readonly subscription: RunSubscription;
  private text = '';
  private hasWritten = false;
  private isReset = false;
  private readonly batching = new WriteBatching(() => this.flush());

  /** Ends when the reader leaves. */
  constructor(
    private readonly ctx: Context,
    createSubscription: (sink: EventSink) => RunSubscription,
  ) {
    this.subscription = createSubscription(events => this.send(events));
    ctx.res.on('close', () => this.subscription.stop());
    // A caller that left before the line above causes no close event; without this line it would stay counted as a reader.
    if (ctx.res.destroyed) this.subscription.stop();
  }

  /** Subscribes to a run that has not published an event yet, so that `answer` needs no replay. Never rejects. */
  join(): Promise<void> {
    return this.subscription.join();
  }

  /** Answers with the events, and resolves when the run has ended or the reader has left. Waits for a reader that is slower than the run. */
  async answer(): Promise<void> {
    const { res } = this.ctx;
    this.ctx.respond = false;
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    this.ctx.state.endStream = (error: AppError) => this.fail(error);
    const heartbeat = setInterval(() => res.writableNeedDrain || res.write(': heartbeat\n\n'), HEARTBEAT_MS);
    try {
      const started = this.subscription.start();
      // Events that are waiting already leave in one write with the headers.
      process.nextTick(() => {
        this.flush();
        if (!this.hasWritten) res.flushHeaders();
      });
      await started;
      await this.subscription.ended;
    } finally {
      clearInterval(heartbeat);
      this.flush();
      this.hasWritten = true;
      res.end();
    }
  }

  /** Tells the reader why the stream ends before its run. */
  private fail(error: AppError): void {
    const wire = toWireError(error, String(this.ctx.state.requestId));
    const event = { v: 1, type: 'error', ts: new Date().toISOString(), data: { error: wire } };
    this.text += `event: error\ndata: ${JSON.stringify(event)}\n\n`;
    this.subscription.stop();
  }

  /** Sends events. While the connection is full it waits and encodes nothing. */
  private send(events: Parameters<EventSink>[0]): Promise<void> | void {
    const { res } = this.ctx;
    for (const [i, event] of events.entries()) {
      if (res.writableNeedDrain) return drained(res).then(() => this.send(events.slice(i)));
      this.add(event);
    }
  }

  /** The small events of one turn of the event loop are written in one piece. */
  private add(event: SentEvent): void {
    const end = this.markedEnd(event);
    const text = end ?? textOf(event);
    if (this.text.length + text.length >= LARGE_ENCODING) this.flush();
    if (text.length >= LARGE_ENCODING) {
      this.write(end ?? bytesOf(event));
      return;
    }
    this.text += text;
    this.batching.noteEvent(event.type);
  }

  /** Marks the id of a `run_end` after a reset: the bare number may name a lost event, so each connection would begin with another reset. */
  private markedEnd(event: SentEvent): string | undefined {
    if (event.type === 'replay_reset') this.isReset = true;
    return this.isReset && event.type === 'run_end' ? encode(event, markStored(event.seq)) : undefined;
  }

  private flush(): void {
    const { text } = this;
    this.batching.noteWritten();
    this.text = '';
    if (text !== '') this.write(text);
  }

  private write(piece: string | Buffer): void {
    this.hasWritten = true;
    this.ctx.res.write(piece);
  }
}

/** A `replay_reset` gets the id of its last stored event, so that a reader that reconnects after it is not reset again. */
const textOf = memoEncoding(event => encode(event, 'seq' in event ? event.seq : markStored(event.data.lastSeq)));

const encode = (event: SentEvent, id: number): string => `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A large text is kept as bytes, which all slow readers share. */
const bytesOf = memoByObject((event: SentEvent): Buffer => Buffer.from(textOf(event)));

/** Resolves when the connection takes more, or is closed. */
export function drained(res: ServerResponse): Promise<void> {
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
