/** Errors, retries, keys, and callers that leave at /v1/messages. */
import Anthropic from '@anthropic-ai/sdk';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;

type Fetch = typeof fetch;

const clientWith = (options: Record<string, unknown> = {}) => new Anthropic({ baseURL: bench.gateway.url, apiKey: 'none', ...options });

const asks = (content: unknown) => ({
  model: 'default',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: content as string }],
});

const runsOf = async (input: string) =>
  (await bench.rest.request<PageBody<{ runId: string; input: string; status: string }>>('GET', '/runs?limit=1000')).body.data.filter(
    run => run.input === input,
  );

interface ErrorBody {
  type: string;
  error: { type: string; message: string; details: { error_code: string; param?: string } };
  request_id: string;
}

const sendRaw = (body: unknown, path = '//v1/messages') => bench.rest.request<ErrorBody>('POST', path, body, {});

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MODEL_TOTAL_MS: '60000' } });
  const { model } = bench;
  model.onTurn('plain', 'plain answer');
  model.onTurn('broken', { error: { status: 400, message: 'no such thing' } });
  model.onTurn('overloaded', { error: { status: 429, message: 'too much', retryAfterSeconds: 120 } });
  model.onTurn('pauses', { text: 'a slow answer', chunkSize: 4, pauseAfter: 2 });
});

afterAll(() => bench.stop());

const tool = (name: unknown, schema: unknown = { type: 'object' }) => ({ name, input_schema: schema });
const block = (...blocks: unknown[]) => asks(blocks);
const result = { type: 'tool_result', tool_use_id: 'toolu_1' };
const { max_tokens: _, ...unlimited } = asks('x');

it.each([
  [{ ...asks('x'), model: undefined }, '/model'],
  [unlimited, '/max_tokens'],
  [{ ...asks('x'), max_tokens: 0 }, '/max_tokens'],
  [{ model: 'default', max_tokens: 1 }, '/messages'],
  [{ ...asks('x'), messages: [] }, '/messages'],
  [{ ...asks('x'), temperature: 2 }, '/temperature'],
  [{ ...asks('x'), system: 5 }, '/system'],
  [{ ...asks('x'), system: [{ type: 'image' }] }, '/system/0/type'],
  [{ ...asks('x'), thinking: { type: 'sometimes' } }, '/thinking/type'],
  [{ ...asks('x'), messages: [{ role: 'robot', content: 'x' }] }, '/messages/0/role'],
  [asks(5), '/messages/0/content'],
  [asks([]), '/messages/0/content'],
  [block({ type: 'text', text: 5 }), '/messages/0/content/0/text'],
  [block({ type: 'sound' }), '/messages/0/content/0/type'],
  [block({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } }), '/messages/0/content/0/source/data'],
  [block({ type: 'image', source: { type: 'url', url: 'http://127.0.0.1:1/x.png' } }), '/messages/0/content/0/source/url'],
  [
    block({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'eA==' } }),
    '/messages/0/content/0/source/data',
  ],
  [block({ type: 'document', source: { type: 'file', file_id: 5 } }), '/messages/0/content/0/source'],
  [block(result), '/messages/0/content/0/tool_use_id'],
  [block({ ...result, tool_use_id: 5 }), '/messages/0/content/0/tool_use_id'],
  [
    { ...asks('x'), messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: 'c' }] }] },
    '/messages/0/content/0/input',
  ],
  [{ ...asks('x'), tools: [tool('bad name')] }, '/tools/0/name'],
  [{ ...asks('x'), tools: [tool('a'), tool('a')] }, '/tools/1/name'],
  [{ ...asks('x'), tools: [tool('a', { type: 'string' })] }, '/tools/0/input_schema'],
  [{ ...asks('x'), tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, '/tools/0/type'],
  [{ ...asks('x'), tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } }, '/tool_choice/name'],
  [{ ...asks('x'), tool_choice: { type: 'any' } }, '/tool_choice/type'],
  [{ ...asks('x'), mcp_servers: [{ type: 'url', url: 'https://example.com' }] }, '/mcp_servers'],
])('refuses a bad field and names it: case %#', async (body, param) => {
  for (const path of ['//v1/messages', '//v1/messages/count_tokens']) {
    if (path.endsWith('tokens') && ['/max_tokens', '/temperature'].includes(param)) continue;
    const { status, body: answer } = await sendRaw(body, path);
    const error = {
      type: 'invalid_request_error',
      message: expect.stringContaining(param),
      details: { error_code: 'invalid_request', param },
    };
    expect([status, answer]).toEqual([400, { type: 'error', error, request_id: expect.any(String) }]);
  }
});

it('answers 404 for an unknown model and an unknown route in the same shape', async () => {
  for (const [path, body] of [
    ['//v1/messages', { ...asks('x'), model: 'claude-nobody' }],
    ['//v1/messages/count_tokens', { ...asks('x'), model: 'default@nothing' }],
    ['//v1/messages/batches', {}],
  ] as const) {
    const answer = await sendRaw(body, path);
    expect([answer.status, answer.body.type, answer.body.error.type]).toEqual([404, 'error', 'not_found_error']);
  }
});

it('throws the typed classes of the client, with the id of the request, once for each request that a retry does not help', async () => {
  let count = 0;
  const client = clientWith({ fetch: ((url, init) => fetch(url, init).finally(() => (count += 1))) as Fetch });
  const thrown = await client.messages.create({ ...asks('x'), max_tokens: 0 }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Anthropic.BadRequestError);
  expect(thrown).toMatchObject({ type: 'invalid_request_error', requestID: expect.any(String), error: { request_id: expect.any(String) } });
  await expect(client.messages.create({ ...asks('x'), model: 'nobody' })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  const headers = { 'Idempotency-Key': 'message-1' };
  await client.messages.create(asks('plain key'), { headers });
  await expect(client.messages.create(asks('plain other key'), { headers })).rejects.toMatchObject({ status: 409, type: 'conflict_error' });
  await expect(client.messages.create(asks('broken'))).rejects.toMatchObject({ status: 502, type: 'api_error' });
  await expect(client.messages.create({ ...asks('broken stream'), stream: true })).rejects.toMatchObject({
    status: 502,
    type: 'api_error',
  });
  expect(count).toBe(6);
});

it('says with the status 529 that the model server is overloaded', async () => {
  await expect(clientWith({ maxRetries: 0 }).messages.create(asks('overloaded'))).rejects.toMatchObject({
    status: 529,
    type: 'overloaded_error',
  });
});

it('joins a retry to the run of the first try when its answer was lost', async () => {
  let count = 0;
  const lossy = (async (url, init) => {
    const response = await fetch(url, init);
    count += 1;
    if (count > 1) return response;
    await response.text();
    throw new TypeError('the connection was lost');
  }) as Fetch;
  const answer = await clientWith({ fetch: lossy }).messages.create(asks('plain lost'));
  expect(answer.content).toMatchObject([{ text: 'plain answer' }]);
  expect(await runsOf('plain lost')).toHaveLength(1);
});

it('ends a stream with an error event when the run is cancelled in between', async () => {
  const stream = await clientWith().messages.create({ ...asks('pauses, cancelled'), stream: true });
  const read = async () => {
    for await (const event of stream) {
      if (event.type !== 'content_block_delta') continue;
      const [run] = await runsOf('pauses, cancelled');
      await bench.rest.request('POST', `/runs/${run?.runId}/cancel`, {});
    }
  };
  await expect(read()).rejects.toMatchObject({ type: 'conflict_error', error: { type: 'error', request_id: expect.any(String) } });
});

it('takes the key from x-api-key or as a bearer token, and keeps tenants apart', async () => {
  const keys = 'ada:secret-of-ada-0001:north:chat,bob:secret-of-bob-0001:south:chat,eve:secret-of-eve-0001:south:ops:read';
  const guarded = await startBench({ env: { NETA_API_KEYS: keys } });
  try {
    guarded.model.onTurn('plain', 'plain answer');
    guarded.model.onTurn('price', { toolCalls: [{ name: 'get_price', arguments: {} }] }, 'It costs nothing.');
    const clientOf = (options: { apiKey?: string; authToken?: string }) =>
      new Anthropic({ baseURL: guarded.gateway.url, apiKey: null, authToken: null, ...options });
    await expect(clientOf({ apiKey: 'wrong-secret-000001' }).messages.create(asks('plain'))).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    );
    await expect(clientOf({ apiKey: 'secret-of-eve-0001' }).messages.create(asks('plain'))).rejects.toBeInstanceOf(
      Anthropic.PermissionDeniedError,
    );
    const ada = clientOf({ apiKey: 'secret-of-ada-0001' });
    const bob = clientOf({ authToken: 'secret-of-bob-0001' });
    expect((await bob.messages.create(asks('plain'))).content).toMatchObject([{ text: 'plain answer' }]);
    const tools: Anthropic.Tool[] = [{ name: 'get_price', input_schema: { type: 'object' } }];
    const { data, response } = await ada.messages.create({ ...asks('price'), tools }).withResponse();
    const headers = { 'x-session-id': response.headers.get('x-session-id') ?? '' };
    await expect(bob.messages.create(asks('plain'), { headers })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    await expect(bob.messages.countTokens(asks('plain'), { headers })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    const call = data.content.find(({ type }) => type === 'tool_use');
    if (call?.type !== 'tool_use') throw new Error('there is no call');
    const messages: Anthropic.MessageParam[] = [
      ...asks('price').messages,
      { role: 'assistant', content: data.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '9' }] },
    ];
    // The call of another tenant is one of another server: the messages are a conversation of their own.
    const foreign = await bob.messages.create({ ...asks(''), messages, tools }).withResponse();
    expect(foreign.response.headers.get('x-session-id')).not.toBe(headers['x-session-id']);
    const own = await ada.messages.create({ ...asks(''), messages, tools }).withResponse();
    expect(own.response.headers.get('x-session-id')).toBe(headers['x-session-id']);
  } finally {
    await guarded.stop();
  }
});
