import type { ObservedRun } from '../../port/observed_run';
import type { RunRecord } from '../../port/store/runs';

/** The facts of a run that observers see. */
export function toObservedRun(run: Omit<RunRecord, 'ordinal'>): ObservedRun {
  const { id: runId, sessionId, tenantId, door, agent, parent, trace, requestId } = run;
  const ofParent = parent && { parent: { runId: parent.runId, toolCallId: parent.toolCallId } };
  return { runId, sessionId, tenantId, door, agent, ...ofParent, trace, requestId };
}
