/** Answers a request of an AG-UI client: starts its run, or joins it, and sends the projection of its log. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf, principalOf } from '../../controller/http_request';
import type { RunRecord } from '../../port/store/runs';
import { AguiProjection } from './agui_projection';
import { AguiRun, type AguiRunDeps } from './agui_run';
import { type AguiStartDeps, startAguiRun } from './agui_start';
import { decodeRunAgentInput, stateObjectOf, takesInterrupts } from './run_agent_input';

/** Answers a request of an AG-UI client. Resolves when the answer has ended. Rejects with an AppError as long as nothing was sent. */
export async function answerAgui(ctx: Context, agent: string, deps: AguiStartDeps & AguiRunDeps): Promise<void> {
  const input = decodeRunAgentInput(anyBodyOf(ctx));
  const thread = await deps.givenConversations.findThread(principalOf(ctx), input.threadId);
  deps.runService.assertRoomForReader(thread.sessionId);
  let following: AguiRun | undefined;
  const follow = (run: RunRecord): AguiRun => {
    const { threadId, runId: clientRunId, protocolVersion, tools = [] } = input;
    const projection = new AguiProjection({
      threadId,
      clientRunId,
      runId: run.id,
      sessionId: run.sessionId,
      protocolVersion,
      clientTools: new Set(tools.map(({ name }) => name)),
      state: stateObjectOf(input),
      takesInterrupts: takesInterrupts(input),
    });
    following = new AguiRun(ctx, run, projection, deps);
    return following;
  };
  const { run, deduplicated } = await startAguiRun({ ctx, agent, input }, thread, deps, started => follow(started).join());
  ctx.state.isRunStored = true;
  ctx.set('x-session-id', run.sessionId);
  if (deduplicated) ctx.set('idempotency-replayed', 'true');
  await (following ?? follow(run)).answer();
}
