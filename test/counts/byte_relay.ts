/** A TCP relay in front of a server that counts the bytes which the server sends. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface ByteRelay {
  readonly url: string;
  /** Bytes from the server to all clients so far. */
  sentBytes(): number;
  close(): Promise<void>;
}

/** `target`: the address of the server, such as `http://127.0.0.1:7001`. */
export async function startByteRelay(target: string): Promise<ByteRelay> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
    upstream.on('data', piece => {
      bytes += piece.length;
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => bytes,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
