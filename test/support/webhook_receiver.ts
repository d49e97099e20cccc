/** A server that receives webhooks on a free loopback port. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  /** Answers with this status from now on. Default: 204. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Resolves with the next webhook that no call has given yet. */
  next(): Promise<ReceivedWebhook>;
  /** Number of webhooks so far. */
  count(): number;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const waiting: ((webhook: ReceivedWebhook) => void)[] = [];
  let given = 0;
  let reply: [status: number, headers: Record<string, string>] = [204, {}];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const webhook = { headers: request.headers, body };
    received.push(webhook);
    response.writeHead(...reply).end();
    const take = waiting.shift();
    if (!take) return;
    given += 1;
    take(webhook);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer(status, headers = {}) {
      reply = [status, headers];
    },
    next() {
      const webhook = received[given];
      if (!webhook) return new Promise(resolve => waiting.push(resolve));
      given += 1;
      return Promise.resolve(webhook);
    },
    count: () => received.length,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
