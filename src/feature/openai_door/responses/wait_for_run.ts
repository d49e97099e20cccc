/** Waits for the end of a run whose answer goes to one caller. */
import type { Context } from '@midwayjs/koa';
import { AppError, inOneLanguage } from '../../../errors';
import type { RunRecord } from '../../../port/store/runs';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { CallerPresence } from '../../../service/run/caller_presence';

/** Resolves with the run once it has ended. Rejects with the error of a failed run. `leave`: tells when the caller has left; absent: the run goes on. */
export async function waitForRun(
  { res }: Context,
  run: RunRecord,
  { agentExecutor, leave }: { agentExecutor: AgentExecutor; leave: ReturnType<CallerPresence['addCaller']> | undefined },
): Promise<RunRecord> {
  const onClose = () => leave?.('left');
  res.once('close', onClose);
  if (res.destroyed) onClose();
  try {
    const ended = await agentExecutor.waitForEnd(run.tenantId, run.id);
    leave?.('ended');
    const { error } = ended.outcome ?? {};
    if (ended.status === 'failed' && error) throw new AppError(error.code, inOneLanguage(error.message));
    return ended;
  } finally {
    leave?.('left');
    res.off('close', onClose);
  }
}
