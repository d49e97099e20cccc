/** Requests to /v1 as clients of other servers send them: fields without a meaning here, the old form of functions, and a last answer. */
import { type ModelBench, startModelBench } from '../support/model_bench';

const MODELS = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, dialect: vllm }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
`;

let bench: ModelBench;

beforeAll(async () => {
  bench = await startModelBench({ models: MODELS });
  for (const model of [bench.a, bench.b]) model.onTurn('plain', 'plain answer');
  const call = { name: 'get_price', arguments: { article: 'tea' } };
  bench.a.onTurn('price', { toolCalls: [call] }, ({ toolResults }) => `It costs ${toolResults.at(-1)}.`);
  bench.a.onTurn(/Continue your last message|请从你上一条消息|^Begin\.$/, 'and so on');
});
afterAll(() => bench?.stop());

interface Answer {
  choices: { message: Record<string, unknown>; finish_reason: string }[];
  output: unknown[];
  error?: { param: string; message: string };
}

const user = (content: string) => ({ role: 'user', content });
const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  bench.rest.request<Answer>('POST', `//v1/${path}`, { model: 'default', ...body }, headers);
/** As `send`, for an answer of any type. */
async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${bench.gateway.url}/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'default', ...body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const chat = (body: object, headers = {}) => send('chat/completions', { messages: [user('plain')], ...body }, headers);
const messageOf = ({ body }: Awaited<ReturnType<typeof chat>>) => body.choices[0]?.message;
const sent = (match: string, model = bench.a) =>
  (model.requests(match).at(-1)?.body ?? {}) as Record<string, unknown> & { messages: unknown[] };

const CLIENTS: [client: string, fields: Record<string, unknown>][] = [
  ['vLLM', { chat_template_kwargs: { enable_thinking: false }, top_k: 20, min_p: 0.1, repetition_penalty: 1.1 }],
  ['Ollama', { num_ctx: 8_192, options: { num_ctx: 8_192 }, keep_alive: '5m', think: false }],
  ['OpenAI', { service_tier: 'auto', safety_identifier: 'x', prompt_cache_key: 'k', prediction: null, top_logprobs: 0 }],
  ['a known mistake', { extra_body: { top_k: 1 }, extra_headers: {} }],
  ['Open WebUI', { chat_id: 'c', features: {}, background_tasks: {}, session_id: 's' }],
  ['nobody', { 'naïve field\r\nx: y': 1, 图: 2, ['x'.repeat(300)]: 3 }],
];
const TAKEN = ['chat_template_kwargs', 'top_k', 'min_p', 'repetition_penalty'];

it.each(CLIENTS)('serves fields of %s, passes on those that the model server takes, and names the others', async (_client, fields) => {
  const given = Object.keys(fields).filter(name => fields[name] !== null);
  for (const [path, body] of [
    ['chat/completions', { messages: [user('plain')] }],
    ['responses', { input: 'plain' }],
  ] as const) {
    for (const stream of [false, true]) {
      const { status, headers: answered } = await post(path, { ...body, ...fields, stream });
      expect(status).toBe(200);
      const ignored = given.filter(name => !TAKEN.includes(name)).map(name => encodeURIComponent(name.slice(0, 64)));
      expect(answered.get('x-ignored-fields')).toBe(ignored.length === 0 ? null : ignored.toSorted().join(', '));
      for (const name of given) expect([name, sent('plain')[name]]).toEqual([name, TAKEN.includes(name) ? fields[name] : undefined]);
    }
  }
});

it('passes to another model server only what that one takes, and null nowhere', async () => {
  const { headers } = await chat({ model: 'default@b', chat_template_kwargs: { a: 1 }, top_k: 3, min_p: null });
  expect(headers.get('x-ignored-fields')).toBe('top_k');
  expect(sent('plain', bench.b)).toMatchObject({ chat_template_kwargs: { a: 1 } });
  expect(sent('plain', bench.b)).not.toHaveProperty('top_k');
});

it('refuses what it cannot give, with the name of the field', async () => {
  const responds = (body: object) => send('responses', { input: 'plain', ...body });
  const refused = [await chat({ n: 2 }), await chat({ logprobs: true }), await responds({ n: 2 }), await responds({ logprobs: true })];
  refused.push(
    await chat({ top_logprobs: 2 }),
    await responds({ top_logprobs: 2 }),
    await responds({ include: ['a', 'message.output_text.logprobs'] }),
  );
  expect(refused.map(({ status, body }) => [status, body.error?.param])).toEqual([
    [400, 'n'],
    [400, 'logprobs'],
    [400, 'n'],
    [400, 'logprobs'],
    [400, 'top_logprobs'],
    [400, 'top_logprobs'],
    [400, '/include/1'],
  ]);
  // Our own API stays strict.
  expect((await bench.rest.request('POST', '/runs', { input: 'plain', num_ctx: 1 })).status).toBe(400);
});

describe('functions, the form before tools', () => {
  const functions = [{ name: 'get_price', description: 'Returns a price', parameters: { type: 'object', properties: {} } }];
  const call = { name: 'get_price', arguments: '{"article":"tea"}' };

  it('are tools of the caller; the call and its result have the old form', async () => {
    const messages: object[] = [user('price')];
    const first = await chat({ messages, functions, function_call: 'auto' });
    expect(first.body.choices[0]).toMatchObject({ finish_reason: 'function_call', message: { content: null, function_call: call } });
    expect(messageOf(first)).not.toHaveProperty('tool_calls');
    expect(first.headers.get('x-ignored-fields')).toBeNull();
    messages.push(messageOf(first) ?? {}, { role: 'function', name: 'get_price', content: '4 crowns' });
    expect(messageOf(await chat({ messages, functions }))).toMatchObject({ content: 'It costs 4 crowns.' });
  });

  it('stream the call as a delta of the old form', async () => {
    const { text } = await post('chat/completions', { messages: [user('price')], functions, stream: true });
    expect(text).toContain(`"delta":${JSON.stringify({ function_call: call })}`);
    expect(text).toContain('"finish_reason":"function_call"');
    expect(text).not.toContain('tool_calls');
  });

  it('can be forced and forbidden', async () => {
    await chat({ messages: [user('price')], functions, function_call: { name: 'get_price' } });
    expect(sent('price')).toMatchObject({ tool_choice: { type: 'function', function: { name: 'get_price' } }, parallel_tool_calls: false });
    await chat({ functions, function_call: 'none' });
    expect(bench.a.requests('plain').at(-1)?.toolNames).not.toContain('get_price');
  });

  it.each([
    [{ functions, tools: [{ type: 'function', function: { name: 'f' } }] }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
    [{ functions: 'get_price' }, 'functions'],
    [{ functions, function_call: 7 }, 'function_call'],
    [{ functions: [{ name: 'a b' }] }, '/functions/0/name'],
    [{ functions, messages: [user('plain'), { role: 'function', name: 'other', content: '1' }] }, '/messages/1/name'],
  ])('are refused when they cannot be read: %j', async (body, param) => {
    expect((await chat(body)).body.error).toMatchObject({ param });
  });
});

it('continues a last answer, in the language of the caller, and begins when there are only instructions', async () => {
  const answer = { role: 'assistant', content: 'Sure,' };
  const system = { role: 'system', content: 'Be kind.' };
  const cases: [messages: object[], headers: Record<string, string>, tail: object[]][] = [
    [[user('hi'), answer], {}, [user('hi'), answer, { role: 'user', content: expect.stringContaining('Continue your last message') }]],
    [
      [user('hi'), answer],
      { 'accept-language': 'zh-CN' },
      [user('hi'), answer, { role: 'user', content: expect.stringContaining('继续') }],
    ],
    [[user('hi'), answer, system], {}, [user('hi'), answer, { role: 'user', content: expect.stringContaining('Continue') }]],
    [[{ role: 'developer', content: 'Tell a story.' }], {}, [user('Begin.')]],
    [[user('plain'), system], {}, [user('plain')]],
  ];
  for (const [messages, headers, tail] of cases) {
    for (const [path, body] of [
      ['chat/completions', { messages }],
      ['responses', { input: messages }],
    ] as const) {
      expect((await send(path, body, headers)).status).toBe(200);
      const { body: request } = bench.a.requests(/./).at(-1) ?? {};
      expect(request?.messages.slice(1)).toMatchObject(tail);
    }
  }
});
