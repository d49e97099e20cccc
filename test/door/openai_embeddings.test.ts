/** Embeddings at /v1, and the count of input tokens, with the official client. */
import OpenAI from 'openai';
import { type EmbeddingServer, sendJson, startEmbeddingServer, TOKENS_OF_TEXT, vectorsAnswer } from '../support/embedding_server';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';

const KEY = 'key-of-ada-0123456789';
const RIVAL_KEY = 'key-of-ben-0123456789';

let model: MockModel;
let server: EmbeddingServer;
let gateway: Gateway;
let client: OpenAI;
let rival: OpenAI;

const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });

beforeAll(async () => {
  [model, server] = await Promise.all([startMockModel(), startEmbeddingServer()]);
  gateway = await startGateway({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'key',
      NETA_MODEL: 'mock',
      NETA_EMBEDDING_MODEL: 'small',
      NETA_EMBEDDING_BASE_URL: server.baseUrl,
      NETA_API_KEYS: `ada:${KEY}:acme:chat+ops:read,ben:${RIVAL_KEY}:globex:chat+ops:read`,
    },
  });
  [client, rival] = [clientOf(KEY), clientOf(RIVAL_KEY)];
});

afterAll(async () => {
  await gateway.stop();
  await Promise.all([model.stop(), server.stop()]);
});

afterEach(() => server.answerWith(undefined));

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (thrown: InstanceType<typeof OpenAI.APIError>) => ({ status: thrown.status, code: thrown.code, param: thrown.param }),
  );

const lengthOf = (vector: readonly number[]) => Math.hypot(...vector);

interface UsageRows {
  data: { key: string; inputTokens: number }[];
}

async function tokensOf(key: string): Promise<number> {
  const authorization = `Bearer ${key}`;
  const today = new Date().toISOString().slice(0, 10);
  const { body } = await createRestClient(gateway.url).request<UsageRows>('GET', `/usage?from=${today}&to=${today}&by=model`, undefined, {
    authorization,
  });
  return body.data.find(row => row.key === 'small')?.inputTokens ?? 0;
}

test('embeds a text and a list, as base64 and as numbers, and books the tokens on the tenant', async () => {
  const before = await tokensOf(KEY);
  const one = await client.embeddings.create({ model: 'small', input: 'green tea' });
  expect(one).toMatchObject({ object: 'list', model: 'small', usage: { prompt_tokens: TOKENS_OF_TEXT, total_tokens: TOKENS_OF_TEXT } });
  expect(lengthOf(one.data[0]?.embedding ?? [])).toBeCloseTo(1, 5);
  const numbers = await client.embeddings.create({ model: 'small', input: 'green tea', encoding_format: 'float' });
  expect(numbers.data[0]?.embedding.map(number => number.toFixed(5))).toEqual(one.data[0]?.embedding.map(number => number.toFixed(5)));
  const texts = Array.from({ length: 40 }, (_, i) => (i === 37 ? 'a cat' : `text ${i}`));
  const many = await client.embeddings.create({ model: 'small', input: texts });
  expect(many.data.map(({ index }) => index)).toEqual(texts.map((_, i) => i));
  expect(many.data[37]?.embedding[1]).toBeGreaterThan(0.9);
  expect(many.usage.prompt_tokens).toBe(40 * TOKENS_OF_TEXT);
  expect((await tokensOf(KEY)) - before).toBe(42 * TOKENS_OF_TEXT);
  expect(await tokensOf(RIVAL_KEY)).toBe(0);
});

test('estimates the tokens when the server does not count them', async () => {
  server.answerWith((response, { texts }) => {
    const { usage: _usage, ...answer } = JSON.parse(vectorsAnswer(texts)) as Record<string, unknown>;
    sendJson(response, JSON.stringify(answer));
  });
  const { usage } = await rival.embeddings.create({ model: 'small', input: 'x'.repeat(30) });
  expect(usage.prompt_tokens).toBe(10);
  expect(await tokensOf(RIVAL_KEY)).toBe(10);
});

test.each<[what: string, body: object, status: number, code: string, param: string | null]>([
  ['another model', { model: 'large', input: 'x' }, 404, 'model_not_found', 'model'],
  ['no model', { input: 'x' }, 400, 'invalid_request', 'model'],
  ['no input', { model: 'small' }, 400, 'invalid_request', 'input'],
  ['an empty text', { model: 'small', input: '' }, 400, 'invalid_request', 'input'],
  ['an empty list', { model: 'small', input: [] }, 400, 'invalid_request', 'input'],
  ['tokens', { model: 'small', input: [1, 2] }, 400, 'invalid_request', 'input'],
  ['too many texts', { model: 'small', input: Array.from({ length: 2_049 }, () => 'x') }, 400, 'invalid_request', 'input'],
  ['a number of dimensions', { model: 'small', input: 'x', dimensions: 2 }, 400, 'invalid_request', 'dimensions'],
  ['another encoding', { model: 'small', input: 'x', encoding_format: 'hex' }, 400, 'invalid_request', 'encoding_format'],
])('refuses %s', async (_what, body, status, code, param) => {
  const answer = await createRestClient(gateway.url).request<{ error: { code: string; param: string | null } }>(
    'POST',
    '//v1/embeddings',
    body,
    {
      authorization: `Bearer ${KEY}`,
    },
  );
  expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
});

test('passes on what the server refuses', async () => {
  server.answerWith(response => sendJson(response, JSON.stringify({ error: { message: 'too long' } }), 400));
  expect(await refusalOf(client.embeddings.create({ model: 'small', input: 'x' }))).toMatchObject({ status: 502, code: 'model_refused' });
});

test('counts the input tokens of a response: prompt, tools, history and input', async () => {
  model.onTurn('hello', 'Hello.');
  const count = async (body: object) => (await client.responses.inputTokens.count({ model: 'default', ...body })).input_tokens;
  const short = await count({ input: 'hello' });
  expect(short).toBeGreaterThan(100);
  expect((await count({ input: `hello ${'word '.repeat(1_000)}` })) - short).toBeGreaterThan(900);
  expect((await count({ input: 'hello', instructions: 'word '.repeat(1_000) })) - short).toBeGreaterThan(900);
  const tool = { type: 'function', name: 'f', description: 'word '.repeat(500), parameters: { type: 'object', properties: {} } };
  expect((await count({ input: 'hello', tools: [tool] })) - short).toBeGreaterThan(250);
  const { id } = await client.conversations.create({ items: [{ role: 'user', content: 'word '.repeat(1_000) }] });
  expect((await count({ input: 'hello', conversation: id })) - short).toBeGreaterThan(900);
  const first = await client.responses.create({ model: 'default', input: `hello ${'word '.repeat(1_000)}` });
  await client.responses.create({ model: 'default', input: `hello ${'word '.repeat(1_000)}`, previous_response_id: first.id });
  const behindFirst = (await count({ input: 'hello', previous_response_id: first.id })) - short;
  expect(behindFirst).toBeGreaterThan(900);
  expect(behindFirst).toBeLessThan(1_500);
  const requests = model.requests('hello').length;
  expect(requests).toBe(2);
  expect(await refusalOf(client.responses.inputTokens.count({ model: 'nobody', input: 'x' }))).toMatchObject({
    status: 404,
    param: 'model',
  });
  expect(await refusalOf(rival.responses.inputTokens.count({ input: 'x', conversation: id }))).toMatchObject({ status: 404 });
});

test('a gateway without an embedding model says so', async () => {
  const plain = await startGateway({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', NETA_MODEL: 'mock' } });
  try {
    const { embeddings } = new OpenAI({ baseURL: `${plain.url}/v1`, apiKey: 'none', maxRetries: 0 });
    const error: unknown = await embeddings.create({ model: 'small', input: 'x' }).catch(thrown => thrown);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    expect(String(error)).toContain('NETA_EMBEDDING_MODEL');
  } finally {
    await plain.stop();
  }
});
