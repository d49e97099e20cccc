/** Socket.IO with socket.io-client. */
import type { RunEvent } from '../../../src/port/run_event';
import { type ChatClient, connectChat } from '../chat_client';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { EventTurn, toLog } from './event_turn';

export const SOCKET_DOOR: Door = {
  name: 'Socket.IO',
  guide: '../protocol.md#socketio',
  forms: {
    stream: 'text',
    resume: 'cursor',
    question: ['asked'],
    approval: 'asked',
    cancel: 'request',
    budget: 'reason: budget',
    error: 'error.code',
  },
  ends: { completed: { status: 'completed' }, budget: { status: 'incomplete', reason: 'budget' }, cancelled: { status: 'cancelled' } },
  errors: {
    failedRun: { status: 'failed', code: 'model_refused' },
    unknownAgent: { code: 'not_found', param: '/agent' },
    wrongKey: { data: { error: { code: 'unauthenticated' } } },
    quota: { code: 'quota_exceeded' },
    otherTenant: { code: 'not_found' },
  },
  connect: async caller => new SocketDoorClient(await open(caller), caller),
};

const open = ({ url, secret }: DoorCaller): Promise<ChatClient> =>
  connectChat(url, { token: secret, capabilities: ['clarify@1', 'approval@1'] });

class SocketDoorClient implements DoorClient {
  constructor(
    private chat: ChatClient,
    private readonly caller: DoorCaller,
  ) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation: sessionId, agent, cancel, leave } = options;
    const { chat } = this;
    const started = Promise.withResolvers<{ runId: string; sessionId: string }>();
    const reply = async (fields: object) => chat.send({ ...fields, sessionId: (await started.promise).sessionId });
    const turn = new EventTurn(message, options, {
      answer: (requestId, answer) => reply({ type: 'clarify_response', requestId, answer }),
      decide: (requestId, decision) => reply({ type: 'approval_response', requestId, decision }),
    });
    const listen = (event: RunEvent) => 'seq' in event && turn.take(event);
    chat.socket.on('message', listen);
    try {
      started.resolve(await this.request({ type: 'chat', text: message, sessionId, agent }));
      const { runId } = await started.promise;
      cancel?.addEventListener('abort', () => void chat.send({ type: 'cancel', runId }));
      leave?.addEventListener('abort', () => chat.close());
      return await turn.end;
    } finally {
      chat.socket.off('message', listen);
    }
  }

  async comeBack(left: Turn): Promise<Turn> {
    this.chat = await open(this.caller);
    const turn = EventTurn.after(left);
    this.chat.socket.on('message', turn.take);
    await this.subscribe(left, Number(left.cursor));
    return turn.end;
  }

  async readLog(turn: Turn, cursor = '0') {
    const reader = await open(this.caller);
    try {
      const subscribed = reader.send({ type: 'subscribe', sessionId: turn.conversation, after: { runId: turn.id, seq: Number(cursor) } });
      expect(await subscribed).toMatchObject({ ok: true });
      // Nothing follows the last event; the ack comes after everything that is stored.
      const total = (await this.caller.rest.request<{ data: RunEvent[] }>('GET', `/runs/${turn.id}/events?limit=1000`)).body.data.length;
      if (Number(cursor) < total) await reader.endOf(turn.id);
      return toLog(reader.eventsOf(turn.id));
    } finally {
      reader.close();
    }
  }

  attempts({ id: runId, conversation: sessionId }: Turn) {
    return [
      () => this.request({ type: 'subscribe', sessionId, after: { runId, seq: 0 } }),
      () => this.request({ type: 'chat', text: 'let me in', sessionId }),
      () => this.request({ type: 'cancel', runId }),
    ];
  }

  async close(): Promise<void> {
    this.chat.close();
  }

  private subscribe({ id: runId, conversation: sessionId }: Turn, seq: number) {
    return this.request({ type: 'subscribe', sessionId, after: { runId, seq } });
  }

  private async request(message: Record<string, unknown>) {
    const defined = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
    const ack = await this.chat.send(defined);
    if (!ack.ok) throw ack.error;
    return ack as unknown as { runId: string; sessionId: string };
  }
}
