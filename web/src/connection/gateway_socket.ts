/** One Socket.IO connection: requests that always settle, server messages, and whether it is up. Reconnects by itself for ever. */
import { io } from 'socket.io-client';
import { RequestError, toRequestError } from '../api/request_error';
import { readClientId } from '../platform/client_id';
import type { ClientMessage, ServerMessage } from './protocol';

export type ConnectionState = 'connecting' | 'online' | 'offline';

export interface GatewaySocket {
  /** Resolves with the acknowledgement. Rejects with a RequestError: the gateway's, or `disconnected` / `timeout`. */
  request<T>(message: ClientMessage, timeoutMs?: number): Promise<T>;
  isOnline(): boolean;
  /** Tries again now instead of at the end of the current pause. */
  reconnectNow(): void;
  close(): void;
}

export interface SocketListeners {
  onMessage(message: ServerMessage): void;
  onState(state: ConnectionState): void;
  /** Language of the person, asked for at every connect. */
  locale(): string;
}

const REQUEST_TIMEOUT_MS = 15_000;

export function connectGateway(listeners: SocketListeners): GatewaySocket {
  const clientId = readClientId();
  const socket = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 300,
    reconnectionDelayMax: 5000,
    auth: send => send({ clientId, capabilities: ['clarify@1', 'approval@1'], locale: listeners.locale() }),
  });
  socket.on('connect', () => listeners.onState('online'));
  socket.on('disconnect', reason => {
    listeners.onState('offline');
    // The client does not come back by itself after a disconnect that the server asked for (it does so when it stops).
    if (reason === 'io server disconnect') socket.connect();
  });
  socket.on('connect_error', () => listeners.onState('offline'));
  socket.on('message', (message: ServerMessage) => listeners.onMessage(message));

  return {
    request: <T>(message: ClientMessage, timeoutMs = REQUEST_TIMEOUT_MS) =>
      new Promise<T>((resolve, reject) => {
        // Socket.IO would keep it for later; the caller resends under the same id, in its own order.
        if (!socket.connected) return reject(new RequestError('disconnected', 'The gateway is not connected.', true));
        socket.timeout(timeoutMs).emit('message', message, (lost: Error | null, answer: { ok: boolean } & T) => {
          if (lost) reject(new RequestError(socket.connected ? 'timeout' : 'disconnected', lost.message, true));
          else if (answer.ok) resolve(answer);
          else reject(toRequestError(answer, 'The gateway refused the message.'));
        });
      }),
    isOnline: () => socket.connected,
    reconnectNow: () => {
      if (!socket.connected) socket.disconnect().connect();
    },
    close: () => void socket.disconnect(),
  };
}
