/** Ratings that people give to answers, as the store keeps them. Times are milliseconds since 1970. */
import type { Page, PageRequest } from '../../../port/store/page';

export const RATINGS = ['up', 'down'] as const;
export type Rating = (typeof RATINGS)[number];

/** A run has at most one of each key. */
export interface FeedbackRecord {
  tenantId: string;
  id: string;
  runId: string;
  sessionId: string;
  /** The key of the person who rated. */
  keyName: string;
  rating: Rating;
  /** The sentence of the person about the answer. */
  text?: string;
  /** The agent and the model that the run had. */
  agent: string;
  model: string;
  createdAt: number;
  updatedAt: number;
}

/** Fields that are absent select all. Times: from `since` on, before `until`. */
export interface FeedbackFilter {
  rating?: Rating;
  agent?: string;
  model?: string;
  /** The chat of this session, with all its branches and with the turns that were copied into the session. */
  sessionId?: string;
  keyName?: string;
  since?: number;
  until?: number;
}

/** Number of each rating of the answers of an agent with a model. */
export interface FeedbackCount {
  tenantId: string;
  agent: string;
  model: string;
  up: number;
  down: number;
}

/** The tenant; absent: all tenants. */
export interface FeedbackScope {
  tenantId?: string;
}

export interface FeedbackReader {
  find(tenantId: string, runId: string, keyName: string): Promise<FeedbackRecord | undefined>;
  /** Lists the latest change first; of the same time, the higher id first. */
  list(scope: FeedbackScope, filter: FeedbackFilter, page: PageRequest): Promise<Page<FeedbackRecord>>;
  /** Counts the ratings since the time, by tenant, agent and model, in this order. */
  count(scope: FeedbackScope, since: number): Promise<FeedbackCount[]>;
}

export interface FeedbackWriter {
  /** Stores the feedback in the place of an earlier one of the same run and key. */
  put(feedback: FeedbackRecord): Promise<void>;
  /** Resolves false when there is none. */
  delete(tenantId: string, runId: string, keyName: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly feedback: FeedbackReader;
  }
  interface StoreWriters {
    feedback: FeedbackWriter;
  }
}
