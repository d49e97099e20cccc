/** A Socket.IO client like the chat page: sends messages with acks and keeps every received event. */
import { io, type Socket } from 'socket.io-client';
import type { WireError } from '../../src/errors';
import type { RunEvent, RunEventType } from '../../src/port/run_event';

export type ServerMessage = RunEvent | { v: 1; type: 'pong' | 'error' | 'replay_reset'; ts: string; data: Record<string, unknown> };

export interface Ack {
  ok: boolean;
  error?: WireError;
  [field: string]: unknown;
}

export interface ChatClient {
  readonly socket: Socket;
  /** Everything received so far, in order. */
  readonly received: ServerMessage[];
  /** Sends a message and resolves with its ack; rejects without an ack in 10 s. */
  send(message: Record<string, unknown>): Promise<Ack>;
  /** Sends a chat message and resolves with its ids; rejects when the message is refused. */
  chat(text: string, more?: Record<string, unknown>): Promise<{ sessionId: string; runId: string; deduplicated: boolean }>;
  /** Resolves with the first event of this type that `accept` accepts, past or future. */
  waitFor<T extends RunEventType>(
    type: T,
    accept?: (event: Extract<RunEvent, { type: T }>) => boolean,
  ): Promise<Extract<RunEvent, { type: T }>>;
  waitForAny(accept: (message: ServerMessage) => boolean): Promise<ServerMessage>;
  /** Resolves with the run_end of a run, past or future. */
  endOf(runId: string): Promise<Extract<RunEvent, { type: 'run_end' }>>;
  /** Resolves when the text deltas of a run add up to this text. Bursts of deltas are merged, so do not count them. */
  waitForText(runId: string, text: string): Promise<void>;
  /** Returns the events of one run in order of arrival. */
  eventsOf(runId: string): RunEvent[];
  close(): void;
}

const ACK_LIMIT_MS = 10_000;
const EVENT_LIMIT_MS = 15_000;

/** Connects; rejects when the handshake is refused. `extraHeaders`: such as the cookie of a person. */
export async function connectChat(
  url: string,
  auth: Record<string, unknown> = { capabilities: ['clarify@1'] },
  extraHeaders: Record<string, string> = {},
): Promise<ChatClient> {
  const socket = io(url, { auth, extraHeaders, transports: ['websocket'], reconnection: false, forceNew: true });
  const received: ServerMessage[] = [];
  const watchers = new Set<(message: ServerMessage) => void>();
  socket.on('message', (message: ServerMessage) => {
    received.push(message);
    for (const watch of [...watchers]) watch(message);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const waitForAny = (accept: (message: ServerMessage) => boolean): Promise<ServerMessage> => {
    const found = received.find(accept);
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const seen = () => received.map(message => message.type).join(' ');
      const timer = setTimeout(() => reject(new Error(`the event did not arrive; received: ${seen()}`)), EVENT_LIMIT_MS);
      const watch = (message: ServerMessage) => {
        if (!accept(message)) return;
        clearTimeout(timer);
        watchers.delete(watch);
        resolve(message);
      };
      watchers.add(watch);
    });
  };
  const eventsOf = (runId: string) =>
    received.filter((message): message is RunEvent => 'runId' in message && message.runId === runId && 'seq' in message);
  const send = (message: Record<string, unknown>): Promise<Ack> => socket.timeout(ACK_LIMIT_MS).emitWithAck('message', message);
  return {
    socket,
    received,
    send,
    async chat(text, more = {}) {
      const ack = await send({ type: 'chat', text, ...more });
      if (!ack.ok) throw new Error(`chat was refused: ${JSON.stringify(ack.error)}`);
      return ack as unknown as { sessionId: string; runId: string; deduplicated: boolean };
    },
    waitFor: (type, accept = () => true) => waitForAny(message => message.type === type && accept(message as never)) as never,
    waitForAny,
    endOf: runId => waitForAny(message => message.type === 'run_end' && message.runId === runId) as never,
    waitForText: async (runId, text) => {
      await waitForAny(() => textOf(eventsOf(runId)) === text);
    },
    eventsOf,
    close: () => socket.close(),
  };
}

/** Joins the text deltas among the events. */
export const textOf = (events: readonly RunEvent[]): string =>
  events.flatMap(event => (event.type === 'text_delta' ? [event.data.text] : [])).join('');
