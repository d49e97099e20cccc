/** The official client of Anthropic uses the gateway as it uses Anthropic. */
import Anthropic from '@anthropic-ai/sdk';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { HistoryMessage, PageBody } from '../support/rest_client';

let bench: AgentBench;

const clientOf = () => new Anthropic({ baseURL: bench.gateway.url, apiKey: 'none' });

const PRICE: Anthropic.Tool = {
  name: 'get_price',
  description: 'Returns the price of an article',
  input_schema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
};

const asks = (content: Anthropic.MessageParam['content']) => ({
  model: 'default',
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content }],
});

const textOf = ({ content }: Pick<Anthropic.Message, 'content'>) => content.flatMap(block => (block.type === 'text' ? [block.text] : []));

const lastRequest = (match: string) => bench.model.requests(match).at(-1)?.body;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = (data = PIXEL): Anthropic.ImageBlockParam => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });

beforeAll(async () => {
  bench = await startBench({ files: { 'a.txt': 'alpha' } });
  const { model } = bench;
  model.onTurn('plain', { text: 'plain answer', usage: { inputTokens: 11, outputTokens: 7 } });
  model.onTurn('thinks', { reasoning: 'Tea is a leaf.', text: 'It is a leaf.' });
  model.onTurn('inside', { text: 'Let me look.', toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, ({ toolResults }) =>
    toolResults.join().includes('alpha') ? 'It says alpha.' : 'nothing found',
  );
  const price = (article: string) => ({ name: 'get_price', arguments: { article } });
  model.onTurn('price of tea', { text: 'I ask.', toolCalls: [price('tea')] }, ({ toolResults }) => `It costs ${toolResults.at(-1)}.`);
  model.onTurn(
    'both prices',
    { toolCalls: [price('tea'), { name: 'read_file', arguments: { path: 'a.txt' } }, price('salt')] },
    ({ toolResults }) => `Results: ${toolResults.map(text => text.slice(0, 90)).join(' | ')}`,
  );
  model.onTurn('broken arguments', { toolCalls: [{ name: 'get_price', arguments: '{"article": ' }] });
  model.onTurn('cut', { text: 'half an ans', finishReason: 'length' });
  model.onTurn('filtered', { text: 'I', finishReason: 'content_filter' });
  model.onTurn('which one', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which file?', choices: ['a.txt', 'b.txt'] } }] });
});

afterAll(() => bench.stop());

it('creates a message with usage, whose session is kept apart from the chats', async () => {
  const { data, response, request_id } = await clientOf().messages.create(asks('plain whole')).withResponse();
  expect(data).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'default',
    content: [{ type: 'text', text: 'plain answer' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  });
  expect(request_id).toBe(response.headers.get('x-request-id'));
  const runId = data.id.replace('msg_', 'run_');
  const sessionId = response.headers.get('x-session-id') ?? '';
  expect((await bench.rest.request('GET', `/runs/${runId}`)).body).toMatchObject({ sessionId, door: 'anthropic' });
  const ids = async (query: string) =>
    (await bench.rest.request<PageBody<{ id: string }>>('GET', `/sessions${query}`)).body.data.map(({ id }) => id);
  expect(await ids('')).not.toContain(sessionId);
  expect(await ids('?origin=openai')).toContain(sessionId);
});

it('lists the agents as models, in the form of the client', async () => {
  const models: Anthropic.ModelInfo[] = [];
  for await (const model of clientOf().models.list({ limit: 1 })) models.push(model);
  expect(models.map(({ id }) => id)).toContain('default');
  for (const model of models) expect(model).toMatchObject({ type: 'model', display_name: expect.stringMatching(/./) });
  const found = await clientOf().models.retrieve('default');
  expect(found).toMatchObject({ id: 'default', type: 'model', display_name: 'default' });
  expect(Number.isNaN(Date.parse(found.created_at))).toBe(false);
});

it('streams exactly the events of the Messages API', async () => {
  const response = await fetch(`${bench.gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ ...asks('inside, raw'), stream: true }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events = [...(await response.text()).matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name, data = '']) => {
    const parsed = JSON.parse(data);
    expect(parsed.type).toBe(name);
    return parsed;
  });
  // A slow machine sends a ping every 15 seconds.
  const names = events
    .map(({ type }) => type)
    .filter((type, i) => type !== 'ping' || i === 1)
    .filter((type, i, all) => type !== 'content_block_delta' || all[i - 1] !== type);
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
  expect(names).toEqual(['message_start', 'ping', ...block, ...block, 'message_delta', 'message_stop']);
  expect(events[0].message).toMatchObject({ role: 'assistant', content: [], stop_reason: null, usage: { output_tokens: 0 } });
  expect(events.filter(({ type }) => type === 'content_block_start')).toMatchObject([
    { index: 0, content_block: { type: 'text', text: '' } },
    { index: 1, content_block: { type: 'text', text: '' } },
  ]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null } });
});

it('gives the stream helper the message that the whole answer has', async () => {
  const stream = clientOf().messages.stream(asks('inside, streamed'));
  const pieces: string[] = [];
  stream.on('text', piece => pieces.push(piece));
  const message = await stream.finalMessage();
  expect(textOf(message)).toEqual(['Let me look.', 'It says alpha.']);
  expect(pieces.join('')).toBe('Let me look.It says alpha.');
  const whole = await clientOf().messages.create(asks('inside, whole'));
  expect(message).toMatchObject({ ...whole, id: message.id, usage: { output_tokens: whole.usage.output_tokens } });
});

it('shows thoughts as blocks without a signature, to callers that ask for them', async () => {
  const thinking = { type: 'enabled' as const, budget_tokens: 4_096 };
  const streamed = await clientOf()
    .messages.stream({ ...asks('thinks, streamed'), max_tokens: 8_000, thinking })
    .finalMessage();
  const blocks = [
    { type: 'thinking', thinking: 'Tea is a leaf.', signature: '' },
    { type: 'text', text: 'It is a leaf.' },
  ];
  expect(streamed.content).toMatchObject(blocks);
  expect(lastRequest('thinks, streamed')).toMatchObject({ reasoning_effort: 'low' });
  const adaptive = await clientOf().messages.create({
    ...asks('thinks, whole'),
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
  });
  expect(adaptive.content).toMatchObject(blocks);
  expect(lastRequest('thinks, whole')).toMatchObject({ reasoning_effort: 'medium' });
  for (const hidden of [undefined, { type: 'disabled' as const }, { type: 'adaptive' as const, display: 'omitted' as const }]) {
    const { content } = await clientOf().messages.create({ ...asks('thinks, hidden'), thinking: hidden });
    expect(content.map(({ type }) => type)).toEqual(['text']);
  }
});

it('hands calls of the caller back and continues the session with their results', async () => {
  const client = clientOf();
  const tools = [PRICE];
  const first = await client.messages.stream({ ...asks('price of tea'), tools }).finalMessage();
  expect(first).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'I ask.' },
      { name: 'get_price', input: { article: 'tea' } },
    ],
  });
  const call = first.content.find(block => block.type === 'tool_use');
  if (!call) throw new Error('there is no call');
  const messages: Anthropic.MessageParam[] = [
    ...asks('price of tea').messages,
    { role: 'assistant', content: first.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '4 crowns', cache_control: { type: 'ephemeral' } }] },
  ];
  const { data, response } = await client.messages.create({ ...asks(''), messages, tools }).withResponse();
  expect(textOf(data)).toEqual(['It costs 4 crowns.']);
  const history = await bench.rest.history(response.headers.get('x-session-id') ?? '');
  // The results continue the session of the calls.
  expect(history.map(({ role }: HistoryMessage) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

it('works with the tool runner of the client, for parallel calls beside a tool of the agent', async () => {
  const articles: string[] = [];
  const runner = clientOf().beta.messages.toolRunner({
    ...asks('both prices'),
    tools: [
      {
        ...PRICE,
        type: 'custom',
        parse: input => input as { article: string },
        run: ({ article }: { article: string }) => {
          articles.push(article);
          return `${article}: 4 crowns`;
        },
      },
    ],
  });
  const message = await runner;
  // The runner tries to continue by id first, and then sends the whole conversation.
  expect(articles).toEqual(['tea', 'salt']);
  expect(message.content[0]).toMatchObject({
    text: expect.stringMatching(/^Results: tea: 4 crowns \| .*alpha \| salt: 4 crowns$/s),
  });
});

it('hands broken arguments of a call back as an object', async () => {
  const { content } = await clientOf().messages.create({ ...asks('broken arguments'), tools: [PRICE] });
  expect(content).toMatchObject([{ type: 'tool_use', input: { INVALID_JSON: '{"article": ' } }]);
});

it.each([
  [{ type: 'any' as const }, 'required'],
  [
    { type: 'tool' as const, name: 'get_price' },
    { type: 'function', function: { name: 'get_price' } },
  ],
])('makes the model call a tool of the caller: %j', async (choice, sent) => {
  await clientOf().messages.create({
    ...asks('plain choice'),
    tools: [PRICE],
    tool_choice: { ...choice, disable_parallel_tool_use: true },
  });
  const { tools = [], ...body } = lastRequest('plain choice') ?? {};
  expect(tools.map(tool => tool.function.name)).toEqual(['get_price']);
  expect(body).toMatchObject({ tool_choice: sent, parallel_tool_calls: false });
});

it('offers no tool of the caller with tool_choice none', async () => {
  await clientOf().messages.create({ ...asks('plain none'), tools: [PRICE], tool_choice: { type: 'none' } });
  expect(lastRequest('plain none')?.tools?.map(tool => tool.function.name)).not.toContain('get_price');
});

it('ends with max_tokens or refusal when the answer was cut', async () => {
  expect(await clientOf().messages.create(asks('cut'))).toMatchObject({ stop_reason: 'max_tokens' });
  const refused = await clientOf().messages.stream(asks('filtered')).finalMessage();
  expect(refused).toMatchObject({ stop_reason: 'refusal', stop_details: { type: 'refusal' } });
});

it('returns a question of the agent as text, and takes the next message as its answer', async () => {
  const { data, response } = await clientOf().messages.create(asks('which one')).withResponse();
  expect(textOf(data).join()).toContain('Which file?');
  expect(data.stop_reason).toBe('end_turn');
  bench.model.onTurn('a.txt it is', 'Thanks.');
  const headers = { 'x-session-id': response.headers.get('x-session-id') ?? '' };
  expect(textOf(await clientOf().messages.create(asks('a.txt it is'), { headers }))).toEqual(['Thanks.']);
});

it('gives the whole conversation to the agent: instructions, history, images, results with errors', async () => {
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: 'My name is Ada.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'A name.', signature: 'signed-by-another-server' },
        { type: 'redacted_thinking', data: 'secret' },
        { type: 'text', text: 'Hello Ada.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sky' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'too dark' }, image()] },
        { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'It is night.' } },
        { type: 'text', text: 'plain history', cache_control: { type: 'ephemeral' } },
      ],
    },
  ];
  const { data } = await clientOf()
    .messages.create({
      ...asks(''),
      system: [
        { type: 'text', text: 'Speak like a gardener.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be brief.' },
      ],
      messages,
    })
    .withResponse();
  expect(textOf(data)).toEqual(['plain answer']);
  const [prompt, ...sent] = lastRequest('plain history')?.messages ?? [];
  expect(prompt?.content?.endsWith('Speak like a gardener.\n\nBe brief.')).toBe(true);
  expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(sent[1]).toMatchObject({
    content: 'Hello Ada.',
    tool_calls: [{ id: 'toolu_1', function: { name: 'look', arguments: '{"at":"sky"}' } }],
  });
  expect(sent[2]).toMatchObject({ content: 'Error: too dark\n[image: see the next message]' });
  expect(JSON.stringify(sent[3])).toContain('Notes\\nIt is night.\\nplain history');
  expect(JSON.stringify(sent)).not.toMatch(/signed-by-another-server|secret|A name/);
});

it('stores the images of a message', async () => {
  const { response } = await clientOf()
    .messages.create(asks([{ type: 'text', text: 'plain image' }, image()]))
    .withResponse();
  const [message] = await bench.rest.history(response.headers.get('x-session-id') ?? '');
  expect(message).toMatchObject({ content: 'plain image', images: [{ mediaType: 'image/png' }] });
});

it('serves a client in the way of Claude Code: beta fields and headers are tolerated, and the user is kept', async () => {
  const client = clientOf();
  const { data, response } = await client.beta.messages
    .create(
      {
        ...asks('plain code'),
        betas: ['claude-code-20250219', 'context-management-2025-06-27'],
        metadata: { user_id: 'user_1' },
        stop_sequences: ['END'],
        system: [{ type: 'text', text: 'You are a helper.', cache_control: { type: 'ephemeral' } }],
        tools: [{ ...PRICE, description: 'x'.repeat(12_000), cache_control: { type: 'ephemeral' }, eager_input_streaming: true }],
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        service_tier: 'auto',
      },
      { headers: { 'x-app': 'cli' } },
    )
    .withResponse();
  expect(textOf(data as Anthropic.Message)).toEqual(['plain answer']);
  expect(response.headers.get('x-ignored-fields')).toBe('context_management, service_tier');
  expect((await bench.rest.request('GET', `/runs/${data.id.replace('msg_', 'run_')}`)).body).toMatchObject({
    metadata: { user_id: 'user_1' },
  });
  expect(lastRequest('plain code')).toMatchObject({ stop: ['END'] });
  const most = lastRequest('plain code');
  expect(most?.['max_tokens'] ?? most?.['max_completion_tokens']).toBe(1_000);
});

it('asks the model for the schema of output_config', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false };
  await clientOf().messages.create({ ...asks('plain schema'), output_config: { format: { type: 'json_schema', schema } } });
  expect(lastRequest('plain schema')).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema } } });
});

it('counts tokens of what the model would get, and runs nothing', async () => {
  const before = (await bench.rest.request<PageBody<object>>('GET', '/runs?limit=1000')).body.data.length;
  const count = async (more: object = {}, content: Anthropic.MessageParam['content'] = 'plain count') =>
    (await clientOf().messages.countTokens({ model: 'default', messages: [{ role: 'user', content }], ...more })).input_tokens;
  const least = await count();
  expect(least).toBeGreaterThan(100);
  const words = 'tea and salt '.repeat(300);
  const longer = [await count({ system: words }), await count({}, words), await count({ tools: [{ ...PRICE, description: words }] })];
  for (const tokens of longer) expect(tokens).toBeGreaterThan(least + 200);
  expect(await count({}, [{ type: 'text', text: 'plain count' }, image()])).toBeGreaterThan(least);
  expect((await bench.rest.request<PageBody<object>>('GET', '/runs?limit=1000')).body.data).toHaveLength(before);
});
