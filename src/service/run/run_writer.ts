/**
 * Writes the log of a run: numbers the events, stores them and publishes them. A run has one writer at a time. A recorded event is durable
 * before it is published; a live delta is published at once and stored together with its message.
 */
import type { Clock, IdSource } from '../../port/clock';
import type { EventBus } from '../../port/event_bus';
import type { Failpoint, Failpoints } from '../../port/failpoints';
import type { ChatMessage } from '../../port/llm';
import { type DeltaBody, isDelta, type RunEvent, type RunEventBody, type RunEventType } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { RunJournal } from '../../runtime/journal';
import { retryWhileStoreUnavailable } from './retry_while_store_unavailable';
import { type ProjectionState, RunProjection } from './run_projection';

export interface RunWriterDeps {
  store: Store;
  bus: EventBus;
  clock: Clock;
  ids: IdSource;
  failpoints: Failpoints;
}

/** More writes for the transaction that stores an event. A retried transaction calls it again. */
export type AlsoWrite = (tx: StoreTransaction) => Promise<void>;

/** Rejects writes to a run that this process has abandoned. */
export class WriterClosed extends Error {
  constructor() {
    super('The run is no longer written here.');
    this.name = 'WriterClosed';
  }
}

interface Entry {
  body: RunEventBody;
  message?: ChatMessage;
  also?: AlsoWrite;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/** Limit of live events in memory; further ones are stored before their message is complete. */
const MAX_LIVE_EVENTS = 2_000;

const FAILPOINT_AFTER: Partial<Record<RunEventType, Failpoint>> = {
  message_end: 'attempt_stored',
  tool_call_start: 'tool_intent',
  tool_call_end: 'tool_result_stored',
  clarify_request: 'clarify_opened',
  approval_request: 'clarify_opened',
  run_end: 'run_end',
};

/** Adds number, time and ids to the body of an event. `now` is in milliseconds since 1970. */
export function numberEvent(run: Pick<RunRecord, 'id' | 'sessionId'>, seq: number, now: number, body: RunEventBody): RunEvent {
  return { v: 1, sessionId: run.sessionId, runId: run.id, seq, ts: new Date(now).toISOString(), ...body };
}

export class RunWriter implements RunJournal {
  private queue: Entry[] = [];
  /** Published events that are not stored yet. */
  private live: RunEvent[] = [];
  private lastSeq: number;
  private shownText = '';
  private isFlushing = false;
  private isScheduled = false;
  private failure: unknown;
  private readonly projection: RunProjection;

  constructor(
    private readonly deps: RunWriterDeps,
    private readonly run: RunRecord,
    state: ProjectionState,
    /** Closes the writer when it aborts: later records reject with WriterClosed, and nothing more is stored or published. */
    abandoned?: AbortSignal,
  ) {
    this.lastSeq = run.lastSeq;
    this.projection = new RunProjection(run, deps.ids, state);
    abandoned?.addEventListener('abort', () => this.close(), { once: true });
    if (abandoned?.aborted) this.close();
  }

  /** The text that was published since the last complete message. */
  get unfinishedText(): string {
    return this.shownText;
  }

  /** True after a failed write, and after the run was abandoned; every record rejects then. */
  get isClosed(): boolean {
    return this.failure !== undefined;
  }

  /** Publishes a live event soon. Deltas of the same stream are merged until then. */
  delta(body: DeltaBody): void {
    if (body.type === 'text_delta') this.shownText += body.data.text;
    const last = this.queue.at(-1);
    if (!last || !mergeDelta(last.body, body)) this.queue.push({ body: copyDelta(body) });
    if (this.isScheduled || this.isFlushing) return;
    this.isScheduled = true;
    setImmediate(() => void this.flush());
  }

  /**
   * Stores and publishes an event, with its message and the writes of `also` in the same transaction. Rejects WriterClosed, or the error of
   * the failed write; every later record then rejects with the same error.
   */
  record(body: Exclude<RunEventBody, DeltaBody>, message?: ChatMessage, also?: AlsoWrite): Promise<void> {
    if (body.type === 'message_end') this.shownText = '';
    return new Promise((resolve, reject) => {
      this.queue.push({ body, ...(message && { message }), ...(also && { also }), resolve, reject });
      // Store everything that is recorded in the same turn in one transaction.
      queueMicrotask(() => void this.flush());
    });
  }

  /** Never rejects; a failure rejects the pending calls of `record`. */
  private async flush(): Promise<void> {
    this.isScheduled = false;
    if (this.isFlushing) return;
    this.isFlushing = true;
    while (this.queue.length > 0) {
      const entries = this.queue;
      this.queue = [];
      try {
        await this.write(entries);
        for (const entry of entries) entry.resolve?.();
      } catch (thrown) {
        this.failure ??= thrown;
        for (const entry of entries) entry.reject?.(thrown);
      }
    }
    this.isFlushing = false;
  }

  private async write(entries: readonly Entry[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const now = this.deps.clock.now();
    const events = entries.map((entry, i) => numberEvent(this.run, this.lastSeq + 1 + i, now, entry.body));
    const isDurable = entries.some(entry => !isDelta(entry.body)) || this.live.length + events.length > MAX_LIVE_EVENTS;
    if (isDurable) await this.store([...this.live, ...events], entries, now);
    this.lastSeq += events.length;
    this.deps.bus.publish(events);
    if (isDurable) {
      this.live = [];
      this.deps.bus.markStored(this.run.sessionId, this.run.id, this.lastSeq);
      await this.reachFailpoints(events);
    } else {
      this.live.push(...events);
    }
  }

  /** Retries while the store is unavailable; any other failure closes the writer. */
  private async store(events: readonly RunEvent[], entries: readonly Entry[], now: number): Promise<void> {
    const { store, clock, failpoints } = this.deps;
    const writes = this.projection.writesFor(entries, now);
    if (entries.some(entry => entry.body.type === 'tool_call_end')) await failpoints.reach('tool_effect');
    const append = async (): Promise<void> => {
      await failpoints.reach('event_append');
      await store.transaction(async tx => {
        await tx.appendEvents(this.run, events);
        for (const write of writes) await write(tx);
        for (const entry of entries) await entry.also?.(tx);
      });
    };
    await retryWhileStoreUnavailable(clock, append, () => {
      if (this.failure !== undefined) throw this.failure;
    });
  }

  private close(): void {
    this.failure ??= new WriterClosed();
  }

  private async reachFailpoints(events: readonly RunEvent[]): Promise<void> {
    const { failpoints } = this.deps;
    for (const event of events) {
      const point = FAILPOINT_AFTER[event.type];
      if (point) await failpoints.reach(point);
    }
  }
}

const copyDelta = (body: DeltaBody): DeltaBody => ({ ...body, data: { ...body.data } }) as DeltaBody;

/** Appends `more` to `last` when both belong to the same stream of text or output. Returns false otherwise. */
function mergeDelta(last: RunEventBody, more: DeltaBody): boolean {
  if (last.type === 'tool_call_delta' && more.type === 'tool_call_delta' && last.data.toolCallId === more.data.toolCallId) {
    last.data.output += more.data.output;
    return true;
  }
  if ((last.type === 'text_delta' || last.type === 'reasoning_delta') && last.type === more.type) {
    last.data.text += more.data.text;
    return true;
  }
  return false;
}
