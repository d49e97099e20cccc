/** One call of an agent by an MCP client: starts the run, reports its progress, asks the client's person, and waits for the result. */
import type { ElicitRequestFormParams, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { RunEventBody } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { SessionAccess } from '../../service/access/session_access';
import { requestEvent } from '../../service/question/question_events';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { StartRequest } from '../../service/run/start_request';
import type { EventSink } from '../../service/run_log/event_sink';
import type { RunResult, RunService } from '../../service/run_log/run_service';
import type { RunSubscription } from '../../service/run_log/run_subscription';
import { toStartRequest } from './agent_start';
import type { CallExtra, McpClient } from './mcp_client';
import { canDecide, formIdOf, type PersonAnswerDeps } from './person_answers';
import { toApprovalForm, toQuestionForm } from './person_forms';
import type { ProgressReporter } from './run_progress';
import { runKeyOf } from './streamed_call';

export interface AgentCallDeps extends PersonAnswerDeps {
  agentExecutor: AgentExecutor;
  runService: RunService;
  sessionAccess: SessionAccess;
}

export interface CalledAgent {
  callId: string;
  agent: string;
  args: Record<string, unknown>;
  client: McpClient;
  origin: Pick<StartRequest, 'trace' | 'requestId'>;
  /** Questions whose forms the client has and its person has not answered here, by requestId. */
  openForms: Set<string>;
  /** Sends a message on the stream of the call. */
  send: (message: JSONRPCMessage) => Promise<void>;
  /** Tells, once the signal has aborted, if the client has given the call up; otherwise only the connection is over. */
  isGivenUp: () => boolean;
}

/** More than a run has open at once. */
const OPEN_QUESTIONS = 20;

export class AgentCall {
  /** Questions of this call, by requestId. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly call: CalledAgent,
    private readonly request: { extra: CallExtra; progress: ProgressReporter },
    private readonly deps: AgentCallDeps,
  ) {}

  /** Resolves with the result of the run. Rejects as AgentExecutor.start does, and `draining` when the gateway stops first. */
  async waitForResult(): Promise<RunResult> {
    const { agentExecutor, runService } = this.deps;
    const start = this.toStartRequest();
    runService.assertRoomForReader(start.sessionId);
    let subscription: RunSubscription | undefined;
    const { run } = await agentExecutor.start(start, started => {
      subscription = this.follow(started);
      return subscription.join();
    });
    this.request.progress.reportStart(run);
    return this.waitForEnd(run, subscription ?? this.follow(run));
  }

  /** Goes on with the call of a client whose stream has broken, perhaps at another gateway. Resolves like `waitForResult`. */
  async resume(run: RunRecord): Promise<RunResult> {
    const { questionService, runService } = this.deps;
    const { tenantId, sessionId, id } = run;
    runService.assertRoomForReader(sessionId);
    for (const kind of ['clarification', 'approval'] as const) {
      const { data } = await questionService.listQuestions(tenantId, { kind, sessionId, status: 'pending' }, { limit: OPEN_QUESTIONS });
      for (const question of data) if (question.runId === id) this.askOf(requestEvent(question));
    }
    return this.waitForEnd(run, this.follow(run, run.lastSeq));
  }

  private async waitForEnd(run: RunRecord, subscription: RunSubscription): Promise<RunResult> {
    const { agentExecutor, runService } = this.deps;
    const { signal } = this.request.extra;
    const onAbort = () => this.leave(run, subscription);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      // Ignored: the result comes even without these events.
      await subscription.start().catch(() => {});
      await subscription.ended;
      const ended = await agentExecutor.waitForEnd(run.tenantId, run.id, signal);
      signal.throwIfAborted();
      return await runService.getResult(ended);
    } finally {
      signal.removeEventListener('abort', onAbort);
      subscription.stop();
      for (const requestId of this.asked) this.takeBack(requestId);
    }
  }

  private toStartRequest(): StartRequest {
    const { callId, client } = this.call;
    const { tenantId } = client.principal;
    return {
      ...toStartRequest({ ...this.call, caller: client }, this.deps.serviceSettings),
      // Finds the run for a client that comes back at another gateway. The id is new, so it stands for this call alone.
      alsoWrite: (tx, { id: runId, createdAt }) =>
        tx.idempotencyKeys.put({ tenantId, key: runKeyOf(callId), fingerprint: '', runId, createdAt }),
    };
  }

  private follow({ tenantId, sessionId, id: runId }: RunRecord, seq = 0): RunSubscription {
    const { runService, sessionAccess } = this.deps;
    const request = { tenantId, sessionId, after: { runId, seq }, onlyRun: true };
    const subscription = runService.subscribe(request, events => this.receive(events));
    void subscription.ended.then(sessionAccess.follow(this.call.client.principal, sessionId, () => subscription.stop()));
    return subscription;
  }

  private leave({ tenantId, id }: RunRecord, subscription: RunSubscription | undefined): void {
    subscription?.stop();
    if (!this.call.isGivenUp()) return;
    this.deps.agentExecutor.cancel(tenantId, id, this.call.client.principal).catch(thrown => {
      this.deps.serviceSettings.onError('a run that an MCP client gave up could not be cancelled', thrown, { runId: id });
    });
  }

  private receive(events: Parameters<EventSink>[0]): void {
    for (const event of events) {
      if (event.type === 'replay_reset') continue;
      this.request.progress.reportEvent(event);
      this.askOf(event);
      if (event.type === 'clarify_end' || event.type === 'approval_end') this.takeBack(event.data.requestId);
    }
  }

  private askOf(event: RunEventBody): void {
    const { client } = this.call;
    if (event.type === 'clarify_request' && client.canAsk) this.ask(event.data.requestId, toQuestionForm(event.data, client.locale));
    if (event.type === 'approval_request' && canDecide(client, event.data.notBy)) {
      this.ask(event.data.requestId, toApprovalForm(event.data, client.locale).params);
    }
  }

  /** Asks the person of the client. The answer is a request of its own: see person_answers.ts. */
  private ask(requestId: string, params: ElicitRequestFormParams): void {
    this.asked.add(requestId);
    this.call.openForms.add(requestId);
    this.send({ jsonrpc: '2.0', id: formIdOf(requestId), method: 'elicitation/create', params });
  }

  /** Another door has answered, or the question is over. */
  private takeBack(requestId: string): void {
    if (!this.asked.has(requestId) || !this.call.openForms.delete(requestId)) return;
    const params = { requestId: formIdOf(requestId), reason: 'The question is closed.' };
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  private send(message: JSONRPCMessage): void {
    // Ignored: the stream of the call is gone, and the question stays open for other doors until it expires.
    this.call.send(message).catch(() => {});
  }
}
