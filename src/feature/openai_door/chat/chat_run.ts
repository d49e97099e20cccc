/** Follows a run for one request: projects its events, and tells when the caller leaves. */
import type { Context } from '@midwayjs/koa';
import { localeOf } from '../../../controller/http_request';
import { SseAnswer } from '../../../controller/sse_answer';
import { AppError, toAppError } from '../../../errors';
import { isTerminal } from '../../../port/run_event';
import type { RunRecord } from '../../../port/store/runs';
import type { CallerPresence } from '../../../service/run/caller_presence';
import type { EventSink } from '../../../service/run_log/event_sink';
import type { RunService } from '../../../service/run_log/run_service';
import type { RunSubscription } from '../../../service/run_log/run_subscription';
import { toOpenAiError } from '../shared/openai_error';
import { type ChatChunks, ChatProjection } from './chat_chunks';

type Events = Parameters<EventSink>[0];

export interface ChatRunDeps {
  runService: RunService;
  callerPresence: CallerPresence;
}

/** Milliseconds after which the headers of a stream leave, so that clients and proxies see a life sign. An error before that has a status. */
const OPEN_AFTER_MS = 1_000;

export class ChatRun {
  readonly projection = new ChatProjection();
  private readonly subscription: RunSubscription;
  private readonly leave: ReturnType<CallerPresence['addCaller']>;
  private failure: unknown;
  private readonly stream: { sse: SseAnswer; chunks: ChatChunks } | undefined;

  /** Follows a run. `chunks`: present for an answer that is streamed. */
  constructor(
    private readonly ctx: Context,
    private readonly run: RunRecord,
    private readonly deps: ChatRunDeps,
    chunks?: ChatChunks,
  ) {
    const { tenantId, sessionId, id: runId } = run;
    this.stream = chunks && { sse: new SseAnswer(ctx), chunks };
    this.subscription = deps.runService.subscribe({ tenantId, sessionId, after: { runId, seq: 0 }, onlyRun: true }, events =>
      this.receive(events),
    );
    this.leave = deps.callerPresence.addCaller(run);
    // The guard of callers ends a stream whose key was revoked.
    if (chunks) ctx.state.endStream = (error: AppError) => this.fail(error);
    ctx.res.on('close', () => this.onClose());
    if (ctx.res.destroyed) this.onClose();
  }

  /** Subscribes to a run that has not published an event yet. Never rejects. */
  join(): Promise<void> {
    return this.subscription.join();
  }

  /** Resolves when the run has ended, or when the caller has left. Rejects with the error of a run without an answer, and `draining`. */
  async waitForEnd(): Promise<void> {
    await this.subscription.start();
    await this.subscription.ended;
    if (!this.projection.hasEnded && !this.ctx.res.destroyed) await this.readEnd();
    if (this.projection.hasEnded) this.leave('ended');
    if (this.projection.failure) throw this.projection.failure;
  }

  /** Answers with chunks. Rejects as waitForEnd does when nothing was sent before; a later error is the last event. */
  async answerStream(): Promise<void> {
    if (!this.stream) throw new Error('The answer is not streamed.');
    const { sse, chunks } = this.stream;
    const timer = setTimeout(() => void this.send(''), OPEN_AFTER_MS);
    try {
      await this.waitForEnd();
      await this.send(chunks.end(this.projection));
    } catch (thrown) {
      if (!sse.isOpen) throw thrown;
      await sse.add(`data: ${JSON.stringify({ error: toOpenAiError(toAppError(thrown), localeOf(this.ctx, 'en')) })}\n\n`);
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
    const text = this.projection.end({ status, ...outcome });
    if (this.stream) await this.send(this.stream.chunks.text(text));
  }

  /** Texts that arrive together leave as one chunk. */
  private receive(events: Events): Promise<void> | void {
    const chunks = this.stream?.chunks;
    let content = '';
    let piece = '';
    for (const event of events) {
      content += this.project(event);
      const extra = chunks?.event(event) ?? '';
      if (extra === '') continue;
      piece += (chunks?.text(content) ?? '') + extra;
      content = '';
    }
    piece += chunks?.text(content) ?? '';
    if (piece !== '') return this.send(piece);
  }

  private project(event: Events[number]): string {
    try {
      return this.projection.add(event);
    } catch (thrown) {
      this.failure = thrown;
      throw thrown;
    }
  }

  /** The first chunk of an answer has the role. */
  private send(text: string): Promise<void> | void {
    if (!this.stream) return;
    const { sse, chunks } = this.stream;
    return sse.add(sse.isOpen ? text : chunks.role() + text);
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
