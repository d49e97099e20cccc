/** Finds whose words have caused a call: those of the run, and of all runs of its crew, because members read what their master and the others report. */

import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord, RunState } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import { allOf } from '../all_pages';
import { readDecision } from './question_events';

type Reader = Pick<StoreReader, 'runs' | 'steeringMessages' | 'questions' | 'sessions'>;

/**
 * Names the callers that started the runs, the writers of their messages, those who answered their questions, those who denied a call with a reason or
 * changed its arguments, and all who have written instructions of the chat. Names may come twice.
 */
export async function findRequesters(read: Reader, run: RunRecord): Promise<string[]> {
  const master = await findMaster(read, run);
  const [session, names] = await Promise.all([read.sessions.get(run.tenantId, master.sessionId), namesInCrew(read, master)]);
  return [...names, ...(session?.instructionsBy ?? [])];
}

async function findMaster(read: Reader, run: RunRecord): Promise<RunRecord> {
  const master = run.parent && (await read.runs.get(run.tenantId, run.parent.runId));
  return master ? findMaster(read, master) : run;
}

async function namesInCrew(read: Reader, run: RunState): Promise<string[]> {
  const { tenantId, id: runId } = run;
  const [steering, answerers, members] = await Promise.all([
    read.steeringMessages.writersOf(tenantId, runId),
    answerersOf(read, run),
    read.runs.children(tenantId, runId),
  ]);
  const ofMembers = await Promise.all(members.map(member => namesInCrew(read, member)));
  return [run.keyName ?? [], run.writtenBy ?? [], steering, answerers, ofMembers.flat()].flat();
}

async function answerersOf(read: Reader, { tenantId, id: runId }: RunState): Promise<string[]> {
  const names: string[] = [];
  for await (const question of allOf(page => read.questions.list(tenantId, { runId, status: 'answered' }, page)))
    if (question.decidedBy !== undefined && saysSomething(question)) names.push(question.decidedBy);
  return names;
}

/** Returns true when the run has read words of whoever decided: a yes or a no alone says nothing. */
function saysSomething({ kind, answer }: QuestionRecord): boolean {
  if (kind === 'clarification' || answer === undefined) return true;
  const { reason, args } = readDecision(answer);
  return reason !== undefined || args !== undefined;
}
