/** The branches of a chat: where a branch leaves its source, and which runs stand in the same place of different branches. */
import { AppError } from '../../errors';
import type { BranchRecord } from '../../port/store/session_branches';
import type { SessionRecord } from '../../port/store/sessions';
import type { StoreReader } from '../../port/store/store';
import type { BranchPoint } from './session_fork';

/** Runs that stand in one place of a chat, each in its branch, oldest first. */
export interface RunsOfPlace {
  runs: { runId: string; sessionId: string }[];
}

/** Finds where a branch of `source` before the run begins. Rejects `not_found` when the source has no message of the run. */
export async function findBranchPoint(
  read: Pick<StoreReader, 'messages' | 'runs' | 'sessions'>,
  source: SessionRecord,
  runId: string,
): Promise<BranchPoint> {
  const { tenantId, id, rootSessionId = id } = source;
  const before = await read.messages.beginningOf(tenantId, id, runId);
  if (!before) throw noRun();
  const run = await read.runs.get(tenantId, runId);
  const owner = run?.ordinal === 1 ? await read.sessions.get(tenantId, run.sessionId) : undefined;
  // The first run of a branch stands in the place of an earlier run, and so will the first run of the new branch. A fork is another chat: in it, the copy of
  // that first run has a place of its own.
  const branch = owner?.rootSessionId === rootSessionId ? owner : undefined;
  return { before, rootSessionId, beforeRunId: branch?.beforeRunId ?? runId, beforeSessionId: branch?.beforeSessionId ?? id };
}

/** Groups the first runs of branches by the place in which they stand, with the run that stood there first, in the session that was branched first. */
export function groupByPlace(branches: readonly BranchRecord[]): RunsOfPlace[] {
  const places = new Map<string, RunsOfPlace>();
  for (const { sessionId, beforeRunId, beforeSessionId, firstRunId } of branches) {
    const place = places.get(beforeRunId) ?? { runs: [] };
    if (place.runs.length === 0 && beforeSessionId !== undefined) place.runs.push({ runId: beforeRunId, sessionId: beforeSessionId });
    place.runs.push({ runId: firstRunId, sessionId });
    places.set(beforeRunId, place);
  }
  return [...places.values()];
}

const noRun = (): AppError =>
  new AppError('not_found', { param: '/before', message: 'The session has no such run.', messageZh: '会话中没有这次运行。' });
