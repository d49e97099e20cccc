/** A person at a chat page with one session: repeats each message with its clientMessageId until the ack, and reconnects with a cursor. */
import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { RunStatus } from '../../src/port/run_event';
import type { Ack } from '../support/chat_client';
import { newRecord, type SentMessage, takeEvent, viewOf, type WireMessage } from './client_record';
import type { Random } from './random';

const ACK_LIMIT_MS = 4_000;
const RETRY_MS = 60;

export class ChatPerson {
  readonly record;
  private readonly socket: Socket;
  private sessionId: string | undefined;
  /** Runs, in the order of their first event. */
  private readonly runIds: string[] = [];
  private readonly handledQuestions = new Set<string>();
  private readonly pending = new Set<Promise<void>>();
  /** Set while connected and subscribed. */
  private isReady = false;
  private isClosed = false;
  private messageCount = 0;

  constructor(
    url: string,
    readonly name: string,
    private readonly random: Random,
  ) {
    this.record = newRecord(name);
    const auth = { clientId: name, capabilities: ['clarify@1'] };
    this.socket = io(url, { auth, transports: ['websocket'], forceNew: true, reconnectionDelay: 40, reconnectionDelayMax: 150 });
    this.socket.on('message', (message: WireMessage | { type: 'error' | 'pong' }) => this.take(message));
    this.socket.on('connect', () => void this.subscribe());
    this.socket.on('disconnect', () => {
      this.isReady = false;
      // Each message is repeated by its own loop, after the subscription.
      this.socket.sendBuffer = [];
    });
  }

  /** Resolves with the ack, which can come after a restart of the gateway. */
  async say(text: string, more: { onBusy?: 'enqueue' | 'steer' } = {}): Promise<{ runId: string; sessionId: string }> {
    const sent: SentMessage = { text, ...(more.onBusy === 'steer' && { isSteer: true }) };
    this.record.sent.push(sent);
    const clientMessageId = `${this.name}-${this.messageCount++}`;
    const ack = await this.sendUntilAcked(() => ({
      type: 'chat',
      text,
      clientMessageId,
      ...(this.sessionId !== undefined && { sessionId: this.sessionId }),
      ...more,
    }));
    if (!ack.ok) return this.refused(`chat "${text}"`, ack);
    const { runId, sessionId } = ack as unknown as { runId: string; sessionId: string };
    this.sessionId = sessionId;
    this.noteRun(runId);
    sent.ack = { runId, sessionId };
    return sent.ack;
  }

  /** Sends a steering message once; it has no key, so it cannot be repeated safely. */
  async steer(runId: string, text: string): Promise<void> {
    const sent: SentMessage = { text, isSteer: true, isUnkeyed: true };
    this.record.sent.push(sent);
    if (!this.isReady) return;
    const ack = await this.sendOnce({ type: 'steer', runId, text });
    if (ack?.ok) sent.ack = { runId: String(ack['runId']), sessionId: String(ack['sessionId']) };
  }

  /** Cancels a run; resolves with the ack. */
  async cancel(runId: string): Promise<void> {
    const ack = await this.sendUntilAcked(() => ({ type: 'cancel', runId }));
    if (ack.ok) this.record.cancels.push({ runId, status: ack['status'] as RunStatus });
  }

  /** Resolves true when this person has seen the end of every acknowledged or seen run, and false after a timeout. */
  async finished(limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    while (performance.now() < deadline) {
      if (this.runIds.every(runId => viewOf(this.record, runId).isOver) && this.pending.size === 0) return true;
      await delay(20);
    }
    return false;
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }

  private take(message: WireMessage | { type: 'error' | 'pong' }): void {
    if (message.type === 'error' || message.type === 'pong') return;
    this.noteRun((message as WireMessage).runId);
    for (const event of takeEvent(this.record, message as WireMessage)) {
      if (event.type === 'clarify_request') this.answerSoon(event.data.requestId);
      else if (event.type === 'clarify_end') this.handledQuestions.add(event.data.requestId);
    }
  }

  private noteRun(runId: string): void {
    if (!this.runIds.includes(runId)) this.runIds.push(runId);
  }

  private answerSoon(requestId: string): void {
    if (this.handledQuestions.has(requestId)) return;
    this.handledQuestions.add(requestId);
    const work = this.answer(requestId).finally(() => this.pending.delete(work));
    this.pending.add(work);
  }

  private async answer(requestId: string): Promise<void> {
    await delay(this.random.between(0, 250));
    const answer = `answer ${requestId.slice(0, 8)}`;
    const ack = await this.sendUntilAcked(() => ({ type: 'clarify_response', sessionId: this.sessionId ?? '', requestId, answer }));
    // If the first ack was lost, this same answer has already closed the question.
    const isOurs = ack.ok || (ack.error?.code === 'clarification_closed' && ack.error.details?.['answer'] === answer);
    if (isOurs) this.record.answers.push({ requestId, answer });
  }

  private async subscribe(): Promise<void> {
    if (this.sessionId !== undefined) {
      const after = this.cursor();
      const ack = await this.sendOnce({ type: 'subscribe', sessionId: this.sessionId, ...(after && { after }) });
      if (!ack?.ok) {
        if (ack && !isTemporary(ack))
          this.record.complaints.push({ kind: 'bricked', detail: `${this.name}: subscribe: ${JSON.stringify(ack.error)}` });
        return void this.socket.disconnect().connect();
      }
    }
    this.isReady = true;
  }

  /**
   * Returns the first run that has not ended, or the last one. Later runs are replayed from their first event, including a queued run that
   * was cancelled, so their events are forgotten here.
   */
  private cursor(): { runId: string; seq: number } | undefined {
    const open = this.runIds.findIndex(id => !viewOf(this.record, id).isOver);
    const index = open >= 0 ? open : this.runIds.length - 1;
    const runId = this.runIds[index];
    if (runId === undefined) return undefined;
    for (const later of this.runIds.slice(index + 1)) viewOf(this.record, later).events = [];
    return { runId, seq: viewOf(this.record, runId).lastSeq };
  }

  private async sendUntilAcked(message: () => Record<string, unknown>): Promise<Ack> {
    for (;;) {
      if (this.isClosed) throw new Error(`${this.name} left before its message was acknowledged`);
      const ack = this.isReady ? await this.sendOnce(message()) : undefined;
      if (ack && (ack.ok || !isTemporary(ack))) return ack;
      await delay(RETRY_MS);
    }
  }

  /** Resolves with undefined when no ack came. */
  private async sendOnce(message: Record<string, unknown>): Promise<Ack | undefined> {
    try {
      return await this.socket.timeout(ACK_LIMIT_MS).emitWithAck('message', message);
    } catch {
      return undefined;
    }
  }

  private refused(what: string, ack: Ack): never {
    this.record.complaints.push({ kind: 'bricked', detail: `${this.name}: ${what} was refused: ${JSON.stringify(ack.error)}` });
    throw new Error(`${this.name}: ${what} was refused: ${JSON.stringify(ack.error)}`);
  }
}

const isTemporary = (ack: Ack): boolean => ack.error?.code === 'draining' || ack.error?.code === 'store_unavailable';
