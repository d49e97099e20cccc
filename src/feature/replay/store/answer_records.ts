/** Answers of replays and suites whose requests had an Idempotency-Key, as the store keeps them for repetitions. Times are milliseconds since 1970. */

export interface ReplayAnswerRecord {
  tenantId: string;
  id: string;
  /** The session of the replayed run, with which the answer is deleted; absent for a suite. */
  sessionId?: string;
  /** The process that works on the answer. */
  owner: string;
  /** In wire form; absent while the work goes on. */
  answer?: object;
  createdAt: number;
}

export interface ReplayAnswerReader {
  get(tenantId: string, id: string): Promise<ReplayAnswerRecord | undefined>;
}

export interface ReplayAnswerWriter extends ReplayAnswerReader {
  /** Rejects with `internal` when the id is taken. */
  insert(record: ReplayAnswerRecord): Promise<void>;
  setAnswer(tenantId: string, id: string, answer: object): Promise<void>;
  delete(tenantId: string, id: string): Promise<void>;
  /** All tenants. */
  deleteBefore(createdAt: number): Promise<void>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly replayAnswers: ReplayAnswerReader;
  }
  interface StoreWriters {
    replayAnswers: ReplayAnswerWriter;
  }
}
