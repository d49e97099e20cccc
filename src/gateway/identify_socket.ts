/**
 * Identifies the caller of a new socket and ends the socket when the key or login of the caller ends. Sockets of foreign pages were refused before:
 * see middleware/door_guard.ts.
 */
import type { Socket } from 'socket.io';
import { AppError, toAppError } from '../errors';
import type { Observer } from '../port/observer';
import type { AuthService } from '../service/auth/auth_service';
import type { Refusals } from '../service/limits/refusals';
import type { ServiceSettings } from '../service/service_settings';
import type { ConnectionWithFacts } from '../wire/handshake_facts';
import { readHandshake, toSocketPrincipal } from './handshake';
import { refuseUnknownEvents, replyTo } from './socket_reply';

interface SocketDeps {
  authService: AuthService;
  serviceSettings: ServiceSettings;
  refusals: Refusals;
  ports: { observer: Observer };
}

/**
 * Identifies the caller of a new connection and stores the caller on the socket. Rejects with `invalid_request` for a malformed handshake, and as
 * AuthService.authenticate does.
 */
export async function identifySocket(socket: Socket, deps: SocketDeps): Promise<void> {
  const { observer } = deps.ports;
  try {
    await authenticateSocket(socket, deps);
  } catch (thrown) {
    observer.note({ type: 'socket_admitted', ok: false });
    deps.refusals.note('socketio', toAppError(thrown));
    throw thrown;
  }
  observer.note({ type: 'socket_admitted', ok: true });
  socket.on('disconnect', reason => observer.note({ type: 'socket_closed', reason }));
}

async function authenticateSocket(socket: Socket, { authService, serviceSettings, refusals }: SocketDeps): Promise<void> {
  const log = { ...serviceSettings, refusals };
  const handshake = readHandshake(socket.handshake.auth);
  const { facts } = socket.conn as ConnectionWithFacts;
  const credentials = { secret: handshake.token || undefined, token: facts?.token, address: facts?.address ?? '' };
  const identity = await authService.authenticate(credentials);
  socket.data.principal = toSocketPrincipal(handshake, identity.principal);
  refuseUnknownEvents(socket, log);
  const forget = authService.followConnection(identity, () => {
    replyTo(socket, undefined, log).fail(new AppError('unauthenticated'));
    socket.disconnect();
  });
  // `on`, because `once` keeps a wrapper for each listener. `disconnect` and `close` happen once in any case.
  socket.on('disconnect', forget);
  // A connection may close before the socket is connected.
  socket.conn.on('close', forget);
}
