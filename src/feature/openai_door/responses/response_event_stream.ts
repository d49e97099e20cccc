/** Sends a response as server-sent events, from the log of its run. */
import type { Context } from '@midwayjs/koa';
import { localeOf } from '../../../controller/http_request';
import { SseAnswer } from '../../../controller/sse_answer';
import type { AppError } from '../../../errors';
import type { EventSink } from '../../../service/run_log/event_sink';
import type { RunSubscription } from '../../../service/run_log/run_subscription';
import { toOpenAiError } from '../shared/openai_error';
import type { ResponseProjection } from './response_projection';
import { encodeResponseEvent, type ResponseEventBody, type ResponseStreamEvent } from './response_stream_event';

type Sent = Parameters<EventSink>[0];

const EVENTS_LOST: ResponseEventBody = {
  type: 'error',
  code: 'events_expired',
  message: 'Events of this response were lost. Read it again from its start.',
  param: null,
};

/** The stream that answers one request. */
export class ResponseEventStream {
  private readonly subscription: RunSubscription;
  private readonly answered: SseAnswer;
  private failure: AppError | undefined;

  /** Ends when the reader leaves. */
  constructor(
    private readonly ctx: Context,
    private readonly projection: ResponseProjection,
    createSubscription: (sink: EventSink) => RunSubscription,
  ) {
    this.answered = new SseAnswer(ctx);
    this.subscription = createSubscription(events => this.send(events));
    // The guard of callers ends a stream whose key was revoked.
    ctx.state.endStream = (error: AppError) => this.fail(error);
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
    this.answered.open();
    await this.write(this.projection.project([]));
    try {
      await this.subscription.start();
      await this.subscription.ended;
      if (this.failure && !this.projection.hasEnded) await this.write([this.errorEvent(this.failure)]);
      return this.projection.hasEnded;
    } catch {
      await this.write([{ ...EVENTS_LOST, sequence_number: this.projection.nextSequenceNumber }]);
      return this.projection.hasEnded;
    } finally {
      this.answered.end();
    }
  }

  private fail(error: AppError): void {
    this.failure = error;
    this.subscription.stop();
  }

  private errorEvent(error: AppError): ResponseStreamEvent {
    const { code, message } = toOpenAiError(error, localeOf(this.ctx, 'en'));
    return { type: 'error', code, message, param: null, sequence_number: this.projection.nextSequenceNumber };
  }

  /** Sends the events of one batch in one write. Waits for a reader that is slower than the run. */
  private send(events: Sent): Promise<void> | void {
    const known = events.filter(event => event.type !== 'replay_reset');
    const written = this.write(this.projection.project(known));
    if (known.length < events.length) throw new Error('Events that the reader has are gone.');
    return written;
  }

  private write(events: readonly ResponseStreamEvent[]): Promise<void> | void {
    return this.answered.add(events.map(encodeResponseEvent).join(''));
  }
}
