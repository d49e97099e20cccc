/**
 * Delivers the events of a session, or of one run, to a reader: it replays stored events from a cursor, then switches to live ones, without a
 * gap or a duplicate. The buffer for a slow reader is bounded; when it overflows, the reader gets a replay from the store.
 */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { EventBus, EventSubscription } from '../../port/event_bus';
import { isTerminal, type RunEvent } from '../../port/run_event';
import { RUNS_PER_READ, type RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { type EventPageCache, sizeOfEvent } from './event_page_cache';
import type { EventSink } from './event_sink';
import { type EventCursor, mayBeLost } from './stored_cursor';

export interface SubscriptionRequest {
  tenantId: string;
  sessionId: string;
  /** The last event that the reader has. Absent: the active run, from its first event. */
  after?: { runId: string } & EventCursor;
  /** Limits the subscription to the run of the cursor. The subscription then ends with this run. */
  onlyRun?: boolean;
}

/** Limits of the snapshot in a `replay_reset`; later events follow one by one. */
const SNAPSHOT = { limit: 2_000, maxBytes: 256 * 1024 };
/** Events of this size and more are delivered to readers one at a time, each in a turn of the event loop. */
const LARGE_EVENT_BYTES = 64 * 1024;
/** Limits of the buffer for a reader that is busy. */
const MAX_BUFFERED = { events: 2_000, bytes: 256 * 1024 };

export class RunSubscription {
  /** Last delivered seq, by run id. */
  private readonly deliveredSeq = new Map<string, number>();
  /** Epoch of each run at its last replay. When the epoch has changed since, delivered live events may have been lost. */
  private readonly replayedEpochs = new Map<string, number>();
  /** Live events after `storedSeq` that were withdrawn since the last replay, by run id. */
  private readonly withdrawals = new Map<string, { storedSeq: number }>();
  /** Runs whose `run_end` was delivered. */
  private readonly endedRuns = new Set<string>();
  private buffer: RunEvent[] = [];
  private bufferSize = 0;
  private mustReplay = true;
  private isDraining = false;
  private isStopped = false;
  /** Time of the newest published events, of the monotonic clock. */
  private receivedAt = 0;
  private subscription?: EventSubscription;
  private readonly end = Promise.withResolvers<void>();
  private failure: unknown;
  /** Resolves when the subscription has ended: by `stop`, by a failure, or with its one run. */
  readonly ended = this.end.promise;

  constructor(
    private readonly deps: { store: Store; bus: EventBus; clock: Clock; pages: EventPageCache },
    private readonly request: SubscriptionRequest,
    private readonly sink: EventSink,
  ) {}

  /**
   * Subscribes to a run that has not published an event yet. Its events wait for `start`, which then reads nothing from the store. Never
   * rejects: when the bus fails, `start` tries again.
   */
  async join(): Promise<void> {
    this.isDraining = true;
    try {
      await this.resubscribe();
      if (this.request.after) this.deliveredSeq.set(this.request.after.runId, 0);
      this.mustReplay = false;
    } catch {
      this.mustReplay = true;
    }
  }

  /**
   * Starts the replay, then delivers live events. Resolves when the reader has every event that existed at the call. Rejects `not_found` when
   * the run of the cursor is not one of the session, and `store_unavailable`.
   */
  async start(): Promise<void> {
    this.isDraining = false;
    await this.drain();
    if (this.failure !== undefined) throw this.failure;
  }

  /** Reads the store again, for events that another process has stored and that were not published here. */
  readAgain(): void {
    this.mustReplay = true;
    void this.drain();
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.buffer = [];
    this.subscription?.stop();
    this.end.resolve();
  }

  /** Returns the run whose events the reader gets and that has shown none since `time`, of the monotonic clock; undefined when there is none. */
  quietRunSince(time: number): string | undefined {
    if (this.isDraining || this.receivedAt > time) return undefined;
    return [...this.deliveredSeq.keys()].find(id => !this.endedRuns.has(id));
  }

  private receive(events: readonly RunEvent[]): void {
    this.receivedAt = this.deps.clock.monotonic();
    if (this.request.onlyRun && events[0]?.runId !== this.request.after?.runId) return;
    this.buffer.push(...events);
    if (this.isDraining) this.limitBuffer(events);
    else void this.drain();
  }

  private withdraw(runId: string, storedSeq: number): void {
    this.buffer = this.buffer.filter(event => event.runId !== runId || event.seq <= storedSeq);
    this.withdrawals.set(runId, { storedSeq: Math.min(storedSeq, this.withdrawals.get(runId)?.storedSeq ?? storedSeq) });
    this.readAgain();
  }

  private limitBuffer(added: readonly RunEvent[]): void {
    for (const event of added) this.bufferSize += sizeOfEvent(event);
    if (this.buffer.length <= MAX_BUFFERED.events && this.bufferSize <= MAX_BUFFERED.bytes) return;
    this.emptyBuffer();
    this.mustReplay = true;
  }

  private emptyBuffer(): RunEvent[] {
    const events = this.buffer;
    this.buffer = [];
    this.bufferSize = 0;
    return events;
  }

  /** Delivers the waiting events. Returns undefined when the reader took all of them at once. */
  private drain(): Promise<void> | undefined {
    if (this.isDraining) return undefined;
    this.isDraining = true;
    const busy = this.deliverUntilBusy();
    return busy && this.drainAfter(busy);
  }

  private async drainAfter(busy: Promise<void>): Promise<void> {
    try {
      for (let delivery: Promise<void> | undefined = busy; delivery; delivery = this.deliverUntilBusy()) await delivery;
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  /** Returns the first delivery that must be waited for; undefined when nothing is left. */
  private deliverUntilBusy(): Promise<void> | undefined {
    try {
      while (!this.isStopped && (this.mustReplay || this.buffer.length > 0)) {
        // After an overflow, replay first: the buffered events follow a gap.
        const delivery = this.mustReplay ? this.replayWithRetry() : this.deliver(this.emptyBuffer(), true);
        if (delivery) return delivery;
      }
      this.isDraining = false;
    } catch (thrown) {
      this.fail(thrown);
    }
    return undefined;
  }

  private fail(thrown: unknown): void {
    this.failure = thrown;
    this.stop();
    this.isDraining = false;
  }

  /** Retries for an existing reader while the store is unavailable; a new reader fails at once. */
  private async replayWithRetry(): Promise<void> {
    if (!this.subscription) return this.replay();
    await retryWhileStoreUnavailable(
      this.deps.clock,
      () => this.replay(),
      () => {
        if (this.isStopped) throw new Error('The reader is gone.');
      },
    );
  }

  /** Delivers the stored events after the cursor, then the live events that are not stored yet. */
  private async replay(): Promise<void> {
    this.mustReplay = false;
    const live = await this.resubscribe();
    for await (const run of this.runsToReplay()) {
      const isOver = isTerminal(run.status);
      // The live events of an ended run come from an earlier owner.
      const ownLive = isOver ? [] : live.filter(event => event.runId === run.id);
      await this.resetWhenLost(run, ownLive.at(-1)?.seq);
      for (let isMore = true; isMore && !this.isStopped; ) {
        const events = await this.deps.pages.read(this.request.tenantId, run.id, this.deliveredSeq.get(run.id) ?? 0);
        await this.deliver(events);
        isMore = (events.at(-1)?.seq ?? run.lastSeq) < run.lastSeq;
      }
      await this.deliver(ownLive);
      if (!isOver) continue;
      this.endedRuns.add(run.id);
      if (this.request.onlyRun) this.stop();
    }
  }

  /** Subscribes anew, so that `live` holds every event that the following reads of the store can miss. */
  private async resubscribe(): Promise<readonly RunEvent[]> {
    const earlier = this.subscription;
    this.subscription = await this.deps.bus.subscribe(this.request.sessionId, {
      events: events => this.receive(events),
      withdrawn: (runId, storedSeq) => this.withdraw(runId, storedSeq),
      missed: () => this.readAgain(),
    });
    earlier?.stop();
    if (this.isStopped) this.subscription.stop();
    return this.subscription.live;
  }

  private async *runsToReplay(): AsyncGenerator<RunState> {
    const { tenantId, sessionId, after, onlyRun } = this.request;
    const { read } = this.deps.store;
    // Runs end in order, except queued runs that were cancelled, so take the first delivered run that has not ended.
    const latest = [...this.deliveredSeq.keys()].find(id => !this.endedRuns.has(id)) ?? [...this.deliveredSeq.keys()].at(-1);
    const runId = latest ?? after?.runId;
    if (runId === undefined) return yield* await this.activeRun();
    const run = await read.runs.getState(tenantId, runId);
    if (!run || run.sessionId !== sessionId)
      throw new AppError('not_found', { param: '/after/runId', message: 'There is no such run.', messageZh: '没有这个运行。' });
    if (latest === undefined) {
      this.deliveredSeq.set(runId, after?.seq ?? 0);
      if (after?.isStored) this.replayedEpochs.set(runId, run.epoch);
    }
    yield run;
    for (let last: RunState | undefined = onlyRun ? undefined : run; last; ) {
      const later: RunState[] = await read.runs.statesAfter(tenantId, sessionId, last.ordinal);
      yield* later;
      last = later.length === RUNS_PER_READ ? later.at(-1) : undefined;
    }
  }

  private async activeRun(): Promise<RunState[]> {
    const { tenantId, sessionId } = this.request;
    const { read } = this.deps.store;
    const active = await read.runs.active(tenantId, sessionId);
    const state = active && (await read.runs.getState(tenantId, active.id));
    return state ? [state] : [];
  }

  /** Sends a `replay_reset` when the events at the cursor expired, were lost with their process, or never existed. */
  private async resetWhenLost(run: RunState, lastLive = 0): Promise<void> {
    const delivered = this.deliveredSeq.get(run.id) ?? 0;
    const isAhead = delivered > Math.max(run.lastSeq, lastLive);
    const withdrawal = this.withdrawals.get(run.id);
    const isWithdrawn = withdrawal !== undefined && delivered > withdrawal.storedSeq;
    const isStored = this.replayedEpochs.get(run.id) === run.epoch;
    const isLost = isWithdrawn || mayBeLost({ seq: delivered, isStored }, run);
    const isExpired = run.eventsExpired === true && delivered < run.lastSeq;
    if (isAhead || isLost || isExpired) await this.reset(run, isExpired);
    // Events that were withdrawn during the reset count at the next replay.
    if (this.withdrawals.get(run.id) === withdrawal) this.withdrawals.delete(run.id);
    this.replayedEpochs.set(run.id, run.epoch);
  }

  private async reset(run: RunState, isExpired: boolean): Promise<void> {
    // The deletion of the events may have only begun, so events may still be there: readers get none of them.
    const events = isExpired ? [] : await this.deps.store.read.events.list(this.request.tenantId, run.id, 0, SNAPSHOT);
    const lastSeq = events.at(-1)?.seq ?? (isExpired ? run.lastSeq : 0);
    this.deliveredSeq.set(run.id, lastSeq);
    const { sessionId, id: runId } = run;
    const ts = events.at(-1)?.ts ?? new Date(run.createdAt).toISOString();
    await this.sink([{ v: 1, type: 'replay_reset', sessionId, runId, ts, data: { runId, lastSeq, snapshot: { events } } }]);
  }

  /** Delivers events. `isPublished`: they come from the bus. Leaves out those behind a gap, which a replay brings, and those of an ended run. */
  private deliver(events: readonly RunEvent[], isPublished = false): Promise<void> | void {
    const fresh = events.filter(event => {
      if (isPublished && this.endedRuns.has(event.runId)) return false;
      const delivered = this.deliveredSeq.get(event.runId) ?? 0;
      if (isPublished && event.seq > delivered + 1) {
        this.mustReplay = true;
        return false;
      }
      const isFresh = event.seq > delivered;
      if (isFresh) this.deliveredSeq.set(event.runId, event.seq);
      if (event.type === 'run_end') this.endedRuns.add(event.runId);
      return isFresh;
    });
    if (fresh.length === 0 || this.isStopped) return;
    const delivery = fresh.some(isLarge) ? this.deliverInTurns(fresh) : this.sink(fresh);
    const isLast = this.request.onlyRun && fresh.at(-1)?.type === 'run_end';
    return isLast ? Promise.resolve(delivery).then(() => this.stop()) : delivery;
  }

  private async deliverInTurns(events: readonly RunEvent[]): Promise<void> {
    for (const event of events) {
      if (isLarge(event)) await this.deps.pages.scheduler.nextTurn();
      if (this.isStopped) return;
      await this.sink([event]);
    }
  }
}

const isLarge = (event: RunEvent): boolean => sizeOfEvent(event) >= LARGE_EVENT_BYTES;
