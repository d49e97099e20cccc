import { createOpenAiEmbedding } from '../../../src/adapter/embedding/openai_embedding';
import { type EmbeddingServer, sendJson, startEmbeddingServer, vectorsAnswer } from '../../support/embedding_server';

const KEY = 'sk-embedding-5ecret-0123456789';
let server: EmbeddingServer;

beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.stop());

const create = (firstByteMs = 10_000) =>
  createOpenAiEmbedding({
    baseUrl: server.baseUrl,
    apiKey: KEY,
    model: 'small',
    limits: { retryBaseMs: 1, firstByteMs, totalMs: 15_000 },
  });
const embed = (texts: string[] = ['tea', 'cat']) => create().embed(texts, new AbortController().signal);
const rounded = (vector: Float32Array | undefined) => [...(vector ?? [])].map(number => Math.round(number * 1_000) / 1_000);

it('sends the texts with model and key, and returns vectors of length 1 in the order of the texts', async () => {
  const [tea, cat] = await embed();
  expect(rounded(tea)).toEqual([0.995, 0, 0, 0.1]);
  expect(rounded(cat)).toEqual([0, 0.995, 0, 0.1]);
  expect(server.requests).toMatchObject([{ model: 'small', texts: ['tea', 'cat'], headers: { authorization: `Bearer ${KEY}` } }]);
});

it('reads base64, and an order that differs from the texts', async () => {
  const base64 = (...numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
  const data = [
    { index: 1, embedding: base64(0, 3) },
    { index: 0, embedding: base64(2, 0) },
  ];
  server.answerWith(response => sendJson(response, JSON.stringify({ data })));
  expect((await embed()).map(rounded)).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

it('tries again after an overload and a broken connection', async () => {
  server.answerWith((response, request) => {
    if (server.requests.length === 1) sendJson(response, '{"error":{"message":"slow down"}}', 429);
    else if (server.requests.length === 2) response.destroy();
    else sendJson(response, vectorsAnswer(request.texts));
  });
  expect(await embed()).toHaveLength(2);
  expect(server.requests).toHaveLength(3);
});

const data = (...embeddings: unknown[]) => JSON.stringify({ data: embeddings.map((embedding, index) => ({ index, embedding })) });

it.each([
  ['a web page', '<!doctype html><title>Login</title>', /web page; check the base URL/],
  ['text that is no JSON', 'ok', /not valid JSON/],
  ['another answer', '{"choices":[]}', /no answer of an embedding model/],
  ['too few vectors', data([1, 2]), /1 vectors for 2 texts/],
  ['vectors of different dimensions', data([1, 2], [1, 2, 3]), /3 dimensions, others have 2/],
  ['a null in a vector', data([1, 2], [1, null]), /no number/],
  ['NaN written as text', data([1, 2], [1, 'NaN']), /no number/],
  ['a number beyond the finite ones', data([1, 2], [1e39, 1]), /not finite/],
  ['NaN in base64', data([1, 2], Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString('base64')), /not finite/],
  ['a zero vector', data([1, 2], [0, 0]), /is zero/],
  ['an empty vector', data([1, 2], []), /missing or is no list/],
  ['base64 of half a number', data([1, 2], 'AAA='), /missing or is no list/],
  ['the same index twice', '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}', /no usable index/],
  ['an index beyond the texts', '{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}', /no usable index/],
  ['an error with status 200', '{"error":{"message":"model is loading"}}', /model is loading/],
])('refuses %s', async (_what, body, message) => {
  server.answerWith(response => sendJson(response, body));
  await expect(embed()).rejects.toMatchObject({ code: expect.stringMatching(/^model_/), message: expect.stringMatching(message) });
});

it('refuses vectors with another number of dimensions than those of an earlier answer', async () => {
  const embedding = create();
  const { signal } = new AbortController();
  await embedding.embed(['tea'], signal);
  server.answerWith(response => sendJson(response, data([1, 2])));
  await expect(embedding.embed(['cat'], signal)).rejects.toThrow('2 dimensions, others have 4');
});

it('refuses an answer that is too large, without reading it to its end', async () => {
  server.answerWith(response => {
    response.writeHead(200);
    const piece = Buffer.alloc(1024 * 1024, 32);
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send);
    send();
  });
  await expect(embed()).rejects.toMatchObject({ code: 'model_too_large' });
});

it.each([
  [401, { code: 'model_refused', message: expect.stringContaining('check the API key') }],
  [404, { code: 'model_refused', message: expect.stringContaining('check the model name and the base URL') }],
])('reports status %i without the key and without a retry', async (status, error) => {
  server.answerWith(response => sendJson(response, JSON.stringify({ error: { message: `wrong key ${KEY}` } }), status));
  const thrown: Error = await embed().catch(caught => caught);
  expect(thrown).toMatchObject(error);
  expect(thrown.message).not.toContain(KEY);
  expect(server.requests).toHaveLength(1);
});

it('ends a call that the server does not answer, and a call that is cancelled', async () => {
  server.answerWith(() => {});
  await expect(create(100).embed(['tea'], new AbortController().signal)).rejects.toMatchObject({ code: 'model_timeout' });
  const controller = new AbortController();
  const call = create().embed(['tea'], controller.signal);
  await server.waitForRequests(2);
  controller.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
});

it('says that nothing listens at the address', async () => {
  await server.stop();
  await expect(embed()).rejects.toMatchObject({ code: 'model_unreachable', message: expect.stringContaining('nothing listens') });
  server = await startEmbeddingServer();
});
