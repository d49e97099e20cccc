/** The functions of the run executor that the crew calls. */
import type { RunRecord } from '../../port/store/runs';
import type { Claimed } from './start_request';

export interface ChildRuns {
  /** Executes a stored run whose slot is taken. */
  launch(claimed: Claimed): void;
  /** Resolves with the run once it is terminal. Rejects `not_found` when it was deleted, and `draining` when this process stops first. */
  waitForEnd(tenantId: string, runId: string): Promise<RunRecord>;
  /** Cancels every unfinished run of the session and resolves when they have ended. */
  cancelSession(tenantId: string, sessionId: string): Promise<void>;
}
