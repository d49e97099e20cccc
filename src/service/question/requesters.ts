/** Finds whose words have caused a call: those of the run, and of all runs of its crew, because members read what their master and the others report. */
import type { RunRecord, RunState } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';

type Reader = Pick<StoreReader, 'runs' | 'steeringMessages' | 'questions' | 'sessions'>;

/**
 * Names the callers that started the runs, the writers of their messages, those who answered their questions, and who wrote the instructions of the
 * chat. Names may come twice.
 */
export async function findRequesters(read: Reader, run: RunRecord): Promise<string[]> {
  const master = await findMaster(read, run);
  const [session, names] = await Promise.all([read.sessions.get(run.tenantId, master.sessionId), namesInCrew(read, master)]);
  return session?.instructionsBy === undefined ? names : [...names, session.instructionsBy];
}

async function findMaster(read: Reader, run: RunRecord): Promise<RunRecord> {
  const master = run.parent && (await read.runs.get(run.tenantId, run.parent.runId));
  return master ? findMaster(read, master) : run;
}

async function namesInCrew(read: Reader, run: RunState): Promise<string[]> {
  const { tenantId, id: runId } = run;
  const [steering, answered, members] = await Promise.all([
    read.steeringMessages.writersOf(tenantId, runId),
    read.questions.list(tenantId, { runId, kind: 'clarification', status: 'answered' }, { limit: 100 }),
    read.runs.children(tenantId, runId),
  ]);
  const answerers = answered.data.flatMap(({ decidedBy }) => decidedBy ?? []);
  const ofMembers = await Promise.all(members.map(member => namesInCrew(read, member)));
  return [run.keyName ?? [], run.writtenBy ?? [], steering, answerers, ofMembers.flat()].flat();
}
