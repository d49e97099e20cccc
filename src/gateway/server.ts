/** DOOR 1: Socket.IO. Each message is decoded, handled by one service call and acknowledged; later events reach the client by subscription. */

import { Inject, OnWSMessage, WSController } from '@midwayjs/core';
import type { Context } from '@midwayjs/socketio';
import { AppError } from '../errors';
import { InjectService } from '../inject_service';
import type { Attachments, WrittenAttachments } from '../port/image_input';
import type { Observer } from '../port/observer';
import type { Interaction, RunRecord } from '../port/store/runs';
import type { SessionAccess } from '../service/access/session_access';
import type { SessionIds } from '../service/access/session_ids';
import type { SessionPresence } from '../service/access/session_presence';
import type { KeyRing } from '../service/auth/key_ring';
import type { DoorActivity } from '../service/door/door_activity';
import type { ImageService } from '../service/image/image_service';
import type { RateLimits } from '../service/limits/rate_limits';
import type { Refusals } from '../service/limits/refusals';
import type { AnswerService } from '../service/question/answer_service';
import type { ApprovalService } from '../service/question/approval_service';
import type { ApproverPresence } from '../service/question/approver_presence';
import type { QuestionService } from '../service/question/question_service';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { EventSink } from '../service/run_log/event_sink';
import type { RunService } from '../service/run_log/run_service';
import type { RunSubscription, SubscriptionRequest } from '../service/run_log/run_subscription';
import type { ServiceSettings } from '../service/service_settings';
import type { SessionService } from '../service/session/session_service';
import type { SessionWatch } from '../service/session/session_watch';
import type { SnapshotService } from '../service/session/snapshot_service';
import { assertScope } from '../wire/assert_scope';
import { toWireDecision, toWireSnapshot } from '../wire/wire_records';
import { canApprove, interactionOf, type SocketPrincipal, showsPeople } from './handshake';
import { assertMayHandle } from './message_access';
import { type ClientMessage, decodeClientMessage, MESSAGE_SCOPES, toStartRequest } from './protocol';
import { SessionSubscriptions } from './session_subscriptions';
import { type Reply, replyTo } from './socket_reply';

type Message<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;

/** The attribute of a connection under which its SessionSubscriptions are kept. */
const SUBSCRIPTIONS = 'subscriptions';
/** Messages that count for no limit: a ping keeps a connection alive, and who types sends many. */
const COSTS_NOTHING: ReadonlySet<ClientMessage['type']> = new Set(['ping', 'typing']);
/** The attribute of a connection that follows the list of sessions. */
const WATCH = 'watch';

/**
 * Midway creates an instance with the first message of a connection, and a second one when two messages come in one tick, so an instance keeps no
 * state. A handler of connections would give idle connections an instance too. A handler of disconnections would create one when they end.
 */
@WSController('/')
export class GatewayServer {
  @Inject() ctx!: Context;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() runService!: RunService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() sessionIds!: SessionIds;
  @InjectService() sessionPresence!: SessionPresence;
  @InjectService() imageService!: ImageService;
  @InjectService() sessionService!: SessionService;
  @InjectService() sessionWatch!: SessionWatch;
  @InjectService() snapshotService!: SnapshotService;
  @InjectService() answerService!: AnswerService;
  @InjectService() approvalService!: ApprovalService;
  @InjectService() approverPresence!: ApproverPresence;
  @InjectService() keyRing!: KeyRing;
  @InjectService() questionService!: QuestionService;
  @InjectService() rateLimits!: RateLimits;
  @InjectService() refusals!: Refusals;
  @InjectService() serviceSettings!: ServiceSettings;
  @InjectService() doorActivity!: DoorActivity;
  @Inject() ports!: { observer: Observer };

  /** `args`: the message, then perhaps other arguments, and last the ack callback when the client asked for one. */
  @OnWSMessage('message')
  async onMessage(...args: unknown[]): Promise<void> {
    const { observer } = this.ports;
    const reply = replyTo(this.ctx, args.at(-1), { ...this.serviceSettings, refusals: this.refusals });
    try {
      const message = decodeClientMessage(args[0]);
      observer.note({ type: 'socket_message', message: message.type });
      assertScope(this.principal, MESSAGE_SCOPES[message.type]);
      const counting = COSTS_NOTHING.has(message.type) ? undefined : this.rateLimits.takeRequest(this.principal);
      if (counting) await counting;
      if (this.sessionAccess.isInUse) await assertMayHandle(message, this.principal, this);
      await this.handle(message, reply);
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
      case 'typing':
        return this.typing(message, reply);
      case 'watch_sessions':
        return this.watchSessions(reply);
      case 'ping':
        return this.ping(reply);
    }
  }

  private async chat(message: Message<'chat'>, reply: Reply): Promise<void> {
    this.assertRoomFor(message.sessionId);
    const client = { principal: this.principal, connectionId: this.ctx.id, interaction: this.interaction };
    const attached = await this.readAttachments(message);
    let joined: RunSubscription | undefined;
    try {
      const { run, deduplicated, steered } = await this.agentExecutor.start(toStartRequest(message, client, attached), async claimed => {
        if (!this.subscriptions.has(claimed.sessionId)) joined = await this.subscriptions.join(fromStart(claimed));
      });
      reply.ok({ sessionId: run.sessionId, runId: run.id, deduplicated, steered: steered || undefined });
      this.subscriptions.lookingAt(run.sessionId)?.endTyping();
      await (joined ? this.subscriptions.start(joined, run) : this.subscribeToRun(run));
    } catch (thrown) {
      joined?.stop();
      throw thrown;
    }
  }

  private async subscribe({ sessionId, after }: Message<'subscribe'>, reply: Reply): Promise<void> {
    const { tenantId } = this.principal;
    this.assertRoomFor(sessionId);
    const snapshot = await this.snapshotService.readSnapshot({ tenantId, sessionId }, after).catch(thrown => {
      if (after) this.noteResume('expired');
      throw thrown;
    });
    reply.ok(toWireSnapshot(snapshot));
    const result = await this.subscriptions.subscribe({ tenantId, sessionId, after });
    if (after) this.noteResume(result);
  }

  /** Counts how a reader resumed, for the metrics and for the operators' list of connections. */
  private noteResume(result: 'replayed' | 'resync' | 'expired'): void {
    const field = result === 'replayed' ? 'replayed' : 'gaps';
    this.ctx.data[field] = (this.ctx.data[field] ?? 0) + 1;
    this.ports.observer.note({ type: 'socket_resumed', result });
  }

  private async answer({ type: _type, images, files, ...given }: Message<'clarify_response'>, reply: Reply): Promise<void> {
    const { tenantId, keyName } = this.principal;
    const attached = await this.readAttachments({ images, files });
    const request = { tenantId, keyName, ...given, ...attached, door: 'socketio' as const };
    const nextRun = await this.answerService.answerClarification({ ...request, interaction: this.interaction });
    reply.ok({ status: 'answered', runId: nextRun?.id });
    this.subscriptions.lookingAt(given.sessionId)?.endTyping();
    // Whoever was asked this one question does not see the chat.
    if (nextRun && (await this.sessionAccess.maySee(this.principal, nextRun.sessionId))) await this.subscribeToRun(nextRun);
  }

  private async decide({ type: _type, sessionId, requestId, ...answer }: Message<'approval_response'>, reply: Reply): Promise<void> {
    const decided = await this.approvalService.decideApproval({ ...this.principal, sessionId }, requestId, answer);
    const { requestId: _id, ...said } = toWireDecision(requestId, decided);
    reply.ok(said);
    this.subscriptions.lookingAt(sessionId)?.endTyping();
  }

  private async extend({ sessionId, requestId }: Message<'clarify_extend'>, reply: Reply): Promise<void> {
    const { tenantId } = this.principal;
    const timeoutsMs = { clarification: this.interaction.clarifyTimeoutMs, approval: this.serviceSettings.clarify.declaredTimeoutMs };
    const expiresAt = await this.questionService.extendDeadline({ tenantId, sessionId }, requestId, timeoutsMs);
    reply.ok({ expiresAt: new Date(expiresAt).toISOString() });
  }

  private async cancel({ runId, toolCallId }: Message<'cancel'>, reply: Reply): Promise<void> {
    const { tenantId } = this.principal;
    const run =
      toolCallId === undefined
        ? await this.agentExecutor.cancel(tenantId, runId, this.principal)
        : await this.agentExecutor.cancelToolCall(this.principal, runId, toolCallId);
    reply.ok({ status: run.status });
  }

  /** Tells the others who look at the session that the person types a message or an answer. */
  private async typing({ sessionId }: Message<'typing'>, reply: Reply): Promise<void> {
    const looking = this.subscriptions.lookingAt(sessionId);
    // Nobody would hear of it, and it costs no reading of the store.
    if (!looking)
      throw new AppError('not_found', {
        param: '/sessionId',
        message: 'This connection does not follow the session: send subscribe first.',
        messageZh: '此连接没有关注该会话：请先发送 subscribe。',
      });
    await this.sessionAccess.assertMay(this.principal, sessionId, 'answer');
    looking.noteTyping();
    reply.ok({});
  }

  /** Tells this connection from now on when the list of sessions has changed. */
  private async watchSessions(reply: Reply): Promise<void> {
    const { ctx } = this;
    reply.ok({});
    if (ctx.getAttr(WATCH) || !ctx.connected) return;
    ctx.setAttr(WATCH, true);
    ctx.on(
      'disconnect',
      this.sessionWatch.watch(this.principal.tenantId, () => reply.event('sessions_changed', {})),
    );
  }

  private async steer({ runId, text, ...written }: Message<'steer'>, reply: Reply): Promise<void> {
    const message = { text, writtenBy: this.principal.keyName, ...(await this.readAttachments(written)) };
    const run = await this.agentExecutor.steer(this.principal.tenantId, runId, message);
    reply.ok({ sessionId: run.sessionId, runId: run.id });
    this.subscriptions.lookingAt(run.sessionId)?.endTyping();
  }

  private readAttachments(written: WrittenAttachments): Promise<Attachments> {
    return this.imageService.readAttachments(this.principal.tenantId, written);
  }

  private async setThinkingLevel({ sessionId, level }: Message<'set_thinking_level'>, reply: Reply): Promise<void> {
    const { tenantId, keyName: by } = this.principal;
    await this.sessionService.updateSession(tenantId, sessionId, { thinkingLevel: level, by });
    reply.ok({ level });
  }

  private async ping(reply: Reply): Promise<void> {
    reply.event('pong', {});
    reply.ok({});
  }

  /**
   * The subscriptions of the connection, which all instances of this class for the connection share. Created at the first use, stopped at the
   * disconnect.
   */
  private get subscriptions(): SessionSubscriptions {
    const { ctx } = this;
    return ctx.getAttr<SessionSubscriptions | undefined>(SUBSCRIPTIONS) ?? this.openSubscriptions(ctx);
  }

  private openSubscriptions(ctx: Context): SessionSubscriptions {
    const subscriptions = new SessionSubscriptions(ctx, {
      createSubscription: (request, sink) => this.createSubscription(request, sink),
      look: (session, tell) => this.sessionPresence.join(session, this.principal, showsPeople(this.principal) ? tell : () => true),
      sentEvents: this.doorActivity.sentEvents,
    });
    ctx.setAttr(SUBSCRIPTIONS, subscriptions);
    // On a socket that is disconnected already, `disconnect` never comes, and SessionSubscriptions opens nothing.
    ctx.on('disconnect', () => subscriptions.stopAll());
    return subscriptions;
  }

  /** Throws `rate_limited` unless this connection reads the session already or there is room for one more reader. */
  private assertRoomFor(sessionId: string | undefined): void {
    if (sessionId === undefined || !this.subscriptions.has(sessionId)) this.runService.assertRoomForReader(sessionId);
  }

  /** A client that shows approvals counts as an approver of the session as long as it is subscribed. */
  private createSubscription(request: SubscriptionRequest, sink: EventSink): RunSubscription {
    const subscription = this.runService.subscribe(request, sink);
    void subscription.ended.then(this.sessionAccess.follow(this.principal, request.sessionId, () => subscription.stop()));
    if (canApprove(this.principal)) void subscription.ended.then(this.approverPresence.join(request));
    return subscription;
  }

  /** Subscribes the client that started the run, from seq 0. */
  private async subscribeToRun(run: RunRecord): Promise<void> {
    if (!this.subscriptions.has(run.sessionId)) await this.subscriptions.subscribe(fromStart(run));
  }

  private get principal(): SocketPrincipal {
    return this.ctx.data.principal;
  }

  /** Tells runs that this client starts how they can ask a person. */
  private get interaction(): Interaction {
    const hasApprover = this.keyRing.hasApprover(this.principal.tenantId);
    return interactionOf(this.principal, { clarify: this.serviceSettings.clarify, hasApprover });
  }
}

const fromStart = ({ tenantId, sessionId, id: runId }: RunRecord): SubscriptionRequest => ({
  tenantId,
  sessionId,
  after: { runId, seq: 0 },
});
