/** Messages of A2A clients: the first one of a task starts a run, later ones answer its question or go into it while it works. */
import type { Message, SendMessageRequest } from '@a2a-js/sdk';
import { AppError } from '../../errors';
import { type ApprovalAnswer, isTerminal } from '../../port/run_event';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { StartRequest } from '../../service/run/start_request';
import { titleFrom } from '../../service/session/session_title';
import { fingerprintOf } from '../../utils/fingerprint';
import type { A2aCaller, A2aDeps } from './a2a_caller';
import { a2aSdk } from './a2a_sdk';
import { contextOf, type OpenQuestion } from './a2a_task';
import { readMessage } from './read_message';

/** The run of a message, and the last event of it from before the message. */
export interface SentMessage {
  run: RunRecord;
  after: number;
}

/** Throws `rate_limited` when the session, or the gateway, is at its limit of readers. */
type AssertRoom = (sessionId: string | undefined) => void;

const MAX_ID_UNITS = 200;

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
  ) {}

  /**
   * Sends a message. `isFollowed`: the client reads the run, so there must be room for a reader. Rejects with errors of A2A, `rate_limited` before
   * anything is stored, as AgentExecutor.start does, and `clarification_closed` when another answer came first.
   */
  async send(request: SendMessageRequest, { isFollowed }: { isFollowed: boolean }): Promise<SentMessage> {
    const { message } = request;
    if (!message?.messageId) throw malformed('message.messageId is needed.');
    if (message.messageId.length > MAX_ID_UNITS || message.contextId.length > MAX_ID_UNITS)
      throw malformed(`message: ids have at most ${MAX_ID_UNITS} characters.`);
    const assertRoom = (sessionId: string | undefined): void => {
      if (isFollowed) this.deps.runService.assertRoomForReader(sessionId);
    };
    return message.taskId === '' ? this.startTask(message, assertRoom) : this.continueTask(message, assertRoom);
  }

  /** Rejects with TaskNotFoundError, also for a run of another tenant. */
  async findRun(id: string): Promise<RunRecord> {
    try {
      return await this.deps.runService.getRun(this.caller.principal.tenantId, id);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
      throw new (a2aSdk().TaskNotFoundError)(`There is no task ${JSON.stringify(id.slice(0, 80))}.`);
    }
  }

  /** Finds the question for which the run waits, also one of a crew member. */
  async openQuestion(run: RunRecord): Promise<OpenQuestion | undefined> {
    return run.status === 'waiting' ? (await this.deps.questionService.listOpenQuestions(run))[0] : undefined;
  }

  private async startTask(message: Message, assertRoom: AssertRoom): Promise<SentMessage> {
    const { agentExecutor, imageService } = this.deps;
    const { tenantId } = this.caller.principal;
    const { text, images } = readMessage(message);
    const request = await this.toStartRequest(message, text);
    assertRoom(request.sessionId);
    const { run } = await agentExecutor.start({ ...request, images: images && (await imageService.readImages(tenantId, images)) });
    return { run, after: 0 };
  }

  private async toStartRequest(message: Message, text: string): Promise<StartRequest> {
    const { tenantId, keyName } = this.caller.principal;
    const { messageId, contextId } = message;
    const agent = agentOf(message);
    this.deps.agentDirectory.assertAgentExists(agent);
    const { session, sessionId } = contextId === '' ? {} : await this.deps.givenConversations.findThread(tenantId, contextId);
    return {
      tenantId,
      keyName,
      door: 'a2a',
      text,
      agent,
      ...this.caller.origin,
      sessionId: session?.id,
      newSession: session || sessionId === undefined ? undefined : { id: sessionId, title: titleFrom(text) },
      onBusy: 'enqueue',
      interaction: this.interaction(),
      metadata: { a2aMessageId: messageId, ...(contextId !== '' && contextId !== session?.id && { a2aContextId: contextId }) },
      // A client that lost the answer sends the message again.
      idempotency: { key: `a2a:${messageId}`, fingerprint: fingerprintOf({ keyName, contextId, agent, text }) },
    };
  }

  private async continueTask(message: Message, assertRoom: AssertRoom): Promise<SentMessage> {
    const run = await this.findRun(message.taskId);
    const { UnsupportedOperationError } = a2aSdk();
    if (isTerminal(run.status))
      throw new UnsupportedOperationError('The task has ended: send a message with its contextId for the next one.');
    if (message.contextId !== '' && ![contextOf(run), run.sessionId].includes(message.contextId))
      throw malformed('message.contextId: the task belongs to another context.');
    const { text } = readMessage(message);
    assertRoom(run.sessionId);
    const question = await this.openQuestion(run);
    if (question?.approval) await this.decide(question, text);
    else if (question) await this.answer(question, text);
    else await this.deps.agentExecutor.steer(run.tenantId, run.id, text);
    return { run: await this.findRun(run.id), after: run.lastSeq };
  }

  private async decide({ id }: OpenQuestion, text: string): Promise<void> {
    const { principal, canApprove } = this.caller;
    if (!canApprove) throw new (a2aSdk().UnsupportedOperationError)('A person decides this call: the key has no scope approve.');
    const decision = DECISIONS[text.trim().toLowerCase()];
    if (!decision) throw malformed('message.parts: answer allow, allow_session or deny.');
    await this.deps.approvalService.decideApproval(principal, id, { decision });
  }

  private async answer({ id: requestId }: OpenQuestion, answer: string): Promise<void> {
    const { tenantId, keyName } = this.caller.principal;
    await this.deps.answerService.answerClarification({
      tenantId,
      keyName,
      requestId,
      answer,
      door: 'a2a',
      interaction: this.interaction(),
    });
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

/** The agent that a message names in its metadata, by the id of a skill of the card. */
function agentOf({ metadata }: Message): string {
  const agent: unknown = metadata?.['agent'];
  if (agent === undefined) return 'default';
  if (typeof agent === 'string') return agent;
  throw malformed('message.metadata.agent: must be the id of a skill in the card.');
}

const malformed = (message: string): Error => new (a2aSdk().RequestMalformedError)(message);
