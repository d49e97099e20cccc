/** Follows a run for one AG-UI client: sends the projection of its log, and tells when the client leaves. */
import type { Context } from '@midwayjs/koa';
import { localeOf, principalOf } from '../../controller/http_request';
import { SseAnswer } from '../../controller/sse_answer';
import { AppError, messageIn, toAppError } from '../../errors';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { SessionAccess } from '../../service/access/session_access';
import type { CallerPresence } from '../../service/run/caller_presence';
import type { EventSink } from '../../service/run_log/event_sink';
import type { RunService } from '../../service/run_log/run_service';
import type { RunSubscription } from '../../service/run_log/run_subscription';
import type { AguiEvent } from './agui_event';
import type { AguiProjection } from './agui_projection';

type Events = Parameters<EventSink>[0];

export interface AguiRunDeps {
  runService: RunService;
  sessionAccess: Pick<SessionAccess, 'follow'>;
  callerPresence: CallerPresence;
}

export class AguiRun {
  private readonly sse: SseAnswer;
  private readonly subscription: RunSubscription;
  private readonly leave: ReturnType<CallerPresence['addCaller']>;
  private failure: unknown;

  constructor(
    private readonly ctx: Context,
    private readonly run: RunRecord,
    private readonly projection: AguiProjection,
    private readonly deps: AguiRunDeps,
  ) {
    const { tenantId, sessionId, id: runId } = run;
    this.sse = new SseAnswer(ctx);
    const request = { tenantId, sessionId, after: { runId, seq: 0 }, onlyRun: true };
    this.subscription = deps.runService.subscribe(request, events => this.receive(events));
    const forget = deps.sessionAccess.follow(principalOf(ctx), sessionId, () => this.fail(new AppError('not_found')));
    void this.subscription.ended.then(forget);
    this.leave = deps.callerPresence.addCaller(run);
    // The guard of callers ends a stream whose key was revoked.
    ctx.state.endStream = (error: AppError) => this.fail(error);
    ctx.res.on('close', () => this.onClose());
    if (ctx.res.destroyed) this.onClose();
  }

  /** Subscribes to a run that has not published an event yet. Never rejects. */
  join(): Promise<void> {
    return this.subscription.join();
  }

  /** Answers with the events, and resolves when the run has ended or the client has left. An error is the last event. */
  async answer(): Promise<void> {
    try {
      await this.send(this.projection.begin());
      await this.subscription.start();
      await this.subscription.ended;
      if (!this.projection.hasEnded && !this.ctx.res.destroyed) await this.readEnd();
    } catch (thrown) {
      const error = toAppError(thrown);
      await this.send(this.projection.fail(messageIn(error, localeOf(this.ctx, 'en')), error.code));
    } finally {
      if (this.projection.hasEnded) this.leave('ended');
      this.sse.end();
    }
  }

  /** The log of an old run has expired; its record has the answer. A run that has not ended is left to the next process. */
  private async readEnd(): Promise<void> {
    if (this.failure) throw this.failure;
    const { tenantId, id } = this.run;
    const { status, outcome } = await this.deps.runService.getRun(tenantId, id);
    if (!isTerminal(status) || !outcome) throw new AppError('draining', { retryAfterMs: 5_000 });
    await this.send(this.projection.end({ status, ...outcome }));
  }

  /** Events that arrive together leave in one write. */
  private receive(events: Events): Promise<void> | void {
    try {
      return this.send(events.flatMap(event => this.projection.project(event)));
    } catch (thrown) {
      this.failure = thrown;
      throw thrown;
    }
  }

  private send(events: readonly AguiEvent[]): Promise<void> | void {
    return this.sse.add(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
  }

  private fail(error: AppError): void {
    this.failure = error;
    this.subscription.stop();
  }

  private onClose(): void {
    this.leave(this.projection.hasEnded ? 'ended' : 'left');
    this.subscription.stop();
  }
}
