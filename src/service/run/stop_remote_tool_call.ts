/** Stops a tool call of a run that another gateway on the store executes. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import type { RunRecord } from '../../port/store/runs';
import type { ReadableStore } from '../../port/store/store';
import type { ToolCallRequest } from './remote_requests';
import type { RunSupervisor } from './run_supervisor';

interface StopDeps {
  store: ReadableStore<'toolExecutions'>;
  clock: Clock;
  nodeBus: Pick<NodeBus, 'publish'>;
  supervisor: Pick<RunSupervisor, 'isExecuting'>;
}

/** A page with all running calls of a run. */
const RUNNING_CALLS = { limit: 100, maxBytes: 1_000_000 };
/** The other gateway stops the call within this time, or not at all. */
const STOP_MS = 3_000;
const POLL_MS = 50;

/** Resolves true once the call has ended; false when no such call runs at another gateway, or when the other gateway does not end it. */
export async function stopRemoteToolCall(
  { store, clock, nodeBus, supervisor }: StopDeps,
  { tenantId, id: runId }: RunRecord,
  toolCallId: string,
): Promise<boolean> {
  const isRunning = async () => {
    const running = await store.read.toolExecutions.list(tenantId, { runId, status: 'running' }, RUNNING_CALLS);
    return running.data.some(call => call.toolCallId === toolCallId);
  };
  if (supervisor.isExecuting(runId) || !(await isRunning())) return false;
  if (!nodeBus.publish('toolCalls', { runId, toolCallId } satisfies ToolCallRequest)) return false;
  for (const end = clock.monotonic() + STOP_MS; clock.monotonic() < end; ) {
    await new Promise<void>(resolve => clock.after(POLL_MS, resolve));
    if (!(await isRunning())) return true;
  }
  return false;
}

export const noToolCall = (): AppError =>
  new AppError('not_found', { param: '/toolCallId', message: 'No such tool call is running.', messageZh: '没有这样的工具调用正在进行。' });
