/** Defines the map that wakes a waiting run of this process when its question is answered. */
import type { GivenAnswer } from '../../port/store/questions';

export interface SessionKey {
  tenantId: string;
  sessionId: string;
}

/** The waiting runs of this process by requestId. The map only wakes a run: the stored question decides which answer counts. */
export interface QuestionResolvers {
  /** Resolves with the answer, or with undefined once the question is released. */
  wait(requestId: string, session: SessionKey): Promise<GivenAnswer | undefined>;
  /** Returns false when no run of this process waits for the question, or when the question belongs to another session. */
  resolve(requestId: string, session: SessionKey, answer: GivenAnswer): boolean;
  /** Returns false when no run of this process waits for the question. */
  release(requestId: string): boolean;
}
