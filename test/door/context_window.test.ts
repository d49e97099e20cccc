/** A conversation that outgrows the context window of its model can continue (beaver.limits). */
import type { ServerResponse } from 'node:http';
import type { ChatMessage } from '../../src/port/llm';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type BrokenModel, callChunk, endEvents, finish, startBrokenModel, textChunk } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

/** The context window of the servers below in tokens; they count four bytes as a token. */
const WINDOW = 6_000;

/** The status and body with which each server refuses a request that is too long. */
const WORDINGS: Record<string, (sent: number) => [number, unknown]> = {
  openai: sent => [
    400,
    {
      error: {
        message: `This model's maximum context length is ${WINDOW} tokens. However, your messages resulted in ${sent} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
  ],
  openai_code_alone: () => [400, { error: { message: 'Bad request.', type: 'invalid_request_error', code: 'context_length_exceeded' } }],
  vllm: sent => [
    400,
    {
      object: 'error',
      message: `The decoder prompt (length ${sent}) is longer than the maximum model length of ${WINDOW}. Make sure that max_model_len is no smaller.`,
      type: 'BadRequestError',
      code: 400,
    },
  ],
  llama_cpp: sent => [
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: sent,
        n_ctx: WINDOW,
      },
    },
  ],
  llama_cpp_older: () => [500, { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }],
  nginx: () => [413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
  unknown: () => [400, { error: { message: 'Computer says no.' } }],
  unknown_in_a_page: () => [422, '<html><head><title>Oops</title></head></html>'],
  ollama: () => [400, { error: { message: 'prompt too long; exceeded max context length by 120 tokens', type: 'api_error' } }],
};

let model: BrokenModel;
let gateway: Gateway;
let config: AgentConfig;
let rest: RestClient;
let accepted: ChatMessage[][] = [];
let refusals = 0;

const textOf = (messages: readonly ChatMessage[]) => messages.map(message => message.content ?? '').join('');

function refuse(response: ServerResponse, [status, body]: [number, unknown]): void {
  refusals++;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Counts the whole request, including the offered tools. */
const tokensOf = (body: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 4);

/** Answers in the wording that the last user message names first. */
function answer(body: Record<string, unknown>, response: ServerResponse) {
  const messages = body['messages'] as ChatMessage[];
  const asked = messages.findLast(message => message.role === 'user')?.content ?? '';
  const [way = ''] = asked.split(' ');
  const sent = tokensOf(body);
  if (way === 'unknown_never') return refuse(response, [400, { detail: 'Computer says no.' }]);
  if (way === 'other_matter') return refuse(response, [400, { error: { message: 'API key not valid.' } }]);
  if (way === 'never') return refuse(response, WORDINGS['openai']?.(sent) ?? [500, {}]);
  const wording = WORDINGS[way];
  if (wording && sent > WINDOW) return refuse(response, wording(sent));
  accepted.push(messages);
  const results = messages.length - 1 - messages.findLastIndex(message => message.role === 'user');
  if (!asked.includes('read') || results >= 6) return endEvents(response, [textChunk(`${way} fine`), finish('stop'), '[DONE]']);
  const call = { index: 0, id: `call_${accepted.length}`, function: { name: 'read_file', arguments: '{"path":"long.txt"}' } };
  return endEvents(response, [callChunk(call), finish('tool_calls'), '[DONE]']);
}

beforeAll(async () => {
  model = await startBrokenModel();
  const baseUrl = model.serve(({ body, response }) => answer(body, response));
  // Few tools: with those of the shipped agent the prompt alone would nearly fill the window.
  config = await createAgentConfig(['base', 'planning', 'interaction']);
  gateway = await startGateway({
    // Without summaries, older turns are left out.
    env: { OPENAI_BASE_URL: baseUrl, NETA_CONFIG_DIR: config.directory, NETA_COMPACT_AT: '0' },
    files: { 'long.txt': 'one line of a long file\n'.repeat(400) },
  });
  rest = createRestClient(gateway.url);
});

afterAll(async () => {
  await gateway?.stop();
  await config?.remove();
  await model?.stop();
});

beforeEach(() => {
  accepted = [];
  refusals = 0;
});

describe('a session that outgrows the context window of its model', () => {
  it.each(Object.keys(WORDINGS))('continues on a server that refuses long requests like %s', async way => {
    let sessionId: string | undefined;
    for (let i = 0; i < 5; i++) {
      const input = `${way} number ${i}: ${'some long text. '.repeat(400)}`;
      const { body } = await rest.run({ input, ...(sessionId && { sessionId }) });
      expect(body).toMatchObject({ status: 'completed', text: `${way} fine` });
      sessionId = body.sessionId;
    }
    expect(refusals).toBeGreaterThan(0);
    const last = accepted.at(-1) ?? [];
    expect(last[0]?.content).toMatch(new RegExp(`left out.*began with this message:\n${way} number 0`, 's'));
    expect(last.at(-1)?.content).toMatch(new RegExp(`^${way} number 4`));
    // The store keeps every message.
    expect(await rest.history(sessionId ?? '')).toHaveLength(10);
  });

  it('drops old tool results from the request within one run, and keeps the user message', async () => {
    const { body } = await rest.run({ input: 'openai read it all', limits: { maxToolIterations: 10 } });
    expect(body).toMatchObject({ status: 'completed', text: 'openai fine' });
    for (const messages of accepted) expect(messages[1]?.content).toBe('openai read it all');
  });

  it('reports a message that is too long by itself, and the session can still be used', async () => {
    const { body } = await rest.run({ input: `never ${'mind '.repeat(1_000)}` });
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'model_refused', message: expect.stringMatching(/too long for the model.*start a new session/) },
    });
    expect(body.error?.message).toContain("The model server said: This model's maximum context length is 6000 tokens");
    expect(refusals).toBe(3);
    const next = await rest.run({ input: 'openai again', sessionId: body.sessionId });
    expect(next.body).toMatchObject({ status: 'completed' });
  });
});

describe('a refusal that is not understood', () => {
  const runLong = async (way: string) => {
    let sessionId: string | undefined;
    for (let i = 0; i < 4; i++) {
      const { body } = await rest.run({ input: `openai ${i}: ${'some text. '.repeat(200)}`, ...(sessionId && { sessionId }) });
      sessionId = body.sessionId;
    }
    refusals = 0;
    return rest.run({ input: way, ...(sessionId && { sessionId }) });
  };

  it('shortens a long request once, and then tells the words of the server', async () => {
    const { body } = await runLong('unknown_never');
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'model_refused', message: expect.stringContaining('Computer says no.') },
    });
    expect(refusals).toBe(2);
  });

  it('shortens no request when the refusal is about something else, and none that is short', async () => {
    expect((await runLong('other_matter')).body.status).toBe('failed');
    expect(refusals).toBe(1);
    expect((await rest.run({ input: 'unknown_never' })).body.status).toBe('failed');
    expect(refusals).toBe(2);
  });
});

describe('NETA_COMPACT_AT', () => {
  it('summarises for the window that the server names when it refuses a request (beaver.limits)', async () => {
    await gateway.restart({ NETA_COMPACT_AT: '75' });
    let sessionId: string | undefined;
    for (let i = 0; i < 14; i++) {
      const { body } = await rest.run({ input: `openai number ${i}: ${'some long text. '.repeat(120)}`, ...(sessionId && { sessionId }) });
      expect(body).toMatchObject({ status: 'completed', text: 'openai fine' });
      sessionId = body.sessionId;
    }
    expect(refusals).toBeGreaterThan(0);
    const [prompt, summary, ...newest] = accepted.at(-1) ?? [];
    expect(prompt?.content).not.toContain('left out');
    expect(summary?.content).toContain('<conversation_summary>');
    expect(newest.at(-1)?.content).toMatch(/^openai number 13/);
  });
});

describe('NETA_CONTEXT_TOKENS', () => {
  it('keeps requests within the window, so that the server refuses none', async () => {
    await gateway.restart({ NETA_CONTEXT_TOKENS: String(WINDOW) });
    let sessionId: string | undefined;
    for (let i = 0; i < 6; i++) {
      const { body } = await rest.run({ input: `openai number ${i}: ${'some long text. '.repeat(200)}`, ...(sessionId && { sessionId }) });
      expect(body.status).toBe('completed');
      sessionId = body.sessionId;
    }
    expect(refusals).toBe(0);
    expect(textOf(accepted.at(-1) ?? [])).toContain('left out');
  });
});

describe('NETA_MAX_CONTEXT_MESSAGES', () => {
  it('bounds how far back a turn reads the session, and the model learns how the session began', async () => {
    let sessionId: string | undefined;
    const turn = async (i: number) => {
      const { body } = await rest.run({ input: `openai number ${i}`, ...(sessionId && { sessionId }) });
      expect(body.status).toBe('completed');
      sessionId = body.sessionId;
    };
    for (let i = 0; i < 8; i++) await turn(i);
    expect(textOf(accepted.at(-1) ?? [])).not.toContain('left out');
    await gateway.restart({ NETA_MAX_CONTEXT_MESSAGES: '4' });
    await turn(8);
    const [prompt, ...sent] = accepted.at(-1) ?? [];
    expect(sent.map(message => message.content)).toEqual(['openai number 7', 'openai fine', 'openai number 8']);
    expect(prompt?.content).toMatch(/left out.*began with this message:\nopenai number 0/s);
  });
});
