/** The functions of a crew that a run needs. */
import type { RunRecord } from '../../port/store/runs';
import type { CrewAccess } from '../../tools/crew_access';
import type { RunTurn } from './run_turn';

export interface RunCrew {
  /** Returns what the crew tools of this run can do; undefined for an agent without a crew. */
  accessFor(turn: RunTurn): CrewAccess | undefined;
  /**
   * Cancels the child runs that are left when their parent ends, and completes the parent's log. `turn` is absent when the parent could not be
   * opened. Never rejects.
   */
  endChildren(run: RunRecord, turn: RunTurn | undefined): Promise<void>;
}

/** The crew of a gateway without that feature: no run has members. */
export const NO_CREW: RunCrew = { accessFor: () => undefined, endChildren: async () => {} };
