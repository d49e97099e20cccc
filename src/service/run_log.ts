/**
 * The log of runs: numbers events, stores them, sends them on. A run has one writer at a time; what it records is durable before anybody
 * sees it, live deltas are seen at once and stored together with the message they belong to.
 */
import type { Clock, IdSource } from '../port/clock';
import type { EventBus } from '../port/event_bus';
import type { ChatMessage } from '../port/llm';
import { type DeltaBody, isDelta, type RunEvent, type RunEventBody } from '../port/run_event';
import type { Store, StoreTransaction } from '../port/store';
import type { RunRecord } from '../port/store_records';
import type { RunJournal } from '../runtime/journal';
import { RunProjection } from './run_projection';

export interface RunLogPorts {
  store: Store;
  bus: EventBus;
  clock: Clock;
  ids: IdSource;
}

/** More work for the transaction in which an event is stored. */
export type AlsoWrite = (tx: StoreTransaction) => Promise<void>;

interface Entry {
  body: RunEventBody;
  message?: ChatMessage;
  also?: AlsoWrite;
  resolve?: () => void;
  reject?: (error: unknown) => void;
}

/** Live events kept in memory at most; beyond that they are stored before their message is complete. */
const MAX_LIVE_EVENTS = 2_000;

/** An event with number and time. */
export function numberEvent(run: Pick<RunRecord, 'id' | 'sessionId'>, seq: number, now: number, body: RunEventBody): RunEvent {
  return { v: 1, sessionId: run.sessionId, runId: run.id, seq, ts: new Date(now).toISOString(), ...body };
}

export class RunWriter implements RunJournal {
  private queue: Entry[] = [];
  /** Sent on, not stored yet. */
  private live: RunEvent[] = [];
  private lastSeq: number;
  private isFlushing = false;
  private isScheduled = false;
  private failure: unknown;
  private readonly projection: RunProjection;

  /** `nextPosition`: where the next message of the run goes in its history. */
  constructor(
    private readonly ports: RunLogPorts,
    private readonly run: RunRecord,
    nextPosition: number,
  ) {
    this.lastSeq = run.lastSeq;
    this.projection = new RunProjection(run, ports, nextPosition);
  }

  delta(body: DeltaBody): void {
    const last = this.queue.at(-1);
    if (!last || !mergeDelta(last.body, body)) this.queue.push({ body: copyDelta(body) });
    if (this.isScheduled || this.isFlushing) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.flush();
    });
  }

  record(body: Exclude<RunEventBody, DeltaBody>, message?: ChatMessage, also?: AlsoWrite): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ body, ...(message && { message }), ...(also && { also }), resolve, reject });
      void this.flush();
    });
  }

  /** Never rejects: failures reach the callers of `record`. */
  private async flush(): Promise<void> {
    if (this.isFlushing) return;
    this.isFlushing = true;
    while (this.queue.length > 0) {
      const entries = this.queue;
      this.queue = [];
      try {
        await this.write(entries);
        for (const entry of entries) entry.resolve?.();
      } catch (thrown) {
        this.failure = thrown;
        for (const entry of entries) entry.reject?.(thrown);
      }
    }
    this.isFlushing = false;
  }

  private async write(entries: readonly Entry[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const now = this.ports.clock.now();
    const events = entries.map((entry, i) => numberEvent(this.run, this.lastSeq + 1 + i, now, entry.body));
    const isDurable = entries.some(entry => !isDelta(entry.body)) || this.live.length + events.length > MAX_LIVE_EVENTS;
    if (isDurable) {
      const stored = [...this.live, ...events];
      await this.ports.store.transaction(async tx => {
        await tx.appendEvents(this.run, stored);
        await this.projection.apply(tx, entries, now);
        for (const entry of entries) await entry.also?.(tx);
      });
    }
    this.lastSeq += events.length;
    this.ports.bus.publish(events);
    if (isDurable) {
      this.live = [];
      this.ports.bus.settle(this.run.sessionId, this.run.id, this.lastSeq);
    } else {
      this.live.push(...events);
    }
  }
}

const copyDelta = (body: DeltaBody): DeltaBody => ({ ...body, data: { ...body.data } }) as DeltaBody;

/** Appends `more` to `last` when both are pieces of the same thing. */
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
