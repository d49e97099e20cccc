/**
 * Writes the log of a run: numbers the events, publishes and stores them. Deltas and appended events are published first, recorded events are stored
 * first. A run has one writer at a time, and a writer has one transaction at a time.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Failpoint, Failpoints } from '../../port/failpoints';
import type { ChatMessage } from '../../port/llm';
import type { Observer } from '../../port/observer';
import { type DeltaBody, isDelta, type RunEventType } from '../../port/run_event';
import type { MessageRecord } from '../../port/store/messages';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { RecordBody, RunJournal } from '../../runtime/journal';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import { type AlsoWrite, type Entry, type ExtraWrite, mergeDelta, type NumberedEntry, numberEntries } from './run_entry';
import type { RunHooks } from './run_hooks';
import { type RunOwner, WriterClosed } from './run_owner';
import { appendOnce, type ProjectionState, RunProjection } from './run_projection';
import type { DeltaTick, WriteTick } from './writer_ticks';

export interface RunWriterDeps {
  store: Store;
  bus: EventBus;
  clock: Clock;
  ids: IdSource;
  failpoints: Failpoints;
  writeTick: WriteTick;
  deltaTick: DeltaTick;
  hooks: Pick<RunHooks, 'numbered'>;
  observer: Observer;
}

/** The most published events that are not stored; further events are stored before they are published. */
const MAX_LIVE_EVENTS = 2_000;

const FAILPOINT_AFTER: Partial<Record<RunEventType, Failpoint>> = {
  message_end: 'attempt_stored',
  tool_call_start: 'tool_intent',
  tool_call_end: 'tool_result_stored',
  clarify_request: 'clarify_opened',
  approval_request: 'clarify_opened',
  run_end: 'run_end',
};

export class RunWriter implements RunJournal {
  /** Entries without a number: the deltas until the next tick, or a barrier and everything behind it. */
  private queue: Entry[] = [];
  /** Published entries that are not stored yet: storedSeq < seq <= lastSeq. */
  private live: NumberedEntry[] = [];
  private lastSeq: number;
  private storedSeq: number;
  /** Seq of the last appended event. Only deltas may follow this event in `live`. */
  private appendedSeq = 0;
  private shownText = '';
  private isWriting = false;
  /** True while a barrier is being stored: nothing is published until the barrier is stored. */
  private isHolding = false;
  private isDeltaScheduled = false;
  private isTickAwaited = false;
  /** The next background write must store every event up to this seq. */
  private dueSeq = 0;
  private failure: unknown;
  private extraWrites: ExtraWrite[] = [];
  private readonly projection: RunProjection;
  /** True: every event is stored before it is published. */
  private readonly storesFirst: boolean;

  constructor(
    private readonly deps: RunWriterDeps,
    private readonly run: RunRecord,
    state: ProjectionState,
    private readonly owner: RunOwner,
  ) {
    this.lastSeq = run.lastSeq;
    this.storedSeq = run.lastSeq;
    this.storesFirst = run.interaction.publishes === 'stored';
    this.projection = new RunProjection(run, deps.ids, state);
    owner.abandoned.addEventListener('abort', () => this.close(new WriterClosed()), { once: true });
    if (owner.abandoned.aborted) this.close(new WriterClosed());
  }

  /** The text that was published since the last complete message. */
  get unfinishedText(): string {
    return this.shownText;
  }

  /** The messages that this writer has created, in order. They are durable once a later `record` is stored. */
  get messages(): readonly MessageRecord[] {
    return this.projection.messages;
  }

  /** True after a failed write, and after the run was abandoned; every append throws and every record rejects then. */
  get isClosed(): boolean {
    return this.failure !== undefined;
  }

  delta(body: DeltaBody): void {
    if (body.type === 'text_delta') this.shownText += body.data.text;
    const last = this.queue.at(-1);
    if (!last || !mergeDelta(last, body)) this.queue.push({ body });
    if (this.storesFirst) this.awaitTick();
    if (this.storesFirst || this.isDeltaScheduled) return;
    this.isDeltaScheduled = true;
    this.deps.deltaTick.wait(() => {
      this.isDeltaScheduled = false;
      this.advance();
    });
  }

  append(body: RecordBody, message?: ChatMessage): void {
    if (this.failure !== undefined) throw this.failure;
    if (body.type === 'message_end') this.shownText = '';
    this.queue.push({ body, message });
    if (this.storesFirst) this.awaitTick();
    else this.advance();
  }

  /** Stores an event with everything before it, then publishes it. `message`: completed by the event; `also`: more writes in the transaction. */
  record(body: RecordBody, message?: ChatMessage, also?: AlsoWrite): Promise<void> {
    if (body.type === 'message_end') this.shownText = '';
    return this.enqueueBarrier({ body, message, also });
  }

  /** Makes `write` in the transaction of the next events; never, when the writer closes before. A failure of `write` loses no event. */
  writeWithNext(write: AlsoWrite, onError: ExtraWrite['onError']): void {
    this.extraWrites.push({ write, onError });
  }

  /** Resolves once every appended event is stored. Rejects as record does. */
  storeAppended(): Promise<void> {
    return this.enqueueBarrier({});
  }

  /** Resolves once every event that was shown is stored, the text of an unfinished message included. Rejects as record does. */
  storeShown(): Promise<void> {
    return this.enqueueBarrier({ storesDeltas: true });
  }

  private enqueueBarrier(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ ...entry, barrier: { resolve, reject } });
      // Store everything that is recorded in the same turn in one transaction.
      queueMicrotask(() => this.advance());
    });
  }

  /** Publishes the entries before the first barrier, then stores the entries that must be stored now. */
  private advance(): void {
    if (this.failure !== undefined) this.rejectQueue();
    if (this.isHolding) return;
    this.publishQueue();
    if (!this.isWriting && this.mustWrite) void this.writeAll();
  }

  /** True when entries must be stored now. After publishQueue the queue is empty or begins with an entry that must be stored first. */
  private get mustWrite(): boolean {
    return this.failure === undefined && (this.queue.length > 0 || this.dueSeq > this.storedSeq);
  }

  /** Publishes up to the first barrier, or up to the limit of events that are not stored. */
  private publishQueue(): void {
    const room = this.storesFirst ? 0 : MAX_LIVE_EVENTS - this.live.length;
    const barrier = this.queue.findIndex(entry => entry.barrier);
    const count = Math.min(barrier === -1 ? this.queue.length : barrier, room);
    if (count <= 0) return;
    const entries = this.number(this.queue.splice(0, count));
    this.live.push(...entries);
    this.lastSeq += count;
    const appended = entries.findLast(entry => !isDelta(entry.event));
    if (appended) {
      this.appendedSeq = appended.event.seq;
      this.awaitTick();
    }
    const events = entries.map(({ event }) => event);
    this.deps.bus.publishLive(events, this.run.epoch);
    // The loop does not wait for this failpoint, so the failpoint can only crash or block the process.
    if (appended) this.deps.failpoints.reach('event_published')?.catch(() => {});
  }

  private number(entries: readonly Entry[]): NumberedEntry[] {
    const at = this.deps.clock.now();
    this.owner.lastEventAt = at;
    const numbered = numberEntries(this.run, this.lastSeq, at, entries);
    const { numbered: listeners } = this.deps.hooks;
    // Called for each delta: an iterator would be garbage of every token.
    for (let i = 0; i < listeners.length; i += 1) listeners[i]?.(this.run, numbered, at);
    return numbered;
  }

  private awaitTick(): void {
    if (this.isTickAwaited) return;
    this.isTickAwaited = true;
    this.deps.writeTick.wait(() => {
      this.isTickAwaited = false;
      this.dueSeq = this.appendedSeq;
      this.advance();
    });
  }

  /** Stores until nothing must be stored any more. Never rejects; a failure closes the writer. */
  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.mustWrite) {
      const held = this.queue;
      this.queue = [];
      this.isHolding = held.length > 0;
      try {
        await this.write(held);
        for (const { barrier } of held) barrier?.resolve();
      } catch (thrown) {
        this.fail(thrown);
        for (const { barrier } of held) barrier?.reject(thrown);
      }
      this.isHolding = false;
      if (this.failure === undefined) this.publishQueue();
    }
    this.isWriting = false;
  }

  /**
   * Stores the live entries and the entries behind a barrier, then publishes the latter. A background write leaves deltas out, which are stored with
   * their message, unless a barrier asks for them.
   */
  private async write(held: readonly Entry[]): Promise<void> {
    const { bus } = this.deps;
    const fresh = this.number(held);
    const storesDeltas = fresh.length > 0 || held.some(entry => entry.storesDeltas);
    const liveCount = storesDeltas ? this.live.length : Math.max(0, this.appendedSeq - this.storedSeq);
    const entries = [...this.live.slice(0, liveCount), ...fresh];
    const last = entries.at(-1);
    if (!last) return;
    await this.store(entries);
    this.live.splice(0, liveCount);
    this.storedSeq = last.event.seq;
    this.lastSeq += fresh.length;
    const published = fresh.map(({ event }) => event);
    if (published.length > 0) bus.publish(published, this.run.epoch);
    else bus.markStored(this.run.sessionId, this.run.id, this.storedSeq);
    for (const { event } of entries) {
      const point = FAILPOINT_AFTER[event.type];
      const reached = point && this.deps.failpoints.reach(point);
      if (reached) await reached;
    }
  }

  /** Retries while the store is unavailable, until the writer is closed. */
  private async store(entries: readonly NumberedEntry[]): Promise<void> {
    const { store, clock, failpoints } = this.deps;
    const events = entries.map(({ event }) => event);
    const writes = [...this.projection.writesFor(entries), ...entries.flatMap(({ also }) => also ?? [])];
    const extra = this.extraWrites.splice(0);
    const reached = events.some(event => event.type === 'tool_call_end') && failpoints.reach('tool_effect');
    if (reached) await reached;
    const append = (more: readonly ExtraWrite[]) => {
      const appendEvents = appendOnce(store, this.run, events, [...writes, ...more.map(({ write }) => write)]);
      return () => failpoints.reach('event_append')?.then(appendEvents) ?? appendEvents();
    };
    const giveUp = () => {
      if (this.failure !== undefined) throw this.failure;
    };
    try {
      await retryWhileStoreUnavailable(clock, append(extra), giveUp);
    } catch (thrown) {
      giveUp();
      if (extra.length === 0) throw thrown;
      await retryWhileStoreUnavailable(clock, append([]), giveUp);
      for (const { onError } of extra) onError(thrown);
    }
    this.deps.observer.note({ type: 'events_stored', count: events.length });
  }

  /** Closes the writer after a failed write, stops the run, and tells readers to forget what was published and not stored. */
  private fail(thrown: unknown): void {
    this.close(thrown);
    this.deps.bus.withdraw(this.run.sessionId, this.run.id);
    this.owner.stop(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }

  private close(reason: unknown): void {
    this.failure ??= reason;
    this.rejectQueue();
  }

  private rejectQueue(): void {
    for (const { barrier } of this.queue.splice(0)) barrier?.reject(this.failure);
  }
}
