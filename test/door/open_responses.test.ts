/**
 * The compliance cases of Open Responses (https://www.openresponses.org/compliance), under their names. No npm package has them, so they are written
 * anew here: the official client sends the requests, and the fields that a response needs are those of the specification.
 */
import OpenAI from 'openai';
import type { Response, ResponseCreateParams, ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let model: MockModel;
let gateway: Gateway;
let client: OpenAI;

beforeAll(async () => {
  model = await startMockModel();
  model.onTurn('greet in three words', 'Hello to you.');
  model.onTurn('count to five', { text: 'one two three four five', chunkSize: 5 });
  model.onTurn('say hello', ({ body }) => (JSON.stringify(body.messages).includes('like a pirate') ? 'Ahoy!' : 'Hello.'));
  model.onTurn('weather in Paris', { toolCalls: [{ name: 'get_weather', arguments: { location: 'Paris' } }] });
  model.onTurn('what is in the picture', ({ body }) => (JSON.stringify(body.messages).includes(PIXEL) ? 'One pixel.' : 'No picture.'));
  model.onTurn('what is my name', ({ body }) => (JSON.stringify(body.messages).includes('My name is Ada.') ? 'Ada.' : 'Unknown.'));
  gateway = await startGateway({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', NETA_MODEL: 'mock', NETA_MODEL_IMAGES: '1' },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 });
});

afterAll(async () => {
  await gateway.stop();
  await model.stop();
});

const NUMBER = expect.any(Number);
const BOOLEAN = expect.any(Boolean);
const TEXT = expect.any(String);

/** The fields that the specification requires of each response, with their types. */
const REQUIRED = {
  id: TEXT,
  object: 'response',
  created_at: NUMBER,
  completed_at: NUMBER,
  status: 'completed',
  incomplete_details: null,
  model: TEXT,
  previous_response_id: null,
  instructions: null,
  output: expect.any(Array),
  error: null,
  tools: expect.any(Array),
  tool_choice: TEXT,
  truncation: expect.stringMatching(/^(auto|disabled)$/),
  parallel_tool_calls: BOOLEAN,
  text: { format: { type: 'text' } },
  top_p: NUMBER,
  presence_penalty: NUMBER,
  frequency_penalty: NUMBER,
  top_logprobs: NUMBER,
  temperature: NUMBER,
  reasoning: { effort: null, summary: null },
  user: null,
  usage: {
    input_tokens: NUMBER,
    output_tokens: NUMBER,
    total_tokens: NUMBER,
    input_tokens_details: { cached_tokens: NUMBER },
    output_tokens_details: { reasoning_tokens: NUMBER },
  },
  max_output_tokens: null,
  max_tool_calls: null,
  store: BOOLEAN,
  background: BOOLEAN,
  service_tier: TEXT,
  metadata: {},
  safety_identifier: null,
  prompt_cache_key: null,
};

type Asked = Omit<ResponseCreateParams, 'stream' | 'model'>;

/** Resolves with the response, which has all required fields, also when it is read again. */
async function respond(asked: Asked): Promise<Response> {
  const response = await client.responses.create({ model: 'default', ...asked, stream: false });
  expect(response).toMatchObject(REQUIRED);
  expect(await client.responses.retrieve(response.id)).toMatchObject(REQUIRED);
  return response;
}

async function stream(asked: Asked): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model: 'default', ...asked, stream: true })) events.push(event);
  expect(events.map(event => event.sequence_number)).toEqual(events.map((_, i) => i));
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: REQUIRED });
  return events;
}

/** The types of events in their order; equal neighbours count once. */
const typesOf = (events: readonly ResponseStreamEvent[]) => events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);

const message = (role: 'user' | 'system' | 'assistant', content: string) => ({ type: 'message' as const, role, content });

const WEATHER = {
  input: [message('user', 'weather in Paris')] as ResponseInput,
  tools: [
    {
      type: 'function' as const,
      name: 'get_weather',
      description: 'Weather of a place',
      parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
      strict: null,
    },
  ],
};

test('basic-response', async () => {
  expect((await respond({ input: [message('user', 'greet in three words')] })).output_text).toBe('Hello to you.');
});

test('streaming-response', async () => {
  const events = await stream({ input: [message('user', 'count to five')] });
  expect(typesOf(events)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  const text = events.flatMap(event => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');
  expect(text).toBe('one two three four five');
});

test('system-prompt', async () => {
  const input = [message('system', 'Speak like a pirate.'), message('user', 'say hello')];
  expect((await respond({ input })).output_text).toBe('Ahoy!');
});

test('tool-calling', async () => {
  const { output } = await respond(WEATHER);
  expect(output).toMatchObject([{ type: 'function_call', name: 'get_weather', arguments: '{"location":"Paris"}', status: 'completed' }]);
});

test('tool-calling-streaming', async () => {
  const events = await stream(WEATHER);
  expect(typesOf(events)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.filter(({ type }) => type.startsWith('response.output_item'))).toMatchObject([
    { item: { type: 'function_call', name: 'get_weather' } },
    { item: { type: 'function_call', arguments: '{"location":"Paris"}' } },
  ]);
});

test('image-input', async () => {
  const content = [
    { type: 'input_text' as const, text: 'what is in the picture' },
    { type: 'input_image' as const, image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' as const },
  ];
  expect((await respond({ input: [{ type: 'message', role: 'user', content }] })).output_text).toBe('One pixel.');
});

test('images of an output reach the model behind the outputs of all calls', async () => {
  const call = (call_id: string) => ({ type: 'function_call' as const, call_id, name: 'take_picture', arguments: '{}' });
  const picture = { type: 'input_image' as const, image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' as const };
  model.onTurn(
    ({ body }) => JSON.stringify(body.messages).includes('picture of the bed'),
    ({ body }) => body.messages.map(({ role, content }) => (JSON.stringify(content).includes(PIXEL) ? `${role}+image` : role)).join(' '),
  );
  const input: ResponseInput = [
    call('c1'),
    call('c2'),
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'picture of the bed' }, picture] },
    { type: 'function_call_output', call_id: 'c2', output: 'no camera' },
  ];
  const response = await respond({ input });
  expect(response.output_text).toBe('system assistant tool tool user+image');
  const items = (await client.responses.inputItems.list(response.id, { order: 'asc' })).data;
  expect(items[2]).toMatchObject({ output: 'picture of the bed\n[image: see the next message]' });
  const large = { ...picture, image_url: `data:image/png;base64,${'A'.repeat(1_200_000)}` };
  const asked = { input: [call('c1'), { type: 'function_call_output' as const, call_id: 'c1', output: [large] }] };
  await expect(respond(asked)).rejects.toMatchObject({ status: 400, param: '/input/1/output/0/image_url' });
});

test('multi-turn', async () => {
  const input = [message('user', 'My name is Ada.'), message('assistant', 'Hello, Ada.'), message('user', 'what is my name')];
  expect((await respond({ input })).output_text).toBe('Ada.');
});
