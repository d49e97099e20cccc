/** Numbers about the whole store, for monitoring. */
import type { QuestionKind } from './questions';

/** Counts end at 10,000. Times are milliseconds since 1970. */
export interface StoreGauges {
  /** Open questions whose deadline has not passed. A kind without one is absent. */
  pendingQuestions: Partial<Record<QuestionKind, { count: number; oldestAt: number }>>;
  /** Queued runs by door. */
  queuedRuns: Record<string, number>;
  /** Name of the newest migration that was applied. */
  schema: string;
  /** Migrations of this version that the database does not have. */
  missingMigrations: number;
  sizeBytes: number;
}

export interface GaugeReader {
  /** All tenants. Reads a bounded number of rows, by index. */
  read(now: number): Promise<StoreGauges>;
}
