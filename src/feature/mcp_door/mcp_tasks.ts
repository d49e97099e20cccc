/**
 * The tasks extension of MCP (io.modelcontextprotocol/tasks, 2026-07-28): a client gets a task in place of an answer that takes long, asks for its
 * state, answers its questions, and cancels it. A task is a run and has its id, so tasks outlive the gateway and every gateway knows them.
 */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { Type } from '@sinclair/typebox';
import { AppError } from '../../errors';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import { createDecoder } from '../../wire/decode';
import { toRunCallResult } from './call_results';
import { askable, toInputRequests } from './input_requests';
import { asProtocolErrors } from './invalid_params';
import type { McpCaller } from './mcp_client';
import { type StatelessCallDeps, storeAnswers } from './stateless_call';
import { statelessSdk } from './stateless_sdk';

const EXTENSION = 'io.modelcontextprotocol/tasks';
/** The ability that a client and a server declare. */
export const TASKS = { [EXTENSION]: {} };
const POLL_MS = 2_000;

/** The facts that a request gives about its client. */
export interface TaskClient {
  requestId: string;
  callerOf: (ctx: ServerContext) => McpCaller;
  hasTasks: (ctx: ServerContext) => boolean;
}

const decodeTask = createDecoder(Type.Object({ taskId: Type.String({ maxLength: 100 }) }));

/** Answers the requests about tasks. */
export function serveTasks(server: Server, client: TaskClient, deps: StatelessCallDeps): void {
  const serve = (method: string, answer: (run: RunRecord, caller: McpCaller, ctx: ServerContext) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params: ANY }, async (params, ctx) => {
      assertTasks(client.hasTasks(ctx));
      const caller = client.callerOf(ctx);
      const work = async () => answer(await findTask(params, caller, deps), caller, ctx);
      return asProtocolErrors(client.requestId, work, deps.serviceSettings.onError);
    });
  serve('tasks/get', (run, caller) => readTask(run, caller, deps));
  serve('tasks/update', async (run, caller, { mcpReq: { inputResponses = {} } }) => {
    await storeAnswers(run, inputResponses, { caller }, deps);
    return {};
  });
  serve('tasks/cancel', async ({ tenantId, id, status }, { principal }) => {
    if (!isTerminal(status)) await deps.agentExecutor.cancel(tenantId, id, principal);
    return {};
  });
}

async function findTask(params: unknown, { principal }: McpCaller, { mcpDoor }: StatelessCallDeps): Promise<RunRecord> {
  const { taskId } = decodeTask(params);
  const run = await mcpDoor.findRunOfCaller(principal, taskId);
  if (run) return run;
  throw new AppError('not_found', { param: '/taskId', message: 'There is no such task.', messageZh: '没有这个任务。' });
}

/** The answer of a call whose run goes on. */
export const toTaskResult = (run: RunRecord) => ({ resultType: 'task', content: [], ...toTask(run), status: 'working' });

/** Returns the state of a task, with its result or its open questions. */
async function readTask(run: RunRecord, caller: McpCaller, { runService, questionService }: StatelessCallDeps) {
  const task = toTask(run);
  if (run.status === 'cancelled') return { ...task, status: 'cancelled' };
  if (isTerminal(run.status))
    return { ...task, status: 'completed', result: toRunCallResult(await runService.getResult(run), caller.locale) };
  const open = askable(await questionService.listOpenQuestions(run), caller);
  return open.length > 0
    ? { ...task, status: 'input_required', inputRequests: toInputRequests(open, caller) }
    : { ...task, status: 'working' };
}

/** A run is kept as long as its session, so a task has no time limit. */
function toTask({ id, createdAt, startedAt = createdAt, endedAt = startedAt }: RunRecord) {
  const times = { createdAt: new Date(createdAt).toISOString(), lastUpdatedAt: new Date(endedAt).toISOString() };
  return { taskId: id, ...times, ttlMs: null, pollIntervalMs: POLL_MS };
}

function assertTasks(hasTasks: boolean): void {
  if (hasTasks) return;
  const { MissingRequiredClientCapabilityError } = statelessSdk();
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: TASKS } });
}

/** Returns true when a client has declared that it takes tasks. */
export const takesTasks = (extensions: Record<string, unknown> | undefined): boolean => extensions?.[EXTENSION] !== undefined;

/** The decoders of this file check the parameters and name the field. */
const ANY = {
  '~standard': { version: 1 as const, vendor: 'neta', validate: (value: unknown) => ({ value }) },
};
