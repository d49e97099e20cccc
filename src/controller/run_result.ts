/** Answers with the result of a run, or with the approval for which it waits. */
import type { Context } from '@midwayjs/koa';
import { type ApprovalData, isTerminal } from '../port/run_event';
import type { RunRecord } from '../port/store/runs';
import type { ApproverPresence } from '../service/question/approver_presence';
import { toApprovalData } from '../service/question/question_events';
import type { QuestionService } from '../service/question/question_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { RunResult, RunService } from '../service/run_log/run_service';
import { applyPatience } from './preferences';

interface ResultDeps {
  runService: Pick<RunService, 'getResult'>;
  questionService: Pick<QuestionService, 'listQuestions'>;
}

interface StartDeps extends ResultDeps {
  ctx: Context;
  agentExecutor: Pick<AgentExecutor, 'waitForEnd'>;
  approverPresence: Pick<ApproverPresence, 'isPresent'>;
}

/**
 * Answers as Prefer asks: at once, after some seconds at most, or when the run has ended. A caller that does not wait for people leaves a run that waits
 * for an approval, unless somebody who follows the session is about to decide.
 */
export async function answerStart(deps: StartDeps, run: RunRecord): Promise<unknown> {
  const { ctx, agentExecutor, approverPresence } = deps;
  const waitS = applyPatience(ctx);
  const signal = waitS === undefined ? undefined : AbortSignal.timeout(waitS * 1_000);
  const leavesWaiting = () => run.interaction.clarify === 'text' && !approverPresence.isPresent(run);
  const latest = waitS === 0 ? run : await agentExecutor.waitForEnd(run.tenantId, run.id, signal, leavesWaiting);
  if (waitS === undefined || (waitS > 0 && isTerminal(latest.status))) return readResult(deps, latest);
  ctx.status = 202;
  return { runId: latest.id, sessionId: latest.sessionId, status: latest.status };
}

/** Reads the result so far. `approval`: the tool call for whose approval the run waits. */
export async function readResult(
  { runService, questionService }: ResultDeps,
  run: RunRecord,
): Promise<RunResult & { approval?: ApprovalData | undefined }> {
  const result = await runService.getResult(run);
  if (run.status !== 'waiting') return result;
  const filter = { kind: 'approval' as const, runId: run.id, status: 'pending' as const };
  const [question] = (await questionService.listQuestions(run.tenantId, filter, { limit: 1 })).data;
  return { ...result, approval: question?.approval && toApprovalData(question, question.approval) };
}
