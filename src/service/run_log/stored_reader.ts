/**
 * Reads the stored events of one run and waits for more. It shows no event before the event is stored, so the events and their numbers never change.
 * While it waits, it makes the run store the text that the model has written so far.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { EventBus, EventSubscription } from '../../port/event_bus';
import { isTerminal, type RunEvent } from '../../port/run_event';
import type { RunState } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import type { EventPageCache } from './event_page_cache';
import type { RemoteRunPoller } from './remote_run_poller';

export interface StoredPage {
  events: readonly RunEvent[];
  /** Seq of the last event of the page; the cursor of the request when the page is empty. */
  endSeq: number;
  /** True when the store had no later event. */
  isUpToDate: boolean;
  /** True when the run has ended and this page holds its last event, or stands behind it. */
  isEnded: boolean;
}

export interface StoredReaderDeps {
  store: ReadableStore<'runs'>;
  bus: EventBus;
  clock: Clock;
  pages: EventPageCache;
  remoteRuns: RemoteRunPoller;
  /** Stores the events that a run of this process has shown so far. Does nothing for other runs. */
  storeShownEvents(runId: string): Promise<void>;
}

/** Milliseconds in which a run may collect more events before they are stored for its readers. */
const COLLECT_MS = 50;
/** The same for a run of another gateway, which stores its text only with the whole message. */
const COLLECT_REMOTE_MS = 500;
/** A reader that has heard nothing for this time reads the store, for a message of another gateway that was lost. */
const QUIET_MS = 5_000;

export class StoredReader {
  private readonly stopping = new AbortController();
  private subscription?: EventSubscription;
  private unwatch = () => {};
  /** True when the run has shown something since the last wait. */
  private hasNews = false;
  private wake = () => {};

  constructor(
    private readonly deps: StoredReaderDeps,
    private readonly run: RunState,
  ) {}

  /** Aborts when the reader is stopped. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Reads the events behind seq `after`, up to a page. Rejects `not_found`, `events_expired` and `store_unavailable`. */
  async readPage(after: number): Promise<StoredPage> {
    const { tenantId, id } = this.run;
    const run = await this.deps.store.read.runs.getState(tenantId, id);
    if (!run) throw new AppError('not_found', { param: '/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    if (run.eventsExpired && after < run.lastSeq) throw new AppError('events_expired');
    const events = after < run.lastSeq ? await this.deps.pages.read(tenantId, id, after) : [];
    const endSeq = events.at(-1)?.seq ?? after;
    const isUpToDate = endSeq >= run.lastSeq;
    return { events, endSeq, isUpToDate, isEnded: isUpToDate && (isTerminal(run.status) || events.at(-1)?.type === 'run_end') };
  }

  /**
   * Like `readPage`, but waits for events when there are none yet. The page is empty when the run has ended, when `signal` aborts and when the
   * reader is stopped.
   */
  async readNext(after: number, signal: AbortSignal): Promise<StoredPage> {
    const ending = AbortSignal.any([signal, this.stopped]);
    await this.follow();
    for (;;) {
      const page = await this.readPage(after);
      if (page.events.length > 0 || page.isEnded || ending.aborted) return page;
      await this.waitForNews(ending);
      if (ending.aborted) return page;
      await pause(this.deps.remoteRuns.isExecutedHere(this.run.id) ? COLLECT_MS : COLLECT_REMOTE_MS);
      await this.deps.storeShownEvents(this.run.id);
    }
  }

  stop(): void {
    this.stopping.abort();
    this.subscription?.stop();
    this.unwatch();
  }

  /** Subscribes to what the run shows, once. */
  private async follow(): Promise<void> {
    if (this.subscription || this.stopped.aborted) return;
    const { id, tenantId, sessionId } = this.run;
    const subscription = await this.deps.bus.subscribe(sessionId, {
      events: events => events[0]?.runId === id && this.noteNews(),
      missed: () => this.noteNews(),
    });
    this.subscription = subscription;
    this.hasNews ||= subscription.live.some(event => event.runId === id);
    this.unwatch = this.deps.remoteRuns.watch({ tenantId, id, lastSeq: 0 }, () => this.noteNews());
    if (this.stopped.aborted) this.stop();
  }

  private noteNews(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Resolves when the run has shown something since the last wait, when the signal aborts, or after a quiet time. */
  private async waitForNews(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    const stopTimer = this.deps.clock.after(QUIET_MS, resolve);
    if (!this.hasNews) await promise;
    stopTimer();
    this.hasNews = false;
  }
}
