import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCancellableFetch } from '../../../src/adapter/mcp/cancellable_fetch';

let server: Server;
let url: string;
/** Answers that the server keeps open, by the id of the request. */
const open = new Map<unknown, ServerResponse>();
const closed = new Map<unknown, Promise<void>>();

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(text);
      if (method === 'notifications/cancelled') {
        response.writeHead(202).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      open.set(id, response);
      closed.set(id, new Promise(resolve => response.once('close', resolve)));
    });
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = (fetchIt: ReturnType<typeof createCancellableFetch>, message: object) =>
  fetchIt(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }) });

describe('a request over streamable HTTP', () => {
  it('lets go of its stream when it is cancelled, and leaves other streams alone', async () => {
    const fetchIt = createCancellableFetch(fetch);
    const cancelled = await post(fetchIt, { id: 1, method: 'tools/call' });
    const kept = await post(fetchIt, { id: 2, method: 'tools/call' });
    await post(fetchIt, { method: 'notifications/cancelled', params: { requestId: 1 } });
    // The end of the stream is an answer, so that the SDK does not connect again to read the rest.
    expect(await cancelled.text()).toContain('"id":1,"error":');
    await closed.get(1);
    open.get(2)?.end('data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n');
    expect(await kept.text()).toBe(': hello\n\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n');
  });

  it('takes no notice of a cancellation after its answer', async () => {
    const fetchIt = createCancellableFetch(fetch);
    const answered = await post(fetchIt, { id: 3, method: 'tools/call' });
    open.get(3)?.end('data: {}\n\n');
    expect(await answered.text()).toBe(': hello\n\ndata: {}\n\n');
    await post(fetchIt, { method: 'notifications/cancelled', params: { requestId: 3 } });
  });

  it('passes the failure of its stream on', async () => {
    const fetchIt = createCancellableFetch(fetch);
    const broken = await post(fetchIt, { id: 4, method: 'tools/call' });
    open.get(4)?.destroy();
    await expect(broken.text()).rejects.toThrow();
  });
});
