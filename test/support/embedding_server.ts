/**
 * A server with an OpenAI-compatible /embeddings, over real HTTP on a free loopback port. The vector of a text counts words of a few subjects, so
 * texts about the same subject are alike although they share no word.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words of one subject each. */
const SUBJECTS = [
  ['tea', 'oolong', 'beverage', 'drinks', '茶', '饮料'],
  ['cat', 'kitten', 'pet', '猫', '宠物'],
  ['deploy', 'release', 'cluster', '部署', '发布'],
];

export interface EmbeddingRequest {
  model: string;
  texts: string[];
  headers: IncomingHttpHeaders;
}

/** Answers a request in place of the vectors. */
export type Answer = (response: ServerResponse, request: EmbeddingRequest) => void;

export interface EmbeddingServer {
  /** The value for OPENAI_BASE_URL or NETA_EMBEDDING_BASE_URL. */
  readonly baseUrl: string;
  readonly requests: EmbeddingRequest[];
  /** Answers every request with `answer` from now on; with vectors again when it is undefined. */
  answerWith(answer: Answer | undefined): void;
  /** Resolves when this many requests have arrived in all. */
  waitForRequests(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** The subject counts, and a last number that keeps the vector of other texts from being zero. */
function vectorOf(text: string): number[] {
  const counts = SUBJECTS.map(words => words.filter(word => text.toLowerCase().includes(word)).length);
  return [...counts, 0.1];
}

/** As the answers count them. */
export const TOKENS_OF_TEXT = 3;

export const vectorsAnswer = (texts: readonly string[], toVector: (text: string) => unknown = vectorOf) =>
  JSON.stringify({
    object: 'list',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: toVector(text) })),
    usage: { prompt_tokens: texts.length * TOKENS_OF_TEXT, total_tokens: texts.length * TOKENS_OF_TEXT },
  });

export const sendJson = (response: ServerResponse, body: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  const waiting = new Set<() => void>();
  let answer: Answer | undefined;
  const server: Server = createServer(async (incoming, response) => {
    // The gateway also looks for the models of a server.
    if (incoming.method !== 'POST' || !incoming.url?.endsWith('/v1/embeddings')) {
      incoming.resume();
      return sendJson(response, '{"error":{"message":"no such path"}}', 404);
    }
    const pieces: Buffer[] = [];
    for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
    const { model, input } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string; input: string[] };
    const request = { model, texts: input, headers: incoming.headers };
    requests.push(request);
    for (const check of waiting) check();
    if (answer) answer(response, request);
    else sendJson(response, vectorsAnswer(input));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answerWith(next) {
      answer = next;
    },
    waitForRequests: count =>
      new Promise(resolve => {
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
