/** One call of an agent by an MCP client: starts the run, reports its progress, asks the client's person, and waits for the result. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../errors';
import { hasScope } from '../../port/principal';
import type { ApprovalData, ClarificationData } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { AnswerService } from '../../service/question/answer_service';
import type { ApprovalService } from '../../service/question/approval_service';
import type { QuestionService } from '../../service/question/question_service';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { StartRequest } from '../../service/run/start_request';
import type { EventSink } from '../../service/run_log/event_sink';
import type { RunResult, RunService } from '../../service/run_log/run_service';
import type { RunSubscription } from '../../service/run_log/run_subscription';
import type { ServiceSettings } from '../../service/service_settings';
import { createDecoder } from '../../wire/decode';
import type { CallExtra, McpClient } from './mcp_client';
import { AgentArguments } from './offered_tools';
import { readAnswer, toApprovalForm, toQuestionForm } from './person_forms';
import type { ProgressReporter } from './run_progress';
import { serverSdk } from './server_sdk';

export interface AgentCallDeps {
  agentExecutor: AgentExecutor;
  runService: RunService;
  questionService: QuestionService;
  answerService: AnswerService;
  approvalService: ApprovalService;
  serviceSettings: ServiceSettings;
}

export interface CalledAgent {
  agent: string;
  args: Record<string, unknown>;
  client: McpClient;
  origin: Pick<StartRequest, 'trace' | 'requestId'>;
  /** The client can put a question to its person. */
  canAsk: boolean;
  /** Tells, once the signal has aborted, if the client has given the call up; otherwise only the connection is over. */
  isGivenUp: () => boolean;
}

const decodeArguments = createDecoder(AgentArguments);
/** The run ends a question, not the SDK. */
const NO_TIMEOUT = 2 ** 31 - 1;

export class AgentCall {
  /** Open questions by requestId. */
  private readonly asked = new Map<string, AbortController>();

  constructor(
    private readonly call: CalledAgent,
    private readonly request: { extra: CallExtra; progress: ProgressReporter },
    private readonly deps: AgentCallDeps,
  ) {}

  /** Resolves with the result of the run. Rejects as AgentExecutor.start does, and `draining` when the gateway stops first. */
  async waitForResult(): Promise<RunResult> {
    const { agentExecutor, runService } = this.deps;
    const { signal } = this.request.extra;
    const start = this.toStartRequest();
    runService.assertRoomForReader(start.sessionId);
    let subscription: RunSubscription | undefined;
    const { run } = await agentExecutor.start(start, started => {
      subscription = this.follow(started);
      return subscription.join();
    });
    subscription ??= this.follow(run);
    const onAbort = () => this.leave(run, subscription);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.request.progress.reportStart(run);
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
      for (const question of this.asked.values()) question.abort();
    }
  }

  private toStartRequest(): StartRequest {
    const { agent, args, client, origin, canAsk } = this.call;
    const { input, ...rest } = decodeArguments(args);
    const { tenantId, keyName } = client.principal;
    const clarifyTimeoutMs = this.deps.serviceSettings.clarify.declaredTimeoutMs;
    return {
      ...rest,
      tenantId,
      keyName,
      agent,
      door: 'mcp',
      text: input,
      ...origin,
      // The calling model learns that the session is busy; a queue would look like a slow agent.
      onBusy: 'reject',
      interaction: { clarify: canAsk ? 'wait' : 'text', clarifyTimeoutMs, approvals: this.canApprove ? 'wait' : undefined },
    };
  }

  private follow({ tenantId, sessionId, id: runId }: RunRecord): RunSubscription {
    return this.deps.runService.subscribe({ tenantId, sessionId, after: { runId, seq: 0 }, onlyRun: true }, events => this.receive(events));
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
      if (event.type === 'clarify_request' && this.call.canAsk) void this.askClarification(event.sessionId, event.data);
      if (event.type === 'approval_request' && this.canApprove) void this.askApproval(event.sessionId, event.data);
      if (event.type === 'clarify_end' || event.type === 'approval_end') this.asked.get(event.data.requestId)?.abort();
    }
  }

  private askClarification(sessionId: string, data: ClarificationData): Promise<void> {
    const { questionService, answerService } = this.deps;
    const { tenantId, keyName } = this.call.client.principal;
    const { requestId } = data;
    return this.ask(requestId, toQuestionForm(data, this.call.client.locale), async result => {
      const answer = readAnswer(result);
      if (answer === undefined) {
        await questionService.skipQuestion(await questionService.findQuestion({ tenantId, sessionId }, requestId, 'clarification'));
        return;
      }
      const { interaction } = this.toStartRequest();
      await answerService.answerClarification({ tenantId, keyName, sessionId, requestId, answer, door: 'mcp', interaction });
    });
  }

  private askApproval(sessionId: string, data: ApprovalData): Promise<void> {
    const { tenantId, keyName } = this.call.client.principal;
    const { params, readDecision } = toApprovalForm(data, this.call.client.locale);
    return this.ask(data.requestId, params, async result => {
      const decision = readDecision(result);
      if (decision) await this.deps.approvalService.decideApproval({ tenantId, keyName, sessionId }, data.requestId, decision);
    });
  }

  /** Asks the person of the client, until another door has answered. An error of the client counts as a closed form. Never rejects. */
  private async ask(requestId: string, params: ElicitRequestFormParams, settle: (result: ElicitResult) => Promise<void>): Promise<void> {
    const question = new AbortController();
    this.asked.set(requestId, question);
    try {
      const result = await this.request.extra
        .sendRequest({ method: 'elicitation/create', params }, serverSdk().ElicitResultSchema, {
          signal: question.signal,
          timeout: NO_TIMEOUT,
        })
        .catch((): ElicitResult => ({ action: 'cancel' }));
      if (!question.signal.aborted && !this.request.extra.signal.aborted) await settle(result);
    } catch (thrown) {
      // Another answer was first, so this one does not count.
      if (thrown instanceof AppError && thrown.code === 'clarification_closed') return;
      this.deps.serviceSettings.onError('the answer of an MCP client could not be stored', thrown, { requestId });
    } finally {
      this.asked.delete(requestId);
    }
  }

  private get canApprove(): boolean {
    return this.call.canAsk && hasScope(this.call.client.principal, 'approve');
  }
}
