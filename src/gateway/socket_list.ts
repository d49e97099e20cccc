/** Describes the connected sockets for operators. */
import type { Server, Socket } from 'socket.io';
import type { ConnectionRow } from '../service/ops/connection_rows';
import type { ConnectionWithFacts } from '../wire/handshake_facts';
import { bufferedBytes } from './event_packets';

export function listSockets(io: Pick<Server, 'sockets'>): ConnectionRow[] {
  return [...io.sockets.sockets.values()].map(toRow);
}

function toRow(socket: Socket): ConnectionRow {
  const { principal, sessions = 0 } = socket.data as { principal: { tenantId: string; keyName: string }; sessions?: number };
  const userAgent = (socket.conn as ConnectionWithFacts).facts?.userAgent;
  return {
    id: socket.id,
    tenantId: principal.tenantId,
    keyName: principal.keyName,
    transport: socket.conn.transport.name,
    connectedAt: new Date(socket.handshake.issued).toISOString(),
    ...(userAgent !== undefined && { userAgent }),
    sessions,
    bufferedBytes: bufferedBytes(socket.conn),
  };
}
