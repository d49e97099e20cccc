/** The official clients of OpenAI, today's and the one before, use the gateway as they use OpenAI. */
import OpenAI7 from 'openai';
import OpenAI6 from 'openai-v6';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { HistoryMessage, PageBody } from '../support/rest_client';

let bench: AgentBench;

const CLIENTS = { 'openai 7': OpenAI7, 'openai 6': OpenAI6 as unknown as typeof OpenAI7 };
type ClientName = keyof typeof CLIENTS;
const NAMES = Object.keys(CLIENTS) as ClientName[];

const clientOf = (name: ClientName, options: Record<string, unknown> = {}) =>
  new CLIENTS[name]({ baseURL: `${bench.gateway.url}/v1`, apiKey: 'none', ...options });

const PRICE = {
  type: 'function' as const,
  function: {
    name: 'get_price',
    description: 'Returns the price of an article',
    parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  },
};

const asks = (content: string) => ({ model: 'default', messages: [{ role: 'user' as const, content }] });

/** Messages of the model request without its prompt. */
const seen = (match: string) =>
  bench.model
    .requests(match)
    .at(-1)
    ?.body.messages.slice(1)
    .map(({ role, content }) => ({ role, content }));

beforeAll(async () => {
  bench = await startBench({ files: { 'a.txt': 'alpha' } });
  const { model } = bench;
  model.onTurn('plain', { text: 'plain answer', usage: { inputTokens: 11, outputTokens: 7 } });
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
  model.onTurn('cut', { text: 'half an ans', finishReason: 'length' });
  model.onTurn('filtered', { text: 'I', finishReason: 'content_filter' });
});

afterAll(() => bench.stop());

describe.each(NAMES)('%s', name => {
  it('creates a completion with usage, whose session is kept apart from the chats', async () => {
    const { data, response } = await clientOf(name)
      .chat.completions.create(asks(`plain ${name}`))
      .withResponse();
    expect(data).toMatchObject({
      object: 'chat.completion',
      model: 'default',
      choices: [{ index: 0, message: { role: 'assistant', content: 'plain answer' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 0 } },
    });
    const runId = data.id.replace('chatcmpl-', '');
    const sessionId = response.headers.get('x-session-id') ?? '';
    expect((await bench.rest.request<{ sessionId: string; door: string }>('GET', `/runs/${runId}`)).body).toMatchObject({
      sessionId,
      door: 'openai',
    });
    const ids = async (query: string) =>
      (await bench.rest.request<PageBody<{ id: string }>>('GET', `/sessions${query}`)).body.data.map(({ id }) => id);
    expect(await ids('')).not.toContain(sessionId);
    expect(await ids('?origin=openai')).toContain(sessionId);
  });

  it('streams a completion: the role first, the usage last', async () => {
    const stream = await clientOf(name).chat.completions.create({
      ...asks(`plain ${name}`),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('plain answer');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('runs the tools of the agent inside: the text before them is content, their progress is not', async () => {
    const stream = clientOf(name).chat.completions.stream(asks(`inside ${name}`));
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      message: { content: 'Let me look.\n\nIt says alpha.' },
      finish_reason: 'stop',
    });
    expect(completion.choices[0]?.message.tool_calls ?? []).toEqual([]);
  });

  it('gives the whole history and the instructions of the caller to the agent', async () => {
    const messages = [
      { role: 'system' as const, content: 'Speak like a gardener.' },
      { role: 'user' as const, content: 'My name is Ada.' },
      { role: 'assistant' as const, content: 'Hello Ada.' },
      { role: 'developer' as const, content: 'Be brief.' },
      { role: 'user' as const, content: `plain history ${name}` },
    ];
    await clientOf(name).chat.completions.create({ model: 'default', messages });
    expect(seen(`plain history ${name}`)).toEqual([
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: `plain history ${name}` },
    ]);
    const prompt = bench.model.requests(`plain history ${name}`).at(-1)?.body.messages[0]?.content ?? '';
    expect(prompt.endsWith('Speak like a gardener.\n\nBe brief.')).toBe(true);
  });

  it('runs the tools of the caller with runTools', async () => {
    const articles: string[] = [];
    const runner = clientOf(name).chat.completions.runTools({
      ...asks(`price of tea ${name}`),
      tools: [
        {
          type: 'function',
          function: {
            ...PRICE.function,
            parse: JSON.parse,
            function: ({ article }: { article: string }) => {
              articles.push(article);
              return '4 crowns';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('It costs 4 crowns.');
    expect(articles).toEqual(['tea']);
    const sessions = await bench.rest.request<PageBody<{ id: string; title: string }>>('GET', '/sessions?origin=openai&limit=100');
    const own = sessions.body.data.filter(({ title }) => title.includes(`price of tea ${name}`));
    // The results continue the session of the calls.
    expect(own).toHaveLength(1);
    const history = await bench.rest.history(own[0]?.id ?? '');
    expect(history.map(({ role }: HistoryMessage) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('hands parallel calls back after its own of the same answer have run, and takes their results in any order', async () => {
    const client = clientOf(name);
    const request = { ...asks(`both prices ${name}`), tools: [PRICE] };
    const first = await client.chat.completions.create(request);
    const { message, finish_reason } = first.choices[0] ?? {};
    expect(finish_reason).toBe('tool_calls');
    const calls = (message?.tool_calls ?? []).flatMap(call => (call.type === 'function' ? [call] : []));
    expect(calls.map(call => [call.function.name, JSON.parse(call.function.arguments)])).toEqual([
      ['get_price', { article: 'tea' }],
      ['get_price', { article: 'salt' }],
    ]);
    const results = calls.map(call => ({ role: 'tool' as const, tool_call_id: call.id, content: `price ${call.function.arguments}` }));
    if (!message) throw new Error('no message');
    const second = await client.chat.completions.create({ ...request, messages: [...request.messages, message, ...results.reverse()] });
    expect(second.choices[0]?.message.content).toMatch(/^Results: price \{"article":"tea"\} \| .*alpha.* \| price \{"article":"salt"\}$/s);
  });

  it('streams calls as deltas', async () => {
    const stream = clientOf(name).chat.completions.stream({ ...asks(`both prices streamed ${name}`), tools: [PRICE] });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    expect(completion.choices[0]?.message.tool_calls).toHaveLength(2);
  });

  it.each([
    ['cut', 'length'],
    ['filtered', 'content_filter'],
  ])('says that an answer was %s with finish_reason %s', async (words, reason) => {
    const { choices } = await clientOf(name).chat.completions.create(asks(`${words} ${name}`));
    expect(choices[0]?.finish_reason).toBe(reason);
  });

  it('lists the agents as models', async () => {
    const client = clientOf(name);
    const ids = [];
    for await (const model of await client.models.list()) ids.push(model.id);
    expect(ids).toContain('default');
    expect(await client.models.retrieve('default')).toMatchObject({ id: 'default', object: 'model' });
    await expect(client.models.retrieve('nobody')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
