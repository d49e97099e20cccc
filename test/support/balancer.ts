/** A TCP balancer in front of several gateways: each connection goes to the next member that takes it. */
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  addMember(port: number): void;
  /** Sends the member no more connections and breaks those it has, as a balancer does whose health check fails. */
  removeMember(port: number): void;
  stop(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const members = new Set(ports);
  const sockets = new Map<Socket, number>();
  let turn = 0;

  const pass = (client: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) return void client.destroy();
    const target = connect(port, '127.0.0.1');
    target.once('error', () => {
      if (!sockets.has(target)) pass(client, others);
    });
    target.once('connect', () => {
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        sockets.set(socket, port);
        socket.on('error', () => {});
        socket.once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  };
  const server = createServer(client => {
    client.on('error', () => {});
    turn += 1;
    const order = [...members];
    pass(client, [...order.slice(turn % order.length), ...order.slice(0, turn % order.length)]);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    addMember: port => void members.add(port),
    removeMember(port) {
      members.delete(port);
      for (const [socket, member] of sockets) if (member === port) socket.destroy();
    },
    async stop() {
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
