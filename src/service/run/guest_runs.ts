/** What a guest may ask of a run: the holder of a link writes in one session, with the agent and the model that it has. */
import { AppError } from '../../errors';
import { narrowTools } from '../../port/run_tools';
import type { StartRequest } from './start_request';

/** Tools that read what belongs to the whole tenant, or make work that goes on without the guest. */
const DENIED_TOOLS = ['cron', 'memory_forget', 'memory_recall', 'memory_save', 'session_search'];

/** Throws `not_found` for a new session, and `forbidden` for an agent, a model or parameters of the guest's own choice. */
export function assertGuestMayStart({ sessionId, agent, model, parameters }: StartRequest): void {
  if (sessionId === undefined) throw new AppError('not_found', { message: 'There is no such session.', messageZh: '没有这个会话。' });
  if (agent === undefined && model === undefined && parameters === undefined) return;
  throw new AppError('forbidden', {
    message: 'A guest writes to the agent and the model of the session: leave out agent, model and parameters.',
    messageZh: '访客只能使用会话的智能体和模型：请省略 agent、model 和 parameters。',
  });
}

/** Returns the request with the tools that a run of a guest has. */
export const withGuestTools = (request: StartRequest): StartRequest => ({
  ...request,
  limits: { ...request.limits, tools: narrowTools(request.limits?.tools, { deny: DENIED_TOOLS }) },
});
