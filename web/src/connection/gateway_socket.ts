/** The Socket.IO connection: requests that always settle, messages of the gateway, and the state. It reconnects without limit. */

import { io } from 'socket.io-client';
import { readAccessKey } from '../api/access_key';
import { RequestError, toRequestError } from '../api/request_error';
import { readClientId } from '../platform/client_id';
import { ROOT } from '../platform/root';
import type { ClientMessage, ServerMessage } from './protocol';

export type ConnectionState = 'connecting' | 'online' | 'offline';

export interface GatewaySocket {
  /** Resolves with the acknowledgement. Rejects with a RequestError: the gateway's, or `disconnected` / `timeout`. */
  request<T>(message: ClientMessage, timeoutMs?: number): Promise<T>;
  isOnline(): boolean;
  /** Reconnects now instead of after the current pause. */
  reconnectNow(): void;
  close(): void;
}

export interface SocketListeners {
  onMessage(message: ServerMessage): void;
  onState(state: ConnectionState): void;
  /** Called when the gateway refused the connection: perhaps it wants a key. Nothing reconnects until `reconnectNow`. */
  onRefused(): void;
  /** Language of the person, read at every connect. */
  locale(): string;
}

const REQUEST_TIMEOUT_MS = 15_000;

export function connectGateway(listeners: SocketListeners): GatewaySocket {
  const clientId = readClientId();
  const socket = io({
    path: `${ROOT}socket.io`,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 300,
    reconnectionDelayMax: 5000,
    auth: send =>
      send({ token: readAccessKey(), clientId, capabilities: ['clarify@1', 'approval@1', 'presence@1'], locale: listeners.locale() }),
  });
  socket.on('connect', () => listeners.onState('online'));
  socket.on('disconnect', reason => {
    listeners.onState('offline');
    // Socket.IO does not reconnect after a disconnect by the server, which the gateway sends when it stops.
    if (reason === 'io server disconnect') socket.connect();
  });
  socket.on('connect_error', () => {
    listeners.onState('offline');
    // Socket.IO goes on by itself after a lost connection, not after a refusal.
    if (!socket.active) listeners.onRefused();
  });
  socket.on('message', (message: ServerMessage) => listeners.onMessage(message));

  return {
    request: <T>(message: ClientMessage, timeoutMs = REQUEST_TIMEOUT_MS) =>
      new Promise<T>((resolve, reject) => {
        // Not buffered by Socket.IO: the caller sends the message again under the same id, in its own order.
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
