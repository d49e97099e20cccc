/** Other clients that speak OpenAI's protocol: Vercel's AI SDK, LangChain, and Open WebUI with its extra fields. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentBench, startBench } from '../support/agent_bench';

const KEY = 'secret-of-the-peers';

let bench: AgentBench;

const schema = { type: 'object' as const, properties: { article: { type: 'string' as const } }, required: ['article'] };

beforeAll(async () => {
  bench = await startBench({ env: { NETA_API_KEYS: `peers:${KEY}` } });
  const { model } = bench;
  model.onTurn('plain', { text: 'plain answer', usage: { inputTokens: 11, outputTokens: 7 } });
  model.onTurn(
    'price',
    { toolCalls: [{ name: 'get_price', arguments: { article: 'tea' } }] },
    ({ toolResults }) => `It costs ${toolResults.at(-1)}.`,
  );
});

afterAll(() => bench.stop());

it("answers Vercel's AI SDK: text, stream with usage, and steps with its own tools", async () => {
  const script = join(__dirname, '../support/ai_sdk_client.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, `${bench.gateway.url}/v1`, KEY]);
  expect(JSON.parse(stdout)).toEqual({
    text: 'plain answer',
    inputTokens: 11,
    streamed: 'plain answer',
    streamedTokens: 7,
    bought: 'It costs 4 crowns for tea.',
    steps: 2,
  });
});

describe('LangChain', () => {
  const agent = () =>
    new ChatOpenAI({
      model: 'default',
      apiKey: KEY,
      configuration: { baseURL: `${bench.gateway.url}/v1` },
    });

  it('invokes and streams', async () => {
    const answer = await agent().invoke('plain chain');
    expect(answer.content).toBe('plain answer');
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    let streamed = '';
    for await (const chunk of await agent().stream('plain chain stream')) streamed += chunk.text;
    expect(streamed).toBe('plain answer');
  });

  it('gets the calls of bound tools and sends their results', async () => {
    const bound = agent().bindTools([
      { type: 'function', function: { name: 'get_price', description: 'Returns a price', parameters: schema } },
    ]);
    const question = new HumanMessage('price chain');
    const first = await bound.invoke([question]);
    expect(first.tool_calls).toMatchObject([{ name: 'get_price', args: { article: 'tea' } }]);
    const result = { role: 'tool' as const, content: '5 crowns', tool_call_id: first.tool_calls?.[0]?.id ?? '' };
    expect((await bound.invoke([question, first, result])).content).toBe('It costs 5 crowns.');
  });
});

describe('Open WebUI', () => {
  it('may send its own fields, and is told of a misspelled one', async () => {
    const body = {
      model: 'default',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'plain webui' }] }],
      chat_id: 'c1',
      session_id: 's1',
      id: 'm1',
      background_tasks: { title_generation: true },
      features: { web_search: false },
      tool_servers: [],
      variables: { '{{USER_NAME}}': 'Ada' },
      params: {},
      model_item: { id: 'default' },
      top_k: 40,
      stop: null,
      user: 'ada',
    };
    const send = (more: object = {}) =>
      fetch(`${bench.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ ...body, ...more }),
      });
    const text = await (await send()).text();
    const data = text.split('\n\n').flatMap(block => (block.startsWith('data: ') ? [block.slice(6)] : []));
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map(line => JSON.parse(line));
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('plain answer');
    const { status, headers } = await send({ temprature: 1 });
    expect([status, headers.get('x-ignored-fields')?.split(', ')]).toEqual([200, expect.arrayContaining(['chat_id', 'temprature'])]);
  });
});
