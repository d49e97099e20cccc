/** Divides a span of time into parts, and adds up the runs of each. Pure. */
import { Histogram } from '../../../utils/histogram';
import type { OpsHistory } from '../schemas/history_schema';
import type { OpsQuestionPeriod, OpsRunRow } from '../store/ops_records';
import { type Period, peaksOf } from './peaks';

/** Times are milliseconds since 1970. */
export interface HistorySpan {
  from: number;
  to: number;
  partMs: number;
  /** Cost is known by day alone. */
  isByDay: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds in the queue from which on a run counts as queued: each run passes through the queue. */
const MIN_WAIT_MS = 1_000;

/** Length of the span in hours -> length of a part. */
const PARTS: readonly (readonly [hours: number, partMs: number])[] = [
  [1, MINUTE_MS],
  [6, 5 * MINUTE_MS],
  [24, 15 * MINUTE_MS],
  [168, 2 * HOUR_MS],
  [720, 12 * HOUR_MS],
];

/** Returns the span that ends with the part of `now`; its parts begin at round times. */
export function spanOf(now: number, hours: number): HistorySpan {
  const [, partMs] = PARTS.find(([longest]) => hours <= longest) ?? [0, 12 * HOUR_MS];
  const to = (Math.floor(now / partMs) + 1) * partMs;
  return { from: to - hours * HOUR_MS, to, partMs, isByDay: hours > 24 };
}

/** Returns the number of the part that holds the time; undefined outside of the span. */
export function partAt({ from, to, partMs }: HistorySpan, time: number): number | undefined {
  return time < from || time >= to ? undefined : Math.floor((time - from) / partMs);
}

interface HistoryRecords {
  runs: readonly OpsRunRow[];
  questions: readonly OpsQuestionPeriod[];
}

/** Counts runs in the part of their end, and in each part the runs in the queue and the people who were waited for. Open periods last until `now`. */
export function partsOf(span: HistorySpan, { runs, questions }: HistoryRecords, now: number): OpsHistory['parts'] {
  const parts = Array.from({ length: Math.round((span.to - span.from) / span.partMs) }, () => ({
    runs: 0,
    failed: 0,
    times: new Histogram(),
    waits: new Histogram(),
  }));
  for (const { status, createdAt, startedAt, endedAt } of runs) {
    const part = endedAt === undefined ? undefined : parts[partAt(span, endedAt) ?? -1];
    if (!part || endedAt === undefined) continue;
    part.runs += 1;
    if (status === 'failed') part.failed += 1;
    part.times.record(endedAt - createdAt);
    if (startedAt !== undefined) part.waits.record(startedAt - createdAt);
  }
  const queued = peaksOf(
    span,
    runs.map(run => queueOf(run, now)).filter(({ from, to }) => to - from >= MIN_WAIT_MS),
  );
  const waiting = peaksOf(
    span,
    questions.map(({ createdAt, endsAt }) => ({ from: createdAt, to: Math.min(endsAt, now) })),
  );
  return parts.map(({ runs: count, failed, times, waits }, index) => ({
    at: new Date(span.from + index * span.partMs).toISOString(),
    runs: count,
    failed,
    p50Ms: times.percentile(0.5),
    p90Ms: times.percentile(0.9),
    p99Ms: times.percentile(0.99),
    queueP95Ms: waits.percentile(0.95),
    queued: queued[index] ?? 0,
    waiting: waiting[index] ?? 0,
  }));
}

const queueOf = ({ createdAt, startedAt, endedAt }: OpsRunRow, now: number): Period => ({
  from: createdAt,
  to: startedAt ?? endedAt ?? now,
});
