/** Measures and bounds the bytes that wait for a slow reader of a socket. */
import type { Socket } from 'socket.io';

/** Sending to a connection pauses above this number of buffered bytes: its reader is slow. As many bytes again may be in flight. */
const HIGH_WATER_BYTES = 256 * 1024;

/** Returns true while the connection has more than HIGH_WATER_BYTES in its buffer. A closed connection has no slow reader. */
export const isReaderSlow = ({ conn }: Pick<Socket, 'conn'>): boolean =>
  conn.readyState === 'open' && bufferedBytes(conn) > HIGH_WATER_BYTES;

/** Resolves when the reader has caught up or the connection is closed. Several sessions may wait for one connection, so each checks again. */
export async function waitForReader(socket: Pick<Socket, 'conn'>): Promise<void> {
  while (isReaderSlow(socket)) await drained(socket.conn);
}

function drained(conn: Socket['conn']): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      conn.off('drain', done);
      conn.off('close', done);
      resolve();
    };
    conn.on('drain', done);
    conn.on('close', done);
  });
}

/** Returns the bytes that Engine.IO has not sent yet. The documentation of Engine.IO has `writeBuffer`; its types declare it private. */
export function bufferedBytes(conn: Socket['conn']): number {
  const { writeBuffer } = conn as unknown as { writeBuffer: { data?: unknown; options?: { wsPreEncodedFrame?: [Buffer] } }[] };
  let sum = 0;
  for (const { data, options } of writeBuffer)
    sum += options?.wsPreEncodedFrame?.[0].length ?? (typeof data === 'string' ? data.length : 0);
  return sum;
}
