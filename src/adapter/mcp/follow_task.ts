/** Follows a task of a server to its end. A server answers a call that takes long with a task, and the client asks for its state from time to time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { McpError } from '../../port/mcp';
import { inBoth } from '../../utils/bilingual';
import { toMcpError } from './client_errors';

type JsonObject = Record<string, unknown>;

/** The requests about tasks, which differ between the versions of the protocol. */
export interface TaskRequests {
  read(taskId: string): Promise<JsonObject>;
  /**
   * Resolves with the result of a task that has ended. For a task that requires input: asks the person, and resolves undefined when the task goes on.
   * Rejects for a task that has failed.
   */
  settle(task: JsonObject): Promise<JsonObject | undefined>;
  /** Tells the server that nobody waits for the task any more. */
  cancel(taskId: string): Promise<unknown>;
}

/** A server must be able to keep the gateway neither busy nor waiting. */
const PAUSE_MS = { least: 100, usual: 1_000, most: 30_000 };
const CANCELLED = inBoth('It cancelled the task.', '它取消了这个任务。');
const NO_ID = inBoth('It answered with a task that has no id.', '它返回的任务没有 id。');

/** `task`: as the server has answered the call. Resolves with the result of the call. Cancels the task when the signal aborts. Rejects with an McpError. */
export async function followTask(task: JsonObject, requests: TaskRequests, signal: AbortSignal): Promise<JsonObject> {
  const { taskId } = task;
  if (typeof taskId !== 'string' || taskId === '') throw new McpError('refused', NO_ID);
  try {
    for (let state = task; ; state = await requests.read(taskId)) {
      if (state['status'] === 'cancelled') throw new McpError('refused', CANCELLED);
      const result = state['status'] === 'working' ? undefined : await requests.settle(state);
      if (result) return result;
      await sleep(pauseOf(state), undefined, { signal });
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    void requests.cancel(taskId).catch(() => {});
    throw toMcpError(thrown, { signal, redact: text => text });
  }
}

/** The name of the field is another one in each version. */
function pauseOf({ pollIntervalMs, pollInterval = pollIntervalMs }: JsonObject): number {
  const asked = typeof pollInterval === 'number' && Number.isFinite(pollInterval) ? pollInterval : PAUSE_MS.usual;
  return Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, asked));
}
