/** Messages of A2A clients: the first one of a task starts a run, later ones answer its question or go into it while it works. */

import type { Message, SendMessageRequest, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { AppError } from '../../errors';
import type { Attachments } from '../../port/image_input';
import { type ApprovalAnswer, isTerminal } from '../../port/run_event';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { SessionAction } from '../../service/access/session_action';
import { OncePerKey } from '../../service/once_per_key';
import type { StartRequest } from '../../service/run/start_request';
import type { SteeringInput, SteeringRequest } from '../../service/run/steering_service';
import { titleFrom } from '../../service/session/session_title';
import { fingerprintOf } from '../../utils/fingerprint';
import type { A2aCaller, A2aDeps } from './a2a_caller';
import { malformed } from './a2a_errors';
import { a2aSdk } from './a2a_sdk';
import { contextOf, type OpenQuestion } from './a2a_task';
import type { PushConfigs } from './push_configs';
import { type ReadMessage, readMessage } from './read_message';

/** The run of a message, and the last event of it from before the message. */
export interface SentMessage {
  run: RunRecord;
  after: number;
}

/** Throws `rate_limited` when the session, or the gateway, is at its limit of readers. */
type AssertRoom = (sessionId: string | undefined) => void;

type WriteWith = (tx: StoreTransaction) => Promise<void>;

const MAX_ID_UNITS = 200;
const ATTACHMENTS_MS = 30_000;

/** The words with which a message decides an approval. */
const DECISIONS: Readonly<Record<string, ApprovalAnswer['decision']>> = {
  allow: 'allow_once',
  allow_once: 'allow_once',
  allow_session: 'allow_session',
  deny: 'deny',
  允许: 'allow_once',
  拒绝: 'deny',
};

export class MessageSender {
  constructor(
    private readonly caller: A2aCaller,
    private readonly deps: A2aDeps,
    private readonly pushConfigs: PushConfigs,
  ) {}

  /**
   * Sends a message. `isFollowed`: the client reads the run, so there must be room for a reader. Rejects with errors of A2A, `rate_limited` before
   * anything is stored, as AgentExecutor.start does, and `clarification_closed` when another answer came first.
   */
  async send(request: SendMessageRequest, { isFollowed }: { isFollowed: boolean }): Promise<SentMessage> {
    const { message, configuration } = request;
    const push = configuration?.taskPushNotificationConfig;
    if (push) this.pushConfigs.check(push);
    if (!message?.messageId) throw malformed('message.messageId is needed.');
    if (message.messageId.length > MAX_ID_UNITS || message.contextId.length > MAX_ID_UNITS)
      throw malformed(`message: ids have at most ${MAX_ID_UNITS} characters.`);
    const assertRoom = (sessionId: string | undefined): void => {
      if (isFollowed) this.deps.runService.assertRoomForReader(sessionId);
    };
    return message.taskId === '' ? this.startTask(message, assertRoom, push) : this.continueTask(message, assertRoom, push);
  }

  /** Rejects with TaskNotFoundError, also for a run of another tenant or one that the caller does not see. */
  async findRun(id: string, action: SessionAction = 'drive'): Promise<RunRecord> {
    try {
      const run = await this.deps.runService.getRun(this.caller.principal.tenantId, id);
      await this.deps.sessionAccess.assertMay(this.caller.principal, run.sessionId, action);
      return run;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
      throw new (a2aSdk().TaskNotFoundError)(`There is no task ${JSON.stringify(id.slice(0, 80))}.`);
    }
  }

  /** Finds the question for which the run waits, also one of a crew member. */
  async openQuestion(run: RunRecord): Promise<OpenQuestion | undefined> {
    return run.status === 'waiting' ? (await this.deps.questionService.listOpenQuestions(run))[0] : undefined;
  }

  private async startTask(message: Message, assertRoom: AssertRoom, push: TaskPushNotificationConfig | undefined): Promise<SentMessage> {
    const { agentExecutor } = this.deps;
    const content = readMessage(message);
    const { text, attached } = content;
    const agent = agentOf(message);
    const request = await this.toStartRequest(message, { text, agent, idempotency: this.keyOf(message, { ...content, agent }) });
    assertRoom(request.sessionId);
    const { run } = await agentExecutor.start({ ...request, ...(await this.readAttached(attached)), alsoWrite: this.putOf(push) });
    return { run, after: 0 };
  }

  private async toStartRequest(
    { contextId, ...message }: Message,
    asked: Pick<StartRequest, 'text' | 'idempotency'> & { agent: string },
  ): Promise<StartRequest> {
    const { tenantId, keyName } = this.caller.principal;
    this.deps.visibleAgents.assertAgentExists(asked.agent, { tenantId, keyName });
    const { session, sessionId } = contextId === '' ? {} : await this.deps.givenConversations.findThread(this.caller.principal, contextId);
    return {
      ...asked,
      tenantId,
      keyName,
      door: 'a2a',
      ...this.caller.origin,
      sessionId: session?.id,
      newSession: session || sessionId === undefined ? undefined : { id: sessionId, title: titleFrom(asked.text) },
      onBusy: 'enqueue',
      interaction: this.interaction(),
      metadata: metadataFor(message, contextId === session?.id ? '' : contextId),
    };
  }

  /** The key under which a client that lost the answer sends the message again. Ids of messages are unique in a context or a task at most. */
  private keyOf({ messageId, contextId, taskId }: Message, content: ReadMessage & { agent?: string }) {
    const { keyName } = this.caller.principal;
    return { key: `a2a:${fingerprintOf([keyName, contextId, taskId, messageId])}`, fingerprint: fingerprintOf(content) };
  }

  private async continueTask(message: Message, assertRoom: AssertRoom, push: TaskPushNotificationConfig | undefined): Promise<SentMessage> {
    // The part that the message needs depends on whether it answers.
    const run = await this.findRun(message.taskId, 'look');
    const { UnsupportedOperationError } = a2aSdk();
    if (message.contextId !== '' && ![contextOf(run), run.sessionId].includes(message.contextId))
      throw malformed('message.contextId: the task belongs to another context.');
    const content = readMessage(message);
    const once = new OncePerKey(this.keyOf(message, content));
    const earlier = await once.findEarlier(this.deps.store.read, run.tenantId);
    if (earlier === undefined && isTerminal(run.status))
      throw new UnsupportedOperationError('The task has ended: send a message with its contextId for the next one.');
    assertRoom(run.sessionId);
    if (earlier !== undefined) return { run: await this.findRun(earlier, 'look'), after: 0 };
    const given = { text: content.text, ...(await this.readAttached(content.attached)) };
    const question = await this.openQuestion(run);
    const metadata = metadataFor(message, namedContextOf(run));
    if (!question || push) await this.findRun(message.taskId);
    if (!question)
      return this.steer(run, { ...given, metadata, writtenBy: this.caller.principal.keyName, alsoWrite: this.putOf(push) }, once);
    // Before the answer: the task may end right after it.
    if (push) await this.pushConfigs.put(run, push);
    const alsoWrite = (tx: StoreTransaction) => this.rememberMessage(tx, run, once);
    if (question.approval) await this.decide(question, given, alsoWrite);
    else await this.answer(question, given, alsoWrite);
    return { run: await this.findRun(run.id, 'look'), after: run.lastSeq };
  }

  /** Sends a message into a run that works. The run may have ended since it was read: the message begins the next task of the context then. */
  private async steer(run: RunRecord, message: SteeringRequest, once: OncePerKey): Promise<SentMessage> {
    const taken = await this.deps.agentExecutor.steer(run.tenantId, run.id, message, once);
    return { run: taken, after: taken.id === run.id ? run.lastSeq : 0 };
  }

  /** Returns the write that stores the config of a message for the run that takes the message. */
  private putOf(push: TaskPushNotificationConfig | undefined): StartRequest['alsoWrite'] {
    return push && ((tx, run) => this.pushConfigs.putWithin(tx, run, push));
  }

  /** Stores that the message has reached the run, together with the answer that it gives. */
  private rememberMessage(tx: StoreTransaction, { tenantId, id }: RunRecord, once: OncePerKey): Promise<void> {
    return once.makeOnce(tx, { tenantId, now: this.deps.clock.now() }, async () => id);
  }

  private async decide({ id }: OpenQuestion, { text, images, files }: SteeringInput, alsoWrite: WriteWith): Promise<void> {
    const { principal, canApprove } = this.caller;
    if (!canApprove) throw new (a2aSdk().UnsupportedOperationError)('A person decides this call: the key has no scope approve.');
    const decision = DECISIONS[text.trim().toLowerCase()];
    if (!decision || images || files) throw malformed('message.parts: answer allow, allow_session or deny, without images and files.');
    await this.deps.approvalService.decideApproval(principal, id, { decision }, alsoWrite);
  }

  private async answer({ id: requestId }: OpenQuestion, { text, images, files }: SteeringInput, alsoWrite: WriteWith): Promise<void> {
    const { tenantId, keyName } = this.caller.principal;
    const interaction = this.interaction();
    const asked = { tenantId, keyName, requestId, door: 'a2a' as const, interaction, alsoWrite };
    await this.deps.answerService.answerClarification({ ...asked, answer: text, images, files });
  }

  private readAttached(attached: ReadMessage['attached']): Promise<Attachments> {
    const { principal, signal } = this.caller;
    const timedOut = AbortSignal.timeout(ATTACHMENTS_MS);
    return this.deps.imageService.readNamed(principal, attached, AbortSignal.any([signal, timedOut]));
  }

  private interaction(): Interaction {
    const { keyRing, serviceSettings } = this.deps;
    return {
      clarify: 'wait',
      clarifyTimeoutMs: serviceSettings.clarify.declaredTimeoutMs,
      approvals: keyRing.hasApprover(this.caller.principal.tenantId) ? 'wait' : 'none',
    };
  }
}

/** Returns what the run of a message remembers of the message. `namedContext`: the context as the client named it; '' when that is the id of the session. */
const metadataFor = ({ messageId }: Pick<Message, 'messageId'>, namedContext: string): Record<string, unknown> => ({
  a2aMessageId: messageId,
  ...(namedContext !== '' && { a2aContextId: namedContext }),
});

const namedContextOf = (run: RunRecord): string => (contextOf(run) === run.sessionId ? '' : contextOf(run));

/** The agent that a message names in its metadata, by the id of a skill of the card. */
function agentOf({ metadata }: Message): string {
  const agent: unknown = metadata?.['agent'];
  if (agent === undefined) return 'default';
  if (typeof agent === 'string') return agent;
  throw malformed('message.metadata.agent: must be the id of a skill in the card.');
}
