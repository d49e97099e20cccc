/** A server with an OpenAI-compatible /audio/transcriptions, over real HTTP on a free loopback port. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface TranscriptionRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The fields of the form that are texts. */
  fields: Record<string, string>;
  file: { name: string; type: string; bytes: Buffer };
}

export interface TranscriptionServer {
  /** The value for NETA_TRANSCRIPTION_BASE_URL. */
  readonly baseUrl: string;
  readonly requests: TranscriptionRequest[];
  /** Answers every request with `answer` from now on. */
  answerWith(answer: (response: ServerResponse) => void): void;
  stop(): Promise<void>;
}

export const sendTranscript =
  (text: string) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
  };

export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const requests: TranscriptionRequest[] = [];
  let answer = sendTranscript('');
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': incoming.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file') as File;
    const fields = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    const bytes = Buffer.from(await file.arrayBuffer());
    requests.push({ path: incoming.url ?? '', headers: incoming.headers, fields, file: { name: file.name, type: file.type, bytes } });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answerWith(next) {
      answer = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
