/** The methods of A2A 1.0 over runs and sessions. The store holds everything, so any gateway answers and a restart loses nothing. */

import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { SessionAction } from '../../service/access/session_action';
import { mapLimited } from '../../utils/map_limited';
import { parseUtcTime } from '../../utils/utc_time';
import type { A2aCaller, A2aDeps } from './a2a_caller';
import { malformed, toA2aError } from './a2a_errors';
import { a2aSdk } from './a2a_sdk';
import { selectState, type TaskFacts, toTask } from './a2a_task';
import { agentCardOf } from './agent_card';
import { followTask } from './follow_task';
import { MessageSender, type SentMessage } from './message_sender';
import { PushConfigs } from './push_configs';
import { readTaskHistory } from './task_history';

/** `historyLength`: the most messages; absent: all. */
type ShownTask = Pick<TaskFacts, 'withArtifacts'> & { historyLength?: number | undefined };

type Updates = AsyncGenerator<StreamResponse, void, undefined>;

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;
/** Tasks of a page whose messages are read. */
const READ_AT_ONCE = 8;

/** Serves one request. Rejects with errors of A2A. */
export class A2aHandler implements A2ARequestHandler {
  private readonly pushConfigs: PushConfigs;
  private readonly sender: MessageSender;

  constructor(
    private readonly caller: A2aCaller,
    private readonly deps: A2aDeps,
  ) {
    this.pushConfigs = new PushConfigs(caller.principal, deps);
    this.sender = new MessageSender(caller, deps, this.pushConfigs);
  }

  async getAgentCard(): Promise<AgentCard> {
    const { locale, address, principal } = this.caller;
    const { visibleAgents, keyRing, serviceSettings } = this.deps;
    const agents = visibleAgents.listAgents(locale, principal);
    return agentCardOf({
      address,
      version: serviceSettings.version,
      needsKey: keyRing.isLocked,
      pushes: this.deps.runWebhooks.current.isAvailable,
      agents,
    });
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.getAgentCard();
  }

  sendMessage(request: SendMessageRequest): Promise<Task> {
    return this.explain(async () => {
      const { historyLength, returnImmediately = false } = request.configuration ?? {};
      const sent = await this.sender.send(request, { isFollowed: !returnImmediately });
      if (!returnImmediately) for await (const _update of this.follow(sent));
      return this.readTask(sent.run.id, { historyLength });
    });
  }

  async *sendMessageStream(request: SendMessageRequest): Updates {
    const sent = await this.explain(() => this.sender.send(request, { isFollowed: true }));
    const task = await this.explain(() => this.readTask(sent.run.id, { historyLength: request.configuration?.historyLength }));
    yield { payload: { $case: 'task', value: task } };
    yield* this.follow(sent);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.explain(() => this.readTask(id, { historyLength }));
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.explain(async () => {
      const run = await this.findRun(id);
      if (isTerminal(run.status)) throw new (a2aSdk().TaskNotCancelableError)('The task has ended.');
      const { tenantId } = this.caller.principal;
      await this.deps.agentExecutor.cancel(tenantId, id, this.caller.principal);
      return this.readTask(id, {});
    });
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): Updates {
    const run = await this.explain(() => this.findRun(id, 'look'));
    if (isTerminal(run.status)) throw new (a2aSdk().UnsupportedOperationError)('The task has ended: read it with GetTask.');
    await this.explain(async () => this.deps.runService.assertRoomForReader(run.sessionId));
    yield { payload: { $case: 'task', value: await this.explain(() => this.taskOf(run, {})) } };
    yield* this.follow({ run, after: 0 });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.explain(async () => {
      const { pageSize = DEFAULT_PAGE, pageToken, contextId, status, statusTimestampAfter, historyLength = 0 } = request;
      if (pageSize < 1 || pageSize > MAX_PAGE) throw malformed(`pageSize: must be 1 to ${MAX_PAGE}.`);
      const since = statusTimestampAfter ? parseUtcTime(statusTimestampAfter) : 0;
      if (since === undefined) throw malformed('statusTimestampAfter: must be a time, such as 2026-01-31T08:00:00Z.');
      const { tenantId } = this.caller.principal;
      const sessionId = contextId ? (await this.deps.givenConversations.findThread(this.caller.principal, contextId)).sessionId : undefined;
      const inState = status ? selectState(status, this.caller.canApprove) : {};
      if (!inState) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
      const viewer = this.deps.sessionAccess.viewerOf(this.caller.principal);
      const filter = { sessionId, changedSince: since || undefined, viewer, ...inState };
      const [{ data, nextCursor = '' }, totalSize] = await Promise.all([
        this.deps.runService.listRuns(tenantId, filter, { limit: pageSize, cursor: pageToken || undefined }),
        this.deps.runService.countRuns(tenantId, filter),
      ]);
      const shown = { historyLength, withArtifacts: request.includeArtifacts ?? false };
      return {
        tasks: await mapLimited(data, READ_AT_ONCE, run => this.taskOf(run, shown)),
        nextPageToken: nextCursor,
        pageSize,
        totalSize,
      };
    });
  }

  createTaskPushNotificationConfig(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    return this.explain(async () => this.pushConfigs.put(await this.findRun(config.taskId), config));
  }

  getTaskPushNotificationConfig({ taskId, id }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    return this.explain(async () => this.pushConfigs.get(await this.findRun(taskId, 'look'), id));
  }

  listTaskPushNotificationConfigs({ taskId }: { taskId: string }): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.explain(async () => ({ configs: await this.pushConfigs.list(await this.findRun(taskId, 'look')), nextPageToken: '' }));
  }

  deleteTaskPushNotificationConfig({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    return this.explain(async () => this.pushConfigs.delete(await this.findRun(taskId), id));
  }

  private async *follow({ run, after }: SentMessage): Updates {
    const { principal, mayDecide, signal: left } = this.caller;
    const unseen = new AbortController();
    const forget = this.deps.sessionAccess.follow(principal, run.sessionId, () => unseen.abort());
    try {
      yield* followTask(this.deps.runService, run, { after, mayDecide, signal: AbortSignal.any([left, unseen.signal]) });
    } catch (thrown) {
      throw toA2aError(thrown, this.caller.locale);
    } finally {
      forget();
    }
  }

  private async readTask(id: string, shown: ShownTask): Promise<Task> {
    return this.taskOf(await this.findRun(id, 'look'), shown);
  }

  private async taskOf(run: RunRecord, shown: ShownTask): Promise<Task> {
    const [question, history] = await Promise.all([
      this.sender.openQuestion(run),
      readTaskHistory(this.deps.store.read, run, shown.historyLength),
    ]);
    return toTask({ run, question, mayDecide: this.caller.mayDecide, history, withArtifacts: shown.withArtifacts });
  }

  private findRun(id: string, action?: SessionAction): Promise<RunRecord> {
    return this.sender.findRun(id, action);
  }

  /** Turns errors of the services into errors of A2A. */
  private async explain<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toA2aError(thrown, this.caller.locale);
    }
  }
}
