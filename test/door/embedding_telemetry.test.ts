/** Calls of the embedding model in metrics and traces. */
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type EmbeddingServer, sendJson, startEmbeddingServer, TOKENS_OF_TEXT } from '../support/embedding_server';
import { type MetricsText, readMetrics } from '../support/metrics';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp_receiver';

const DURATION = 'gen_ai_client_operation_duration_seconds_count';
const OF_SMALL = { gen_ai_operation_name: 'embeddings', gen_ai_provider_name: 'openai-compatible', gen_ai_request_model: 'small' };

let bench: AgentBench;
let server: EmbeddingServer;
let receiver: OtlpReceiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startEmbeddingServer(), startOtlpReceiver()]);
  bench = await startBench({
    env: { NETA_EMBEDDING_MODEL: 'small', NETA_EMBEDDING_BASE_URL: server.baseUrl, NETA_OTLP_ENDPOINT: receiver.url },
  });
});
afterAll(async () => {
  await bench?.stop();
  await Promise.all([server?.stop(), receiver?.stop()]);
});

async function metricsWhen(isTrue: (metrics: MetricsText) => boolean): Promise<MetricsText> {
  for (let left = 200; left > 0; left--) {
    const metrics = await readMetrics(bench.gateway.url);
    if (isTrue(metrics)) return metrics;
    await delay(20);
  }
  throw new Error('the numbers did not come');
}

const search = (text: string) => bench.rest.request('GET', `/memories?q=${text}`);

it('counts them apart from the calls of the chat model, with their tokens, and shows each as a trace', async () => {
  bench.model.onTurn('hello', 'Hello.');
  await bench.rest.run({ input: 'hello' });
  await bench.rest.request('POST', '/memories', { text: 'Ada drinks oolong', kind: 'fact' });
  await search('beverage');
  const calls = server.requests.length;
  expect(calls).toBeGreaterThan(0);
  const metrics = await metricsWhen(found => found.sum(DURATION, { ...OF_SMALL, error_type: '' }) >= calls);
  expect(metrics.sum(DURATION, { gen_ai_operation_name: 'chat' })).toBe(bench.model.requests(/./).length);
  expect(metrics.sum('gen_ai_client_token_usage_sum', { ...OF_SMALL, gen_ai_token_type: 'input' }) % TOKENS_OF_TEXT).toBe(0);
  expect(metrics.sum('gen_ai_client_token_usage_sum', OF_SMALL)).toBeGreaterThan(0);
  expect(metrics.sum('gen_ai_client_token_usage_count', { gen_ai_operation_name: 'chat' })).toBeGreaterThan(0);
  const [span, ...others] = await receiver.traceWith(({ name }) => name === 'embeddings small');
  expect(others).toEqual([]);
  expect(span).toMatchObject({ kind: 3, parentSpanId: '', isFailed: false });
  expect(span?.attributes).toMatchObject({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.request.model': 'small',
    'gen_ai.usage.input_tokens': expect.any(Number),
  });
  const sent = server.requests.map(({ headers }) => headers['traceparent']);
  expect(sent).toContain(`00-${span?.traceId}-${span?.spanId}-01`);
  expect(JSON.stringify(receiver.spans)).not.toMatch(/oolong|beverage/);
});

it('counts failed calls with the code of their error', async () => {
  server.answerWith(response => sendJson(response, '{"error":{"message":"no"}}', 401));
  await search('anything');
  await metricsWhen(found => found.sum(DURATION, OF_SMALL) > found.sum(DURATION, { ...OF_SMALL, error_type: '' }));
  const failed = (await readMetrics(bench.gateway.url)).samples.find(
    ({ name, labels }) => name === DURATION && labels['error_type']?.startsWith('model_'),
  );
  expect(failed?.labels).toMatchObject(OF_SMALL);
});
