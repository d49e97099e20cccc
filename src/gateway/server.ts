/** DOOR 1: Socket.IO. Decode, one service call, ack; what happens after that reaches the client as events of its session. */
import { Inject, OnWSConnection, OnWSDisConnection, OnWSMessage, WSController } from '@midwayjs/core';
import type { Context } from '@midwayjs/socketio';
import { InjectService } from '../inject_service';
import type { Interaction, RunRecord } from '../port/store/runs';
import type { AnswerService } from '../service/question/answer_service';
import type { ApprovalService } from '../service/question/approval_service';
import type { ApproverPresence } from '../service/question/approver_presence';
import type { QuestionService } from '../service/question/question_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { RunService } from '../service/run/run_service';
import type { EventSink, RunSubscription, SubscriptionRequest } from '../service/run/run_subscription';
import type { ServiceSettings } from '../service/service_settings';
import type { SessionService } from '../service/session/session_service';
import { fingerprintOf } from '../utils/fingerprint';
import { toWireApproval, toWireClarification, toWireSession } from '../wire/wire_records';
import type { SocketPrincipal } from './handshake';
import { type ClientMessage, decodeClientMessage } from './protocol';
import { SessionSubscriptions } from './session_subscriptions';
import { type Reply, replyTo } from './socket_reply';

type Message<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;

@WSController('/')
export class GatewayServer {
  @Inject()
  ctx!: Context;
  @InjectService()
  agentExecutor!: AgentExecutor;
  @InjectService()
  runService!: RunService;
  @InjectService()
  sessionService!: SessionService;
  @InjectService()
  answerService!: AnswerService;
  @Inject()
  approvalService!: ApprovalService;
  @Inject()
  approverPresence!: ApproverPresence;
  @InjectService()
  questionService!: QuestionService;
  @InjectService()
  serviceSettings!: ServiceSettings;

  private subscriptions!: SessionSubscriptions;

  @OnWSConnection()
  async onConnection(): Promise<void> {
    this.subscriptions = new SessionSubscriptions(this.ctx, (request, sink) => this.createFollower(request, sink));
  }

  @OnWSDisConnection()
  async onDisconnection(): Promise<void> {
    this.subscriptions?.stopAll();
  }

  @OnWSMessage('message')
  async onMessage(...args: unknown[]): Promise<void> {
    const [message] = args;
    const reply = replyTo(this.ctx, args.at(-1), this.serviceSettings);
    try {
      await this.handle(decodeClientMessage(message), reply);
    } catch (thrown) {
      reply.fail(thrown);
    }
  }

  private handle(message: ClientMessage, reply: Reply): Promise<void> {
    switch (message.type) {
      case 'chat':
        return this.chat(message, reply);
      case 'subscribe':
        return this.subscribe(message, reply);
      case 'clarify_response':
        return this.answer(message, reply);
      case 'approval_response':
        return this.decide(message, reply);
      case 'clarify_extend':
        return this.extend(message, reply);
      case 'cancel':
        return this.cancel(message, reply);
      case 'steer':
        return this.steer(message, reply);
      case 'set_thinking_level':
        return this.setThinkingLevel(message, reply);
      case 'ping':
        return this.ping(reply);
    }
  }

  private async chat(message: Message<'chat'>, reply: Reply): Promise<void> {
    const { tenantId, locale: pageLocale } = this.principal;
    const { text, sessionId, agent, clientMessageId, onBusy = 'enqueue' } = message;
    this.assertRoomFor(sessionId);
    const locale = message.locale ?? (sessionId === undefined ? pageLocale : undefined);
    const { run, deduplicated, steered } = await this.agentExecutor.start({
      tenantId,
      door: 'socketio',
      text,
      onBusy,
      interaction: this.interaction,
      ...(sessionId !== undefined && { sessionId }),
      ...(agent !== undefined && { agent }),
      ...(locale !== undefined && { locale }),
      ...(clientMessageId !== undefined && {
        idempotency: {
          key: `chat:${this.messageScope(sessionId)}:${clientMessageId}`,
          formerKey: `chat:${clientMessageId}`,
          fingerprint: fingerprintOf({ text, sessionId, agent }),
        },
      }),
    });
    reply.ok({ sessionId: run.sessionId, runId: run.id, deduplicated, ...(steered && { steered }) });
    await this.followFrom(run);
  }

  /** The scope in which a clientMessageId is unique: its session; before there is one, its client; without a client id, this connection. */
  private messageScope(sessionId: string | undefined): string {
    if (sessionId !== undefined) return `session:${sessionId}`;
    const { clientId } = this.principal;
    return clientId === undefined ? `connection:${this.ctx.id}` : `client:${clientId}`;
  }

  /** Reserves a place for this connection as a reader of the session; a connection that already reads it takes no second one. */
  private assertRoomFor(sessionId: string | undefined): void {
    if (sessionId === undefined || !this.subscriptions.has(sessionId)) this.runService.assertRoomForReader(sessionId);
  }

  /** Who follows a session and can show approvals can be asked about the runs in it, whoever started them. */
  private createFollower(request: SubscriptionRequest, sink: EventSink): RunSubscription {
    const follower = this.runService.subscribe(request, sink);
    if (this.showsApprovals) void follower.ended.then(this.approverPresence.join(request));
    return follower;
  }

  /** Who starts a run sees it from its first event. */
  private async followFrom({ tenantId, sessionId, id: runId }: RunRecord): Promise<void> {
    if (this.subscriptions.has(sessionId)) return;
    await this.subscriptions.follow({ tenantId, sessionId, after: { runId, seq: 0 } });
  }

  private async subscribe({ sessionId, after }: Message<'subscribe'>, reply: Reply): Promise<void> {
    const { tenantId } = this.principal;
    this.assertRoomFor(sessionId);
    const session = await this.sessionService.getSession(tenantId, sessionId);
    if (after) await this.runService.getRunOfSession(tenantId, sessionId, after.runId);
    const [activeRun, pending, approvals] = await Promise.all([
      this.runService.findActiveRun(tenantId, sessionId),
      this.questionService.listOpenQuestions({ tenantId, sessionId }, 'clarification'),
      this.questionService.listOpenQuestions({ tenantId, sessionId }, 'approval'),
    ]);
    reply.ok({
      session: toWireSession(session),
      ...(activeRun && { activeRun: { runId: activeRun.id, status: activeRun.status, lastSeq: activeRun.lastSeq } }),
      clarifications: pending.map(toWireClarification),
      approvals: approvals.map(toWireApproval),
    });
    await this.subscriptions.follow({ tenantId, sessionId, ...(after && { after }) });
  }

  private async answer({ sessionId, requestId, answer }: Message<'clarify_response'>, reply: Reply): Promise<void> {
    const owner = { tenantId: this.principal.tenantId, sessionId };
    const followUp = await this.answerService.answerClarification({
      ...owner,
      requestId,
      answer,
      door: 'socketio',
      interaction: this.interaction,
    });
    reply.ok({ status: 'answered', ...(followUp && { runId: followUp.id }) });
    if (followUp) await this.followFrom(followUp);
  }

  private async decide({ type: _type, sessionId, requestId, ...answer }: Message<'approval_response'>, reply: Reply): Promise<void> {
    const { decision } = await this.approvalService.decideApproval({ tenantId: this.principal.tenantId, sessionId }, requestId, answer);
    reply.ok({ status: 'answered', decision });
  }

  private async extend({ sessionId, requestId }: Message<'clarify_extend'>, reply: Reply): Promise<void> {
    const owner = { tenantId: this.principal.tenantId, sessionId };
    const expiresAt = await this.questionService.extendDeadline(owner, requestId, {
      clarification: this.clarifyTimeoutMs,
      approval: this.serviceSettings.clarify.declaredTimeoutMs,
    });
    reply.ok({ expiresAt: new Date(expiresAt).toISOString() });
  }

  private async cancel({ runId, toolCallId }: Message<'cancel'>, reply: Reply): Promise<void> {
    const { tenantId } = this.principal;
    const run =
      toolCallId === undefined
        ? await this.agentExecutor.cancel(tenantId, runId)
        : await this.agentExecutor.cancelToolCall(tenantId, runId, toolCallId);
    reply.ok({ status: run.status });
  }

  private async steer({ runId, text }: Message<'steer'>, reply: Reply): Promise<void> {
    const run = await this.agentExecutor.steer(this.principal.tenantId, runId, text);
    reply.ok({ sessionId: run.sessionId, runId: run.id });
  }

  private async setThinkingLevel({ sessionId, level }: Message<'set_thinking_level'>, reply: Reply): Promise<void> {
    await this.sessionService.updateSession(this.principal.tenantId, sessionId, { thinkingLevel: level });
    reply.ok({ level });
  }

  private async ping(reply: Reply): Promise<void> {
    reply.event('pong', {});
    reply.ok({});
  }

  private get principal(): SocketPrincipal {
    return this.ctx.data.principal;
  }

  private get showsApprovals(): boolean {
    return this.principal.capabilities.has('approval@1');
  }

  /** What runs that this client starts can ask of a person. */
  private get interaction(): Interaction {
    return { clarify: 'wait', clarifyTimeoutMs: this.clarifyTimeoutMs, ...(this.showsApprovals && { approvals: 'wait' }) };
  }

  private get clarifyTimeoutMs(): number {
    const { clarify } = this.serviceSettings;
    return this.principal.capabilities.has('clarify@1') ? clarify.declaredTimeoutMs : clarify.timeoutMs;
  }
}
