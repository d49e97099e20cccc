/** Errors, retries, and callers that leave at /v1/chat/completions. */
import OpenAI from 'openai';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;

type Fetch = typeof fetch;

/** Sends requests with the real fetch, counts them, and lets a test change what happens to them. */
function countingFetch(around: (call: () => ReturnType<Fetch>, count: number) => ReturnType<Fetch> = call => call()) {
  const counted = { count: 0, fetch: (async (url, init) => around(() => fetch(url, init), ++counted.count)) as Fetch };
  return counted;
}

const clientWith = (sender: { fetch: Fetch }, options: Record<string, unknown> = {}) =>
  new OpenAI({
    baseURL: `${bench.gateway.url}/v1`,
    apiKey: 'none',

    fetch: sender.fetch,
    ...options,
  });

const asks = (content: string) => ({ model: 'default', messages: [{ role: 'user' as const, content }] });

const runsOf = async (input: string) =>
  (await bench.rest.request<PageBody<{ runId: string; input: string; status: string }>>('GET', '/runs?limit=1000')).body.data.filter(
    run => run.input === input,
  );

const sendRaw = (body: unknown, headers: Record<string, string> = {}) =>
  bench.rest.request<{ error: { message: string; type: string; param: string | null; code: string } }>(
    'POST',
    '//v1/chat/completions',
    body,
    headers,
  );

beforeAll(async () => {
  bench = await startBench({ failpoints: true });
  const { model } = bench;
  model.onTurn('plain', 'plain answer');
  model.onTurn('broken', { error: { status: 400, message: 'no such thing' } });
  model.onTurn('leaves', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2, times: 1 });
  model.onTurn('leaves', 'late answer');
  model.onTurn('pauses', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2 });
});

afterAll(() => bench.stop());

const tool = (name: unknown, parameters: unknown = { type: 'object' }) => ({ type: 'function', function: { name, parameters } });
const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });

it.each([
  [{ messages: [{ role: 'user', content: 'x' }] }, 'model'],
  [{ model: 'default' }, 'messages'],
  [{ ...asks('x'), messages: [] }, 'messages'],
  [{ ...asks('x'), messages: Array.from({ length: 2_001 }, () => ({ role: 'user', content: 'x' })) }, 'messages'],
  [{ ...asks('x'), temperature: 'warm' }, 'temperature'],
  [{ ...asks('x'), n: 2 }, 'n'],
  [{ ...asks('x'), logprobs: true }, 'logprobs'],
  [{ ...asks('x'), functions: 5 }, 'functions'],
  [{ ...asks('x'), stream_options: { include_usage: 'yes' } }, '/stream_options/include_usage'],
  [{ ...asks('x'), messages: [{ role: 'robot', content: 'x' }] }, '/messages/0/role'],
  [{ ...asks('x'), messages: [{ role: 'user', content: 5 }] }, '/messages/0/content'],
  [{ ...asks('x'), messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, '/messages/0/content/0/type'],
  [{ ...asks('x'), messages: [{ role: 'tool', tool_call_id: 'call_x', content: 'x' }] }, '/messages/0/tool_call_id'],
  [{ ...asks('x'), tools: [tool('bad name')] }, '/tools/0/function/name'],
  [{ ...asks('x'), tools: [tool('__proto__')] }, '/tools/0/function/name'],
  [{ ...asks('x'), tools: [tool('a'), tool('a')] }, '/tools/1/function/name'],
  [{ ...asks('x'), tools: [tool('a', { type: 'string' })] }, '/tools/0/function/parameters'],
  [{ ...asks('x'), tools: [tool('a', deep(20))] }, '/tools/0/function/parameters'],
  [{ ...asks('x'), tools: [tool('a', { description: 'x'.repeat(70_000) })] }, '/tools/0/function/parameters'],
  [{ ...asks('x'), tools: Array.from({ length: 129 }, (_, i) => tool(`t${i}`)) }, 'tools'],
  [{ ...asks('x'), tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } }, '/tool_choice/function/name'],
  [{ ...asks('x'), tool_choice: 'required' }, 'tool_choice'],
])('refuses a bad field and names it: case %#', async (body, param) => {
  const answer = await sendRaw(body);
  expect([answer.status, answer.body]).toMatchObject([400, { error: { param, type: 'invalid_request_error', code: 'invalid_request' } }]);
});

it('answers 404 for an unknown model and an unknown route in the same shape', async () => {
  expect((await sendRaw({ ...asks('x'), model: 'nobody' })).body.error).toMatchObject({
    param: 'model',
    code: 'model_not_found',
    type: 'invalid_request_error',
  });
  expect((await sendRaw({ ...asks('x'), model: 'default@nothing' })).status).toBe(404);
  const unknown = await bench.rest.request<{ error: object }>('POST', '//v1/moderations', {});
  expect([unknown.status, Object.keys(unknown.body.error).sort()]).toEqual([404, ['code', 'message', 'param', 'type']]);
});

it('throws the typed classes of the client, once for each request that a retry does not help', async () => {
  const sender = countingFetch();
  const client = clientWith(sender);
  await expect(client.chat.completions.create({ ...asks('x'), n: 3 })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  await expect(client.chat.completions.create({ ...asks('x'), model: 'nobody' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  expect(sender.count).toBe(2);
  const headers = { 'Idempotency-Key': 'chat-1' };
  await client.chat.completions.create(asks('plain key'), { headers });
  await expect(client.chat.completions.create(asks('plain other key'), { headers })).rejects.toBeInstanceOf(OpenAI.ConflictError);
  await expect(client.chat.completions.create(asks('broken'))).rejects.toMatchObject({ status: 502, code: 'model_refused' });
  await expect(client.chat.completions.create({ ...asks('broken stream'), stream: true })).rejects.toMatchObject({ status: 502 });
  expect(sender.count).toBe(6);
});

it('joins a retry without a key to the run of the first try when its answer was lost', async () => {
  const sender = countingFetch(async (call, count) => {
    const response = await call();
    if (count > 1) return response;
    await response.body?.cancel();
    throw new TypeError('the connection was lost');
  });
  const answer = await clientWith(sender).chat.completions.create(asks('plain lost'));
  expect(answer.choices[0]?.message.content).toBe('plain answer');
  expect(sender.count).toBe(2);
  expect(await runsOf('plain lost')).toHaveLength(1);
  // The same request without the mark of a retry is a request of its own.
  await clientWith(countingFetch()).chat.completions.create(asks('plain lost'));
  expect(await runsOf('plain lost')).toHaveLength(2);
});

it('joins a retry of a stream while the run goes on', async () => {
  const sender = countingFetch(async (call, count) => {
    const response = await call();
    if (count > 1) return response;
    await response.body?.cancel();
    throw new TypeError('the connection was lost');
  });
  const stream = await clientWith(sender).chat.completions.create({ ...asks('pauses, lost'), stream: true });
  let text = '';
  for await (const chunk of stream) {
    if (text === '') bench.model.resume();
    text += chunk.choices[0]?.delta.content ?? '';
  }
  expect(text).toBe('a slow answer');
  expect(await runsOf('pauses, lost')).toMatchObject([{ status: 'completed' }]);
});

it('cancels the run 2 s after its caller has aborted, and starts another one for a late retry', async () => {
  const abort = new AbortController();
  const stream = await clientWith(countingFetch()).chat.completions.create({ ...asks('leaves'), stream: true }, { signal: abort.signal });
  const request = await bench.model.waitFor('leaves');
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) abort.abort();
  expect(await request.ended).toBe('hung_up');
  const [run] = await runsOf('leaves');
  const ended = await bench.rest.request<{ status: string }>('POST', `/runs/${run?.runId}/cancel`, {});
  expect(ended.body.status).toBe('cancelled');
  const retried = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-stainless-retry-count': '1' },
    body: JSON.stringify({ ...asks('leaves'), stream: true }),
  });
  expect(await retried.text()).toContain('late answer');
  expect(await runsOf('leaves')).toHaveLength(2);
});

it('ends a stream with an error event when the run is cancelled in between', async () => {
  const stream = await clientWith(countingFetch()).chat.completions.create({ ...asks('pauses, cancelled'), stream: true });
  const read = async () => {
    for await (const chunk of stream) {
      if (!chunk.choices[0]?.delta.content) continue;
      const [run] = await runsOf('pauses, cancelled');
      await bench.rest.request('POST', `/runs/${run?.runId}/cancel`, {});
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'run_cancelled' });
});

describe('with failures of the gateway', () => {
  it('makes one run when the answer of the first try is an error although the run was stored', async () => {
    await bench.gateway.arm('before_ack=fail');
    const sender = countingFetch();
    const answer = await clientWith(sender, { maxRetries: 2 }).chat.completions.create(asks('plain stored'));
    expect(answer.choices[0]?.message.content).toBe('plain answer');
    expect(sender.count).toBe(2);
    expect(await runsOf('plain stored')).toHaveLength(1);
  });

  it('cancels a run that a kill -9 left without its caller, when no retry joins it within 10 s', async () => {
    bench.model.onTurn('orphaned', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2 });
    const abort = new AbortController();
    const asked = fetch(`${bench.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asks('orphaned')),
      signal: abort.signal,
    }).catch(() => undefined);
    const first = await bench.model.waitFor('orphaned');
    // The first request leaves before the run is stored.
    await until(async () => (await runsOf('orphaned')).length > 0);
    await bench.gateway.restart();
    await asked;
    const resumed = await bench.model.waitFor(request => request !== first && request.userText === 'orphaned');
    expect(await resumed.ended).toBe('hung_up');
    expect(await runsOf('orphaned')).toMatchObject([{ status: expect.stringMatching(/cancelled|running/) }]);
  });

  it('keeps the calls of the caller over a kill -9 right before the end of their run', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'get_price', parameters: { type: 'object', properties: {} } } }];
    bench.model.onTurn(
      'price',
      { toolCalls: [{ name: 'get_price', arguments: {} }] },
      ({ toolResults }) => `It costs ${toolResults.at(-1)}.`,
    );
    await bench.gateway.arm('run_end=crash');
    const request = { ...asks('price, killed'), tools };
    const headers = { 'Idempotency-Key': 'chat-killed' };
    await expect(clientWith(countingFetch(), { maxRetries: 0 }).chat.completions.create(request, { headers })).rejects.toBeInstanceOf(
      OpenAI.APIConnectionError,
    );
    await bench.gateway.restart();
    const client = clientWith(countingFetch());
    const first = await client.chat.completions.create(request, { headers });
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (!message || !call) throw new Error('there is no call');
    const messages = [...request.messages, message, { role: 'tool' as const, tool_call_id: call.id, content: '9 crowns' }];
    expect((await client.chat.completions.create({ ...request, messages })).choices[0]?.message.content).toBe('It costs 9 crowns.');
    expect(await runsOf('price, killed')).toHaveLength(1);
    expect(bench.model.requests('price, killed')).toHaveLength(2);
  });
});

it('throws AuthenticationError, PermissionDeniedError and RateLimitError', async () => {
  const keys = 'ada:secret-of-ada-0001:default:chat,bob:secret-of-bob-0001:default:ops:read';
  const guarded = await startBench({ env: { NETA_API_KEYS: keys, NETA_MAX_CONCURRENT_RUNS: '1', NETA_MAX_QUEUED_RUNS: '1' } });
  try {
    guarded.model.onTurn('pauses', { text: 'a slow answer', chunkSize: 4, pauseAfter: 0 });
    const sender = countingFetch();
    const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${guarded.gateway.url}/v1`, apiKey, fetch: sender.fetch });
    await expect(clientOf('wrong-secret-000001').models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await expect(clientOf('wrong-secret-000001').chat.completions.create(asks('plain'))).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(clientOf('secret-of-bob-0001').chat.completions.create(asks('plain'))).rejects.toBeInstanceOf(
      OpenAI.PermissionDeniedError,
    );
    expect(sender.count).toBe(3);
    const ada = clientOf('secret-of-ada-0001');
    const abort = new AbortController();
    const waiting = ['pauses, one', 'pauses, two'].map(text => ada.chat.completions.create(asks(text), { signal: abort.signal }));
    await guarded.model.waitFor('pauses, one');
    const refused = await ada.chat.completions.create(asks('pauses, three'), { maxRetries: 0 }).catch(thrown => thrown);
    abort.abort();
    await Promise.allSettled(waiting);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect([refused.code, refused.headers.get('x-should-retry'), refused.headers.get('retry-after')]).toEqual([
      'rate_limit_exceeded',
      'true',
      '5',
    ]);
  } finally {
    await guarded.stop();
  }
});
