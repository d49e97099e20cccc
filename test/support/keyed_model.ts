/** A model server that wants a key and lists two models. Calls go to a scripted model. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MockModel } from './mock_model';

/** The key that the server takes. */
export const KEY = 'sk-real-0123456789abcdef';

export interface KeyedModel {
  readonly baseUrl: string;
  stop(): void;
}

export async function startKeyedModel(model: MockModel): Promise<KeyedModel> {
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Incorrect API key provided: you know which."}}');
      return;
    }
    if (request.url === '/v1/models') {
      response.end('{"data":[{"id":"gpt-small"},{"id":"gpt-large"}]}');
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const answer = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      body: Buffer.concat(pieces),
      headers: { 'content-type': 'application/json' },
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => void server.close(),
  };
}
