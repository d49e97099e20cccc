/** Tools, sessions and questions of callers at /v1/chat/completions. */
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { PageBody } from '../support/rest_client';

let bench: AgentBench;
let client: OpenAI;

const tool = (name: string, properties: Record<string, unknown> = { article: { type: 'string' } }) => ({
  type: 'function' as const,
  function: { name, description: `The ${name} of the caller`, parameters: { type: 'object', properties } },
});
const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const price = { toolCalls: [{ name: 'get_price', arguments: { article: 'tea' } }] };

beforeAll(async () => {
  bench = await startBench({ env: { NETA_MODEL: 'mock' }, files: { 'a.txt': 'alpha' } });
  client = new OpenAI({ baseURL: `${bench.gateway.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const { model } = bench;
  const costs = ({ toolResults }: { toolResults: string[] }) => `It costs ${toolResults.at(-1)}.`;
  model.onTurn('price', price, costs);
  model.onTurn('reads', { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, price, costs);
  model.onTurn('asks', {
    text: 'One thing first.',
    toolCalls: [
      { name: 'clarify', arguments: { question: 'Green or black?', choices: ['green', 'black'] } },
      { name: 'get_price', arguments: { article: 'tea' } },
    ],
  });
  model.onTurn('green', 'Green it is.');
  model.onTurn('plain', 'plain answer');
  model.onTurn('thinks', { text: 'thought through', reasoning: 'secret thoughts' });
});

afterAll(() => bench.stop());

const callOf = (completion: OpenAI.ChatCompletion) => {
  const call = completion.choices[0]?.message.tool_calls?.[0];
  if (call?.type !== 'function') throw new Error('there is no call');
  return call;
};
const answerTo = (completion: OpenAI.ChatCompletion, content: string): ChatCompletionMessageParam[] => {
  const { message } = completion.choices[0] ?? {};
  if (!message) throw new Error('there is no message');
  return [message, { role: 'tool', tool_call_id: callOf(completion).id, content }];
};
const sessionsOf = async (title: string) =>
  (await bench.rest.request<PageBody<{ id: string; title: string }>>('GET', '/sessions?origin=openai&limit=200')).body.data.filter(
    session => session.title === title,
  );
const create = (messages: ChatCompletionMessageParam[], more: object = {}, headers: Record<string, string> = {}) =>
  client.chat.completions.create({ model: 'default', messages, stream: false, ...more }, { headers }).withResponse();

it('continues the session of the calls with their results, so the agent keeps what its own tools found', async () => {
  const messages = [user('reads first')];
  const tools = [tool('get_price')];
  const { data: first } = await create(messages, { tools });
  const next = [...messages, ...answerTo(first, '4 crowns')];
  const { data: second } = await create(next, { tools });
  expect(second.choices[0]?.message.content).toBe('It costs 4 crowns.');
  const asked = bench.model.requests('reads first').at(-1)?.body.messages.slice(1) ?? [];
  expect(asked.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  expect(await sessionsOf('reads first')).toHaveLength(1);
});

it('takes other results for the same calls as another branch, with the messages as they are given', async () => {
  const messages = [user('price twice')];
  const tools = [tool('get_price')];
  const { data: first } = await create(messages, { tools });
  const answers = ['4 crowns', '5 crowns'].map(result => create([...messages, ...answerTo(first, result)], { tools }));
  const contents = (await Promise.all(answers)).map(({ data }) => data.choices[0]?.message.content);
  expect(contents).toEqual(['It costs 4 crowns.', 'It costs 5 crowns.']);
  expect(await sessionsOf('price twice')).toHaveLength(2);
});

it('takes a history that the caller has changed as it is', async () => {
  const tools = [tool('get_price')];
  const { data: first } = await create([user('price told')], { tools });
  await create([user('price retold'), ...answerTo(first, '6 crowns')], { tools });
  expect(bench.model.requests('price retold').at(-1)?.toolResults).toEqual(['6 crowns']);
});

it('takes the same texts with another image as another conversation', async () => {
  const tools = [tool('get_price')];
  const [red = '', blue = ''] = [
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ].map(base64 => `data:image/png;base64,${base64}`);
  const shows = (url: string): ChatCompletionMessageParam => ({
    role: 'user',
    content: [
      { type: 'text', text: 'price of this' },
      { type: 'image_url', image_url: { url } },
    ],
  });
  const { data: first } = await create([shows(red)], { tools });
  await create([shows(blue), ...answerTo(first, '4 crowns')], { tools });
  expect(await sessionsOf('price of this')).toHaveLength(2);
  await create([shows(red), ...answerTo(first, '4 crowns')], { tools });
  expect(await sessionsOf('price of this')).toHaveLength(2);
});

it('continues a session by its header: only the messages after the last answer are new', async () => {
  const { response } = await create([user('plain one')]);
  const headers = { 'x-session-id': response.headers.get('x-session-id') ?? '' };
  await create([user('plain other'), { role: 'assistant', content: 'not what was said' }, user('plain two')], {}, headers);
  expect(bench.model.requests('plain two').at(-1)?.body.messages.slice(1)).toMatchObject([
    { role: 'user', content: 'plain one' },
    { role: 'assistant', content: 'plain answer' },
    { role: 'user', content: 'plain two' },
  ]);
  await expect(create([user('plain')], {}, { 'x-session-id': 'ses_unknown' })).rejects.toMatchObject({ status: 404 });
});

it('continues a session with results alone, once', async () => {
  const tools = [tool('get_price')];
  const { data, response } = await create([user('price in session')], { tools });
  const headers = { 'x-session-id': response.headers.get('x-session-id') ?? '' };
  const [, result] = answerTo(data, '7 crowns');
  if (!result) throw new Error('there is no result');
  expect((await create([result], { tools }, headers)).data.choices[0]?.message.content).toBe('It costs 7 crowns.');
  await expect(create([result], { tools }, headers)).rejects.toMatchObject({ status: 400, param: 'messages' });
});

it('returns a question as a call of a tool named clarify, and takes its result as the answer', async () => {
  const tools = [tool('get_price'), tool('clarify', { prompt: { type: 'string' }, options: { type: 'array' } })];
  const messages = [user('asks about tea')];
  const { data: first } = await create(messages, { tools });
  expect(first.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'One thing first.' } });
  expect(first.choices[0]?.message.tool_calls).toHaveLength(1);
  expect(JSON.parse(callOf(first).function.arguments)).toEqual({ prompt: 'Green or black?', options: ['green', 'black'] });
  const pending = await bench.rest.request<PageBody<{ question: string }>>('GET', '/clarifications?status=pending');
  expect(pending.body.data.map(({ question }) => question)).toContain('Green or black?');
  const next = [...messages, ...answerTo(first, 'green')];
  const { data: second } = await create(next, { tools });
  expect(second.choices[0]?.message.content).toBe('Green it is.');
  // The first answer wins, as at the other doors.
  await expect(create(next, { tools })).rejects.toMatchObject({ status: 409, code: 'clarification_closed' });
});

it('lets a person answer with runTools and a clarify tool', async () => {
  const asked: unknown[] = [];
  const runner = client.chat.completions.runTools({
    model: 'default',
    messages: [user('asks a person')],
    tools: [
      {
        type: 'function',
        function: {
          name: 'clarify',
          description: 'Asks the person',
          parameters: { type: 'object', properties: { question: { type: 'string' }, choices: { type: 'array' } } },
          parse: JSON.parse,
          function: (args: unknown) => {
            asked.push(args);
            return 'green';
          },
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe('Green it is.');
  expect(asked).toEqual([{ question: 'Green or black?', choices: ['green', 'black'] }]);
});

it('returns a question as text to a caller without such a tool', async () => {
  const { data } = await create([user('asks in text')]);
  expect(data.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: expect.stringMatching(/^One thing first\.\n\nGreen or black\?\n\n1\. green/) },
  });
});

it('gives a function of the caller precedence over a tool of the same name, in this request only', async () => {
  bench.model.onTurn('own read', { toolCalls: [{ name: 'read_file', arguments: { path: 'secret' } }] });
  const { data } = await create([user('own read_file')], { tools: [tool('read_file')] });
  expect(callOf(data).function.name).toBe('read_file');
  const offered = bench.model.requests('own read').at(-1)?.body.tools ?? [];
  const descriptions = offered.filter(({ function: { name } }) => name === 'read_file').map(({ function: { description } }) => description);
  expect(descriptions).toEqual(['The read_file of the caller']);
  await create([user('plain without tools')]);
  expect(bench.model.requests('plain without tools').at(-1)?.toolNames).not.toContain('get_price');
  const catalog = await bench.rest.request<PageBody<{ name: string; description: string }>>('GET', '/tools?limit=1000');
  expect(JSON.stringify(catalog.body)).not.toContain('of the caller');
});

it.each([
  ['required', 'required', ['get_price'], 'required'],
  [
    'a function',
    { type: 'function', function: { name: 'get_price' } },
    ['get_price'],
    { type: 'function', function: { name: 'get_price' } },
  ],
])('offers only the functions of the caller when it must call one: %s', async (words, choice, names, sent) => {
  const { data } = await create([user(`price by ${words}`)], {
    tools: [tool('get_price')],
    tool_choice: choice,
    parallel_tool_calls: false,
  });
  expect(data.choices[0]?.finish_reason).toBe('tool_calls');
  const request = bench.model.requests(`price by ${words}`).at(-1);
  expect(request?.toolNames).toEqual(names);
  expect(request?.body).toMatchObject({ tool_choice: sent, parallel_tool_calls: false });
});

it('offers no function of the caller with tool_choice none', async () => {
  await create([user('plain none')], { tools: [tool('get_price')], tool_choice: 'none' });
  const names = bench.model.requests('plain none').at(-1)?.toolNames;
  expect(names).toContain('read_file');
  expect(names).not.toContain('get_price');
});

it('passes the parameters to the model, and keeps user and metadata with the run', async () => {
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } };
  const { data } = await create([user('plain parameters')], {
    temperature: 0.3,
    top_p: 0.9,
    max_completion_tokens: 77,
    stop: 'END',
    seed: 5,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    reasoning_effort: 'low',
    response_format: format,
    user: 'ada',
    metadata: { order: '7' },
  });
  expect(bench.model.requests('plain parameters').at(-1)?.body).toMatchObject({
    temperature: 0.3,
    top_p: 0.9,
    max_tokens: 77,
    stop: ['END'],
    seed: 5,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    reasoning_effort: 'low',
    response_format: format,
  });
  const run = await bench.rest.request<{ metadata: unknown }>('GET', `/runs/${data.id.replace('chatcmpl-', '')}`);
  expect(run.body.metadata).toEqual({ order: '7', user: 'ada' });
});

it('keeps reasoning, tool progress and the plan out of the content, and sends them beside it when asked', async () => {
  const { data } = await create([user('thinks')]);
  expect(JSON.stringify(data)).not.toContain('secret thoughts');
  const chunksOf = async (content: string, headers: Record<string, string>) => {
    const stream = await client.chat.completions.create({ model: 'default', messages: [user(content)], stream: true }, { headers });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk as OpenAI.ChatCompletionChunk & { neta?: { type: string; data: unknown } });
    return chunks;
  };
  expect(JSON.stringify(await chunksOf('thinks streamed', {}))).not.toContain('secret thoughts');
  const withEvents = await chunksOf('reads with events thinks', { 'x-neta-events': 'true' });
  const events = withEvents.flatMap(({ neta }) => (neta ? [neta.type] : []));
  expect(events).toEqual(expect.arrayContaining(['run_start', 'tool_call_start', 'tool_call_end']));
  expect(withEvents.every(({ choices, neta }) => !neta || choices[0]?.delta.content === undefined)).toBe(true);
  const thoughts = (await chunksOf('thinks with events', { 'x-neta-events': 'true' })).flatMap(({ neta }) =>
    neta?.type === 'reasoning_delta' ? [neta.data] : [],
  );
  expect(thoughts).toEqual([{ text: 'secret thoughts' }]);
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

it('takes images of data URLs, and refuses what is no image with its pointer', async () => {
  const image = (url: string) => [
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'plain image' },
        { type: 'image_url' as const, image_url: { url } },
      ],
    },
  ];
  const { response } = await create(image(`data:image/png;base64,${PIXEL}`));
  const [message] = await bench.rest.history(response.headers.get('x-session-id') ?? '');
  expect(message).toMatchObject({ content: 'plain image', images: [{ mediaType: 'image/png' }] });
  const param = '/messages/0/content/1/image_url/url';
  await expect(create(image('data:image/png;base64,aGVsbG8='))).rejects.toMatchObject({ status: 400, param });
  await expect(create(image('http://127.0.0.1:1/x.png'))).rejects.toMatchObject({ status: 400, param });
});
