/**
 * Follows the runs of a session from a cursor: what is stored, then what is live, without a gap and without a double. A slow reader is never
 * buffered for without bound: what it has not taken can be read from the store again.
 */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { EventBus, EventSubscription } from '../../port/event_bus';
import { isTerminal, type RunEvent } from '../../port/run_event';
import type { RunState } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { type EventPageCache, sizeOfEvent } from './event_page_cache';
import { retryWhileStoreUnavailable } from './retry_while_store_unavailable';

/** Takes the place of a cursor whose events are gone: replace all you have of the run by the snapshot. Has no seq. */
export interface ReplayReset {
  v: 1;
  type: 'replay_reset';
  sessionId: string;
  runId: string;
  ts: string;
  data: { runId: string; lastSeq: number; snapshot: { events: RunEvent[] } };
}

/** Gets events in order. A returned promise means: wait for me before the next. A throw or rejection ends the following. */
export type EventSink = (events: readonly (RunEvent | ReplayReset)[]) => Promise<void> | void;

export interface SubscriptionRequest {
  tenantId: string;
  sessionId: string;
  /** The last event the reader has. Absent: the active run from its first event, if there is one. */
  after?: { runId: string; seq: number };
  /** Only the run of the cursor; the following ends with its run_end. */
  onlyRun?: boolean;
}

/** Of a run whose events were lost or are no longer kept, in one message; the rest follows as events. */
const SNAPSHOT = { limit: 2_000, maxBytes: 256 * 1024 };
/** An event of this size is given to its readers one by one, each in a turn of the event loop. */
const LARGE_EVENT_BYTES = 64 * 1024;
/** Kept for a reader that is busy; beyond that it reads on from the store. */
const MAX_WAITING = { events: 2_000, bytes: 256 * 1024 };

export class RunSubscription {
  /** Last seq given to the reader, by run. */
  private readonly deliveredSeq = new Map<string, number>();
  /** Runs whose end was given. */
  private readonly endedRuns = new Set<string>();
  private waiting: RunEvent[] = [];
  private waitingBytes = 0;
  private mustReplay = true;
  private isDraining = false;
  private isStopped = false;
  private subscription?: EventSubscription;
  private onEnd = () => {};
  private failure: unknown;
  /** Resolves when the following is over: stopped, failed, or the one run ended. */
  readonly ended: Promise<void>;

  constructor(
    private readonly deps: { store: Store; bus: EventBus; clock: Clock; pages: EventPageCache },
    private readonly request: SubscriptionRequest,
    private readonly sink: EventSink,
  ) {
    this.ended = new Promise(resolve => {
      this.onEnd = resolve;
    });
  }

  /** Replays and goes live. Resolves when the reader has everything that was there at the call; rejects when that could not be read. */
  async start(): Promise<void> {
    await this.drain();
    if (this.failure !== undefined) throw this.failure;
  }

  /** The store has events that were not published here: another process writes the run. */
  readAgain(): void {
    if (this.isStopped) return;
    this.mustReplay = true;
    void this.drain();
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.waiting = [];
    this.subscription?.stop();
    this.onEnd();
  }

  private take(event: RunEvent): void {
    if (this.request.onlyRun && event.runId !== this.request.after?.runId) return;
    this.waiting.push(event);
    if (this.isDraining) this.boundWaiting(event);
    else void this.drain();
  }

  private boundWaiting(added: RunEvent): void {
    this.waitingBytes += sizeOfEvent(added);
    if (this.waiting.length <= MAX_WAITING.events && this.waitingBytes <= MAX_WAITING.bytes) return;
    this.takeWaiting();
    this.mustReplay = true;
  }

  private takeWaiting(): RunEvent[] {
    const events = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    return events;
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return;
    this.isDraining = true;
    try {
      while (!this.isStopped && (this.mustReplay || this.waiting.length > 0)) {
        // What waits when events were let go during a replay comes after a gap: the replay goes on first.
        const given = this.mustReplay ? this.replayPatiently() : this.deliver(this.takeWaiting());
        if (given) await given;
      }
    } catch (thrown) {
      this.failure = thrown;
      this.stop();
    } finally {
      this.isDraining = false;
    }
  }

  /** Who reads already gets over a store that is away for a while; who begins is told at once. */
  private async replayPatiently(): Promise<void> {
    if (!this.subscription) return this.replay();
    await retryWhileStoreUnavailable(
      this.deps.clock,
      () => this.replay(),
      () => {
        if (this.isStopped) throw new Error('The reader is gone.');
      },
    );
  }

  /** Stored events after the cursor, then those that are still only live. */
  private async replay(): Promise<void> {
    this.mustReplay = false;
    const live = await this.resubscribe();
    for (const run of await this.runsToReplay()) {
      await this.resetWhenLost(run, live);
      for (let isMore = true; isMore && !this.isStopped; ) {
        const events = await this.deps.pages.read(this.request.tenantId, run.id, this.deliveredSeq.get(run.id) ?? 0);
        await this.deliver(events);
        isMore = (events.at(-1)?.seq ?? run.lastSeq) < run.lastSeq;
      }
      await this.deliver(live.filter(event => event.runId === run.id));
      if (!isTerminal(run.status)) continue;
      this.endedRuns.add(run.id);
      if (this.request.onlyRun) this.stop();
    }
  }

  /** A fresh subscription, so that its `live` fits to what the store is read for next. */
  private async resubscribe(): Promise<readonly RunEvent[]> {
    this.subscription?.stop();
    this.subscription = await this.deps.bus.subscribe(this.request.sessionId, event => this.take(event));
    if (this.isStopped) this.subscription.stop();
    return this.subscription.live;
  }

  private async runsToReplay(): Promise<RunState[]> {
    const { tenantId, sessionId, after, onlyRun } = this.request;
    const { read } = this.deps.store;
    // Runs end in their order, but for those that were cancelled in the queue.
    const latest = [...this.deliveredSeq.keys()].find(id => !this.endedRuns.has(id)) ?? [...this.deliveredSeq.keys()].at(-1);
    const runId = latest ?? after?.runId;
    if (runId === undefined) return this.activeRun();
    const run = await read.getRunState(tenantId, runId);
    if (!run || run.sessionId !== sessionId) throw new AppError('not_found', { param: '/after/runId', message: 'There is no such run.' });
    if (latest === undefined) this.deliveredSeq.set(runId, after?.seq ?? 0);
    return onlyRun ? [run] : [run, ...(await read.runStatesAfter(tenantId, sessionId, run.ordinal))];
  }

  private async activeRun(): Promise<RunState[]> {
    const { tenantId, sessionId } = this.request;
    const { read } = this.deps.store;
    const active = await read.activeRun(tenantId, sessionId);
    const state = active && (await read.getRunState(tenantId, active.id));
    return state ? [state] : [];
  }

  /** A cursor can point behind events that were sent but died with their process, or that never were. */
  private async resetWhenLost(run: RunState, live: readonly RunEvent[]): Promise<void> {
    const given = this.deliveredSeq.get(run.id) ?? 0;
    const known = Math.max(run.lastSeq, live.findLast(event => event.runId === run.id)?.seq ?? 0);
    const isAhead = given > known;
    const isCursor = this.request.after?.runId === run.id && given === this.request.after.seq;
    const isLost = run.recoveredAtSeq !== undefined && given > run.recoveredAtSeq && isCursor;
    const isExpired = run.eventsExpired === true && given < run.lastSeq;
    if (!isAhead && !isLost && !isExpired) return;
    const events = await this.deps.store.read.listEvents(this.request.tenantId, run.id, 0, SNAPSHOT);
    const lastSeq = events.at(-1)?.seq ?? (isExpired ? run.lastSeq : 0);
    this.deliveredSeq.set(run.id, lastSeq);
    const { sessionId, id: runId } = run;
    const ts = events.at(-1)?.ts ?? new Date(run.createdAt).toISOString();
    await this.sink([{ v: 1, type: 'replay_reset', sessionId, runId, ts, data: { runId, lastSeq, snapshot: { events } } }]);
  }

  private deliver(events: readonly RunEvent[]): Promise<void> | void {
    const fresh = events.filter(event => {
      const isFresh = event.seq > (this.deliveredSeq.get(event.runId) ?? 0);
      if (isFresh) this.deliveredSeq.set(event.runId, event.seq);
      if (event.type === 'run_end') this.endedRuns.add(event.runId);
      return isFresh;
    });
    if (fresh.length === 0 || this.isStopped) return;
    const taken = fresh.some(isLarge) ? this.giveInTurns(fresh) : this.sink(fresh);
    const isOver = this.request.onlyRun && fresh.at(-1)?.type === 'run_end';
    return isOver ? Promise.resolve(taken).then(() => this.stop()) : taken;
  }

  private async giveInTurns(events: readonly RunEvent[]): Promise<void> {
    for (const event of events) {
      if (isLarge(event)) await this.deps.pages.scheduler.nextTurn();
      if (this.isStopped) return;
      await this.sink([event]);
    }
  }
}

const isLarge = (event: RunEvent): boolean => sizeOfEvent(event) >= LARGE_EVENT_BYTES;
