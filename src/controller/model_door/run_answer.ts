/** Follows a run for one request of a client that takes the run for an answer of a model: projects its events, and tells when the caller leaves. */
import type { Context } from '@midwayjs/koa';
import { AppError, ERRORS, type ErrorCode, inOneLanguage, toAppError } from '../../errors';
import { isTerminal, type RunEventData } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { CallerPresence } from '../../service/run/caller_presence';
import type { EventSink } from '../../service/run_log/event_sink';
import type { RunService } from '../../service/run_log/run_service';
import type { RunSubscription } from '../../service/run_log/run_subscription';
import type { SseAnswer } from '../sse_answer';

export type AnswerEvents = Parameters<EventSink>[0];
export type RunEnd = RunEventData<'run_end'>;

/** Turns the events of a run into the form of a door. The texts are whole server-sent events; an answer that is not streamed ignores them. */
export interface AnswerProjection {
  /** True once the run has ended. */
  readonly hasEnded: boolean;
  /** The error of a run that has ended without an answer. */
  readonly failure: AppError | undefined;
  /** Returns the text that opens the stream. */
  begin(): string;
  /** Takes events that arrived together. Throws `interrupted` when events that were sent are gone: nothing that was said can be taken back. */
  add(events: AnswerEvents): string;
  /** Takes the end of the run from its record, when the log has expired. */
  end(ending: RunEnd): string;
  /** Returns the text that closes the stream of a run with an answer. */
  finish(): string;
  /** Returns the text of an error that ends the stream. */
  fail(error: AppError): string;
}

export interface RunAnswerDeps {
  runService: RunService;
  callerPresence: CallerPresence;
}

/** Milliseconds after which the headers of a stream leave, so that clients and proxies see a life sign. An error before that has a status. */
const OPEN_AFTER_MS = 1_000;

export class RunAnswer {
  private readonly subscription: RunSubscription;
  private readonly leave: ReturnType<CallerPresence['addCaller']>;
  private failure: unknown;

  /** Follows a run. `sse`: present for an answer that is streamed. */
  constructor(
    private readonly ctx: Context,
    private readonly run: RunRecord,
    private readonly deps: RunAnswerDeps,
    private readonly to: { projection: AnswerProjection; sse?: SseAnswer | undefined },
  ) {
    const { tenantId, sessionId, id: runId } = run;
    this.subscription = deps.runService.subscribe({ tenantId, sessionId, after: { runId, seq: 0 }, onlyRun: true }, events =>
      this.receive(events),
    );
    this.leave = deps.callerPresence.addCaller(run);
    // The guard of callers ends a stream whose key was revoked.
    if (to.sse) ctx.state.endStream = (error: AppError) => this.fail(error);
    ctx.res.on('close', () => this.onClose());
    if (ctx.res.destroyed) this.onClose();
  }

  /** Subscribes to a run that has not published an event yet. Never rejects. */
  join(): Promise<void> {
    return this.subscription.join();
  }

  /** Resolves when the run has ended, or when the caller has left. Rejects with the error of a run without an answer, and `draining`. */
  async waitForEnd(): Promise<void> {
    const { projection } = this.to;
    await this.subscription.start();
    await this.subscription.ended;
    if (!projection.hasEnded && !this.ctx.res.destroyed) await this.readEnd();
    if (projection.hasEnded) this.leave('ended');
    if (projection.failure) throw projection.failure;
  }

  /** Answers with a stream. Rejects as waitForEnd does when nothing was sent before; a later error is the last event. */
  async answerStream(): Promise<void> {
    const { sse, projection } = this.to;
    if (!sse) throw new Error('The answer is not streamed.');
    const timer = setTimeout(() => void (sse.isOpen || sse.add(projection.begin())), OPEN_AFTER_MS);
    try {
      await this.waitForEnd();
      await this.send(projection.finish());
    } catch (thrown) {
      if (!sse.isOpen) throw thrown;
      await sse.add(projection.fail(toAppError(thrown)));
    } finally {
      clearTimeout(timer);
    }
    sse.end();
  }

  /** The log of an old run has expired; its record has the answer. A run that has not ended is left to the next process. */
  private async readEnd(): Promise<void> {
    if (this.failure) throw this.failure;
    const { tenantId, id } = this.run;
    const { status, outcome } = await this.deps.runService.getRun(tenantId, id);
    if (!isTerminal(status) || !outcome) throw new AppError('draining', { retryAfterMs: 5_000 });
    await this.send(this.to.projection.end({ status, ...outcome }));
  }

  private receive(events: AnswerEvents): Promise<void> | void {
    try {
      return this.send(this.to.projection.add(events));
    } catch (thrown) {
      this.failure = thrown;
      throw thrown;
    }
  }

  private send(text: string): Promise<void> | void {
    const { sse, projection } = this.to;
    if (!sse || text === '') return;
    return sse.add(sse.isOpen ? text : projection.begin() + text);
  }

  private fail(error: AppError): void {
    this.failure = error;
    this.subscription.stop();
  }

  private onClose(): void {
    this.leave(this.to.projection.hasEnded ? 'ended' : 'left');
    this.subscription.stop();
  }
}

/** Returns the error of a run that has no answer; undefined for a run that has one. `hasText`: it has said something. */
export function failureOf({ status, error, reason }: RunEnd, hasText: boolean): AppError | undefined {
  if (status === 'cancelled') return new AppError('run_cancelled');
  if (status === 'completed' || (status === 'incomplete' && (reason !== 'timeout' || hasText))) return undefined;
  const code = error && Object.hasOwn(ERRORS, error.code) ? (error.code as ErrorCode) : 'internal';
  return new AppError(code, error && inOneLanguage(error.message));
}
