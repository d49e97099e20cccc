/** Describes the connected sockets for operators. */
import type { Server, Socket } from 'socket.io';
import type { ConnectionRow } from '../service/door/open_sockets';
import type { ConnectionWithFacts } from '../wire/handshake_facts';
import { bufferedBytes } from './socket_backpressure';

/** Returns a row for each connected socket. The first call for a socket begins to measure its lag. */
export function listSockets(io: Pick<Server, 'sockets'>): ConnectionRow[] {
  return [...io.sockets.sockets.values()].map(toRow);
}

/** Returns the transport and the buffered bytes of each connected socket. Begins no measurement. */
export const socketTraffic = (io: Pick<Server, 'sockets'>): Pick<ConnectionRow, 'transport' | 'bufferedBytes'>[] =>
  [...io.sockets.sockets.values()].map(({ conn }) => ({ transport: conn.transport.name, bufferedBytes: bufferedBytes(conn) }));

function toRow(socket: Socket): ConnectionRow {
  const { principal, sessions = 0, replayed = 0, gaps = 0 } = socket.data as SocketData;
  const lagMs = lagOf(socket.conn);
  const userAgent = (socket.conn as ConnectionWithFacts).facts?.userAgent;
  return {
    id: socket.id,
    tenantId: principal.tenantId,
    keyName: principal.keyName,
    transport: socket.conn.transport.name,
    connectedAt: new Date(socket.handshake.issued).toISOString(),
    userAgent,
    sessions,
    bufferedBytes: bufferedBytes(socket.conn),
    protocol: socket.conn.protocol,
    lagMs,
    recovered: socket.recovered,
    replayed,
    gaps,
  };
}

interface SocketData {
  principal: { tenantId: string; keyName: string };
  sessions?: number;
  replayed?: number;
  gaps?: number;
}

interface Heartbeat {
  sentAt?: number;
  lagMs?: number;
}

const heartbeats = new WeakMap<Socket['conn'], Heartbeat>();

/** Returns the lag of a connection. Measuring begins with the first call: the server sends a heartbeat every 25 s, and the client answers it. */
function lagOf(connection: Socket['conn']): number | undefined {
  const known = heartbeats.get(connection);
  if (known) return known.lagMs;
  const heartbeat: Heartbeat = {};
  heartbeats.set(connection, heartbeat);
  connection.on('packetCreate', ({ type }: { type: string }) => {
    if (type === 'ping') heartbeat.sentAt = performance.now();
  });
  connection.on('heartbeat', () => {
    if (heartbeat.sentAt !== undefined) heartbeat.lagMs = Math.round(performance.now() - heartbeat.sentAt);
  });
  return undefined;
}
