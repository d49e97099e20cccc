import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { io } from 'socket.io-client';
import { releaseHandshakes } from '../../src/middleware/handshake_memory';

it.each([['websocket'], ['polling']])('keeps no HTTP request of an open %s connection, which goes on to work', async transport => {
  const http = createServer();
  const server = new Server(http);
  let requests = 0;
  let response: { req?: IncomingMessage } = {};
  server.engine.use((_request: IncomingMessage, own: typeof response, next: () => void) => {
    requests += 1;
    if (requests === 1) response = own;
    next();
  });
  releaseHandshakes(server.engine, () => ({ address: '127.0.0.1' }));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: [transport, 'websocket'], forceNew: true });
  try {
    const [socket] = (await once(server, 'connection')) as [Socket];
    expect(socket.request).toBeUndefined();
    if (transport === 'websocket') expect(response.req).toBeUndefined();
    else await new Promise(resolve => client.io.engine.on('upgrade', resolve));
    socket.on('question', (answer: (text: string) => void) => answer('yes'));
    expect(await client.emitWithAck('question')).toBe('yes');
  } finally {
    client.close();
    await server.close();
  }
});
