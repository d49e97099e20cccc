/** Requests to /v1 that are large, odd or hostile. */
import { type AgentBench, startBench } from '../support/agent_bench';

const MIB = 1024 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let bench: AgentBench;

interface Answer {
  status: number;
  headers: Headers;
  // Bodies of several routes.
  body: Record<string, unknown> & { error?: { code: string; param: string; message: string } };
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${bench.gateway.url}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
}
const user = (content: unknown) => ({ role: 'user', content });
const chat = (body: object, headers?: Record<string, string>) => send('POST', '/chat/completions', { model: 'default', ...body }, headers);
const respond = (body: object, headers?: Record<string, string>) => send('POST', '/responses', body, headers);
const callOf = (name: string, id: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const toolOf = (name: string, parameters: object = {}) => ({ type: 'function', function: { name, parameters } });
const deep = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

beforeAll(async () => {
  bench = await startBench();
  bench.model.onTurn('price', { toolCalls: [{ name: 'get_price' }, { name: 'get_price' }] }, 'four crowns');
  bench.model.onTurn('which one', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?' } }] });
  bench.model.onTurn('long answer', 'x'.repeat(300_000));
  bench.model.onTurn(/./, 'ok');
});
afterAll(() => bench?.stop());

describe('bodies with images', () => {
  const urlOf = (bytes: number) => `data:image/png;base64,${Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]).toString('base64')}`;
  const image = (bytes: number) => ({ type: 'image_url', image_url: { url: urlOf(bytes) } });
  const input = (bytes: number) => ({ type: 'input_image', image_url: urlOf(bytes) });

  it('can be as large as all images together may be, and are given back as they came', async () => {
    const both = [{ type: 'text', text: 'two large ones' }, image(5 * MIB), image(5 * MIB)];
    expect(await chat({ messages: [user(both)] })).toMatchObject({ status: 200 });
    const content = [{ type: 'input_text', text: 'two more' }, input(5 * MIB), input(5 * MIB)];
    const { status, body } = await respond({ input: [user(content)] });
    expect(status).toBe(200);
    const items = await send('GET', `/responses/${body['id']}/input_items`);
    const urls = [content[1], content[2]].map(part => (part as { image_url: string }).image_url);
    const [item] = items.body['data'] as { content: { image_url?: string }[] }[];
    expect(item?.content.flatMap(part => part.image_url ?? []).map((url, i) => url === urls[i])).toEqual([true, true]);
  });

  it('are refused beyond that, and texts do not pass beside an image', async () => {
    const text = 'x'.repeat(2 * MIB);
    const refused = [
      await chat({ messages: [user([image(5 * MIB), image(5 * MIB), image(5 * MIB)])] }),
      await chat({ messages: [user([image(4 * MIB), image(4 * MIB), image(2 * MIB + 100)])] }),
      await chat({ messages: [user([{ type: 'text', text }, image(100)])] }),
      await chat({ messages: [user(text)] }),
      await respond({ input: [user([input(5 * MIB), input(5 * MIB), input(5 * MIB)])] }),
      await respond({ input: [user([{ type: 'input_text', text }, input(100)])] }),
      await respond({ input: 'x', instructions: text }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error?.code, body.error?.param])).toEqual([
      [413, 'too_large', 'messages'],
      [413, 'too_large', '/messages/0/content/2/image_url/url'],
      [413, 'too_large', 'messages'],
      [413, 'too_large', 'messages'],
      [413, 'too_large', 'input'],
      [413, 'too_large', 'input'],
      [413, 'too_large', 'input'],
    ]);
  });
});

it('refuses references to items that are longer together than a request may be', async () => {
  const { body } = await respond({ input: 'long answer' });
  const [item] = body['output'] as { id: string }[];
  const referred = (count: number) => [...Array(count).fill({ type: 'item_reference', id: item?.id }), user('and now')];
  expect((await respond({ input: referred(2) })).status).toBe(200);
  expect((await respond({ input: referred(500) })).body.error).toMatchObject({ code: 'too_large', param: 'input' });
});

it('takes 2,000 messages, and no more', async () => {
  const messages = (count: number) => Array(count).fill(user('hello'));
  expect((await chat({ messages: messages(2_000) })).status).toBe(200);
  expect((await chat({ messages: messages(2_001) })).body.error).toMatchObject({ code: 'invalid_request', param: 'messages' });
  expect((await respond({ input: messages(2_000) })).status).toBe(200);
  expect((await respond({ input: messages(2_001) })).body.error).toMatchObject({ code: 'invalid_request', param: 'input' });
});

it.each([
  ['no message', { messages: [] }, 'messages'],
  ['a message that is null', { messages: [null] }, '/messages/0'],
  ['a part that is null', { messages: [user([null])] }, '/messages/0/content/0/type'],
  ['content that is null', { messages: [user(null)] }, '/messages/0/content'],
  ['a function named __proto__', { messages: [user('hi')], tools: [toolOf('__proto__')] }, '/tools/0/function/name'],
  ['a deep schema', { messages: [user('hi')], tools: [toolOf('f', deep(40))] }, '/tools/0/function/parameters'],
  [
    'a result without its call',
    { messages: [user('hi'), { role: 'tool', tool_call_id: 'call_1', content: '4' }] },
    '/messages/1/tool_call_id',
  ],
  ['options that are a text', { messages: [user('hi')], stream_options: 'include_usage' }, 'stream_options'],
])('refuses %s, in the language of the caller', async (_words, body, param) => {
  const { status, body: refused } = await chat(body, { 'accept-language': 'zh-CN' });
  expect(status).toBe(400);
  expect(refused.error).toMatchObject({ code: 'invalid_request', param, message: expect.stringMatching(/[\u4e00-\u9fff]/) });
});

it('refuses JSON that is nested deeper than 64 levels', async () => {
  const nested = `{"model":"default","messages":[{"role":"user","content":"hi"}],"metadata":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const answer = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: nested,
  });
  expect(answer.status).toBe(400);
});

it.each([{}, { include_usage: null }, { include_usage: true, include_obfuscation: false }, null])(
  'takes stream_options %j',
  async options => {
    for (const stream of [true, false]) {
      const answer = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'default', messages: [user('options')], stream, stream_options: options }),
      });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text.includes('"choices":[],"usage":{')).toBe(stream && options?.include_usage === true);
    }
  },
);

it('gives the model one result for each call, whatever the caller sends', async () => {
  const messages = [
    user('history'),
    { role: 'assistant', content: null, tool_calls: [callOf('constructor', 'a'), callOf('toString', 'b')] },
    { role: 'tool', tool_call_id: 'a', content: 'first' },
    { role: 'tool', tool_call_id: 'a', content: 'second' },
    user('go on'),
  ];
  expect((await chat({ messages })).status).toBe(200);
  const sent = bench.model.requests('go on').at(-1)?.body.messages.slice(1) ?? [];
  const results = sent.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []));
  expect(results).toEqual(['a', 'b']);
});

it('gives the model a result that stands behind the next message of the person', async () => {
  const late = { role: 'tool', tool_call_id: 'a', content: 'late' };
  const messages = [user('begin'), { role: 'assistant', content: null, tool_calls: [callOf('get_price', 'a')] }, user('next'), late];
  expect((await chat({ messages })).status).toBe(200);
  const sent = bench.model.requests('next').at(-1)?.body.messages.slice(2) ?? [];
  expect(sent).toMatchObject([{ role: 'assistant' }, late, { role: 'user', content: 'next' }]);
});

it('takes results only for calls of the session that they are sent to', async () => {
  const tools = [toolOf('get_price')];
  const [one, other] = [await chat({ messages: [user('price here')], tools }), await chat({ messages: [user('price there')], tools })];
  const idsOf = ({ body }: Answer) =>
    (body['choices'] as { message: { tool_calls: { id: string }[] } }[])[0]?.message.tool_calls.map(({ id }) => id) ?? [];
  const here = { 'x-session-id': one.headers.get('x-session-id') ?? '' };
  const result = (id = '') => ({ role: 'tool', tool_call_id: id, content: '4' });
  const [first, second] = idsOf(one);
  expect(await chat({ messages: [result(idsOf(other)[0])], tools }, here)).toMatchObject({ status: 400 });
  expect(await chat({ messages: [result(first), result(idsOf(other)[1])], tools }, here)).toMatchObject({ status: 400 });
  // One of two results, and twice: the model is told that the other one is missing.
  expect(await chat({ messages: [result(first), result(first)], tools }, here)).toMatchObject({ status: 200 });
  const sent = bench.model.requests('price here').at(-1)?.body.messages ?? [];
  expect(sent.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual([first, second]);
});

it('hands a question to a clarify function whose schema is no schema', async () => {
  for (const properties of ['question', 7, null, ['question'], { question: null }]) {
    const { status, body } = await chat({ messages: [user('which one')], tools: [toolOf('clarify', { type: 'object', properties })] });
    expect(status).toBe(200);
    const [choice] = body['choices'] as { message: { tool_calls?: { function: { arguments: string } }[] } }[];
    expect(JSON.parse(choice?.message.tool_calls?.[0]?.function.arguments ?? '{}')).toMatchObject({ question: 'Which one?' });
  }
});
