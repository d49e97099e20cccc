/** A model server that streams the answers of plans.ts and checks every history that it receives. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMessage } from '../../src/port/llm';
import { historyProblem } from '../../src/runtime/history';
import { type PlannedAnswer, planAnswer } from './plans';

export interface ScriptedModel {
  /** The value for OPENAI_BASE_URL. */
  readonly baseUrl: string;
  /** Problems of the received histories. */
  readonly problems: string[];
  stop(): Promise<void>;
}

const PIECE_LENGTH = 16;
const PIECE_PAUSE_MS = 4;

export async function startScriptedModel(): Promise<ScriptedModel> {
  const problems: string[] = [];
  const server = createServer((request, response) => {
    // The gateway looks whether the server is there.
    if (request.method === 'GET') return void response.writeHead(404).end();
    // Ignore the error: a killed gateway closes its connection.
    answer(request, response, problems).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    problems,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, problems: string[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: ChatMessage[] };
  const problem = historyProblem(messages);
  if (problem) problems.push(problem);
  await stream(response, planAnswer(messages));
}

async function stream(response: ServerResponse, { text, calls }: PlannedAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: Record<string, unknown>, finish: string | null = null) => {
    response.write(
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  };
  send({ role: 'assistant' });
  for (let start = 0; start < text.length && !response.destroyed; start += PIECE_LENGTH) {
    send({ content: text.slice(start, start + PIECE_LENGTH) });
    await delay(PIECE_PAUSE_MS);
  }
  calls.forEach((call, index) => {
    send({ tool_calls: [{ index, ...call }] });
  });
  send({}, calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  response.end(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`);
}
