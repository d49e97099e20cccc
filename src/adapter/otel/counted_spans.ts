/** Bounds the spans that wait for the receiver, and counts those that are dropped. */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { LogError } from '../../port/logger';

/** Spans that have ended and are not sent yet, and those that were dropped since the receiver took some. */
export interface SpanQueue {
  waiting: number;
  readonly limit: number;
  /** UTF-16 units of their texts: spans with contents are long. */
  waitingUnits: number;
  readonly unitLimit: number;
  dropped: number;
}

type ExportDone = Parameters<SpanExporter['export']>[1];

/** Tells once that a receiver does not take spans, and how many were dropped when it takes them again. */
export class CountedExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly inner: SpanExporter,
    private readonly queue: SpanQueue,
    private readonly onError: LogError,
  ) {}

  export(spans: ReadableSpan[], done: ExportDone): void {
    this.inner.export(spans, result => {
      this.queue.waiting -= spans.length;
      this.queue.waitingUnits -= spans.reduce((units, span) => units + unitsOf(span), 0);
      this.note(spans.length, result.error, result.code === 0);
      done(result);
    });
  }

  /** Drops the spans that still wait. */
  giveUp(): void {
    if (this.queue.waiting > 0) this.note(this.queue.waiting, new Error(`${this.queue.waiting} spans were not sent.`), false);
  }

  async shutdown(): Promise<void> {
    await this.inner.shutdown();
  }

  private note(count: number, error: unknown, isSent: boolean): void {
    const { queue, onError } = this;
    if (!isSent) {
      queue.dropped += count;
      if (!this.isFailing) onError('the receiver of traces does not take spans; they are dropped until it does', messageOf(error));
      this.isFailing = true;
      return;
    }
    if (this.isFailing || queue.dropped > 0) onError('the receiver of traces takes spans again', `${queue.dropped} spans were dropped.`);
    this.isFailing = false;
    queue.dropped = 0;
  }
}

/** Drops spans when too many wait. */
export function toCountedProcessor(inner: SpanProcessor, queue: SpanQueue): SpanProcessor {
  return {
    onStart: (span, context) => inner.onStart(span, context),
    onEnd(span) {
      const units = unitsOf(span);
      if (queue.waiting >= queue.limit || queue.waitingUnits + units > queue.unitLimit) {
        queue.dropped += 1;
        return;
      }
      queue.waiting += 1;
      queue.waitingUnits += units;
      inner.onEnd(span);
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
}

function unitsOf({ attributes }: ReadableSpan): number {
  let units = 0;
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'string') units += value.length;
  }
  return units;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'It did not answer.');
