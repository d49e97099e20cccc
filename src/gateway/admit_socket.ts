/** Admits a socket: who it is, what it can show, and when it must go. */
import type { Socket } from 'socket.io';
import { AppError } from '../errors';
import type { AuthService } from '../service/auth/auth_service';
import type { ServiceSettings } from '../service/service_settings';
import type { ConnectionWithFacts } from '../wire/handshake_facts';
import { readHandshake, toSocketPrincipal } from './handshake';
import { refuseUnknownEvents, replyTo } from './socket_reply';

interface SocketDeps {
  authService: AuthService;
  serviceSettings: ServiceSettings;
}

/** Rejects with `invalid_request` for a malformed handshake, and as AuthService.authenticate does. */
export async function admitSocket(socket: Socket, { authService, serviceSettings }: SocketDeps): Promise<void> {
  const handshake = readHandshake(socket.handshake.auth);
  const { facts } = socket.conn as ConnectionWithFacts;
  const credentials = { secret: handshake.token || undefined, token: facts?.token, address: facts?.address ?? '' };
  const identity = await authService.authenticate(credentials);
  socket.data.principal = toSocketPrincipal(handshake, identity.principal);
  refuseUnknownEvents(socket, serviceSettings);
  const forget = authService.followConnection(identity, () => {
    replyTo(socket, undefined, serviceSettings).fail(new AppError('unauthenticated'));
    socket.disconnect();
  });
  socket.once('disconnect', forget);
  // A connection may close before the socket is connected.
  socket.conn.once('close', forget);
}
