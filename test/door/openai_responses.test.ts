import OpenAI7 from 'openai';
import type { Response, ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import OpenAI6 from 'openai-v6';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';

let model: MockModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startMockModel();
  gateway = await startGateway({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'key',
      NETA_MODEL: 'mock',
      NETA_API_KEYS: `ada:${KEY}:acme:chat,ben:${RIVAL_KEY}:globex:chat`,
    },
    files: { 'notes.txt': 'beans\n' },
  });
});

afterAll(async () => {
  await gateway.stop();
  await model.stop();
});

// The classes of both clients have the same shape.
const CLIENTS = { 'openai 7': OpenAI7, 'openai 6': OpenAI6 as unknown as typeof OpenAI7 };

const KEY = 'key-of-ada-0123456789';
const RIVAL_KEY = 'key-of-ben-0123456789';

const WEATHER = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
};

async function collect(stream: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const textOf = (events: readonly ResponseStreamEvent[]): string =>
  events.flatMap(event => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');

const assertNumbered = (events: readonly ResponseStreamEvent[], first = 0): void =>
  expect(events.map(event => event.sequence_number)).toStrictEqual(events.map((_, i) => first + i));

/** Resolves with the response once it has ended. */
async function untilEnded(client: OpenAI7, id: string): Promise<Response> {
  await collect(await client.responses.retrieve(id, { stream: true }));
  return client.responses.retrieve(id);
}

describe.each(Object.entries(CLIENTS))('%s', (name, OpenAI) => {
  let client: OpenAI7;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
  });

  test('creates a response, and gives it back with its input items', async () => {
    model.onTurn('what grows here?', 'Beans grow here.');
    const created = await client.responses.create({
      model: 'default',
      input: 'what grows here?',
      instructions: 'Answer in one sentence.',
      metadata: { order: '7' },
      temperature: 0.5,
      max_output_tokens: 500,
    });
    expect(created).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'default',
      output_text: 'Beans grow here.',
      metadata: { order: '7' },
      temperature: 0.5,
      instructions: 'Answer in one sentence.',
    });
    expect(created.id).toMatch(/^resp_run_/);
    expect(created.usage?.total_tokens).toBeGreaterThan(0);
    expect(await client.responses.retrieve(created.id)).toStrictEqual(created);
    const items = await client.responses.inputItems.list(created.id);
    expect(items.data).toMatchObject([{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'what grows here?' }] }]);
    const [request] = model.requests('what grows here?');
    expect(JSON.stringify(request?.body.messages[0])).toContain('Answer in one sentence.');
    expect(request?.body).toMatchObject({ temperature: 0.5, max_tokens: 500 });
  });

  test('streams a response that the own stream helper of the client accumulates, with the tools of the agent inside', async () => {
    model.onTurn('list my files', { text: 'I look. ', toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'There is notes.txt.');
    const helper = client.responses.stream({ model: 'default', input: 'list my files' });
    const events = await collect(helper);
    assertNumbered(events);
    expect(events.map(event => event.type)).toContain('response.content_part.done');
    expect(textOf(events)).toBe('I look. There is notes.txt.');
    expect(JSON.stringify(events)).not.toContain('list_dir');
    const final = await helper.finalResponse();
    expect(final.status).toBe('completed');
    expect((await client.responses.retrieve(final.id)).output).toStrictEqual((events.at(-1) as { response: Response }).response.output);
  });

  test('shows reasoning as a summary only when the request asks for one', async () => {
    model.onTurn('think about peas', { reasoning: 'peas are round', text: 'Peas are round.' });
    const input = 'think about peas';
    const without = await client.responses.create({ model: 'default', input });
    expect(without.output.map(item => item.type)).toStrictEqual(['message']);
    const events = await collect(
      await client.responses.create({ model: 'default', input, stream: true, reasoning: { effort: 'low', summary: 'auto' } }),
    );
    assertNumbered(events);
    const { response } = events.at(-1) as { response: Response };
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'peas are round' }] },
      { type: 'message', content: [{ text: 'Peas are round.' }] },
    ]);
    expect((await client.responses.retrieve(response.id)).output).toStrictEqual(response.output);
    expect(model.requests(input).at(-1)?.body.reasoning_effort).toBe('low');
  });

  test('a background response answers at once', async () => {
    model.onTurn(`wait for ${name}`, { text: 'done', pauseAfter: 0 });
    const started = await client.responses.create({ model: 'default', input: `wait for ${name}`, background: true });
    expect(['queued', 'in_progress']).toContain(started.status);
    await model.waitFor(`wait for ${name}`);
    expect((await client.responses.retrieve(started.id)).status).toBe('in_progress');
    model.resume();
    expect(await untilEnded(client, started.id)).toMatchObject({ status: 'completed', output_text: 'done' });
  });

  test('cancels a response', async () => {
    model.onTurn(`never ends for ${name}`, { text: 'x', pauseAfter: 0 });
    const started = await client.responses.create({ model: 'default', input: `never ends for ${name}`, background: true });
    await model.waitFor(`never ends for ${name}`);
    expect((await client.responses.cancel(started.id)).status).toBe('cancelled');
    expect((await client.responses.retrieve(started.id)).status).toBe('cancelled');
  });

  test('continues from any earlier response: the newest in its session, an older one in a fork', async () => {
    model.onTurn('my name is Ada', 'Hello Ada.');
    model.onTurn(
      'what is my name?',
      request => `You said: ${request.body.messages.filter(({ role }) => role === 'user').length} messages.`,
    );
    const first = await client.responses.create({ model: 'default', input: 'my name is Ada' });
    const ask = (previous: string) =>
      client.responses.create({ model: 'default', input: 'what is my name?', previous_response_id: previous });
    const second = await ask(first.id);
    expect(second).toMatchObject({ output_text: 'You said: 2 messages.', previous_response_id: first.id });
    const third = await ask(second.id);
    expect(third.output_text).toBe('You said: 3 messages.');
    const other = await ask(first.id);
    expect(other.output_text).toBe('You said: 2 messages.');
    expect((await ask(other.id)).output_text).toBe('You said: 3 messages.');
  });

  test('hands calls of the caller back, and continues with their outputs', async () => {
    model.onTurn(
      'weather in Lima?',
      { text: 'I ask. ', toolCalls: [{ name: 'get_weather', arguments: { city: 'Lima' } }] },
      request => `It is ${request.toolResults.join()}.`,
    );
    const events = await collect(
      await client.responses.create({ model: 'default', input: 'weather in Lima?', tools: [WEATHER], stream: true }),
    );
    assertNumbered(events);
    expect(events.map(event => event.type)).toEqual(
      expect.arrayContaining(['response.function_call_arguments.delta', 'response.function_call_arguments.done']),
    );
    const { response } = events.at(-1) as { response: Response };
    const call = response.output.find(item => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'get_weather', arguments: '{"city":"Lima"}', status: 'completed' });
    const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'sunny' };
    const answered = await client.responses.create({
      model: 'default',
      input: [output],
      tools: [WEATHER],
      previous_response_id: response.id,
    });
    expect(answered.output_text).toBe('It is sunny.');
    const whole = await client.responses.create({
      model: 'default',
      tools: [WEATHER],
      input: [{ role: 'user', content: 'weather in Lima?' }, ...(response.output as ResponseInputItem[]), output],
    });
    expect(whole.output_text).toBe('It is sunny.');
  });

  test('a question is text, and a call for a caller that declares clarify', async () => {
    const question = { toolCalls: [{ name: 'clarify', arguments: { question: 'Which bed?', choices: ['left', 'right'] } }] };
    model.onTurn('plant the beans', question);
    model.onTurn('left', 'Planted on the left.');
    const asText = await client.responses.create({ model: 'default', input: 'plant the beans' });
    expect(asText.output_text).toContain('Which bed?');
    const clarify = {
      type: 'function' as const,
      name: 'clarify',
      strict: false,
      parameters: { type: 'object', properties: { question: { type: 'string' }, choices: { type: 'array', items: { type: 'string' } } } },
    };
    const asCall = await client.responses.create({ model: 'default', input: 'plant the beans', tools: [clarify] });
    expect(asCall.output).toMatchObject([{ type: 'function_call', name: 'clarify' }]);
    expect(asCall.output_text).toBe('');
    const [call] = asCall.output;
    if (call?.type !== 'function_call') throw new Error('no call');
    expect(JSON.parse(call.arguments)).toStrictEqual({ question: 'Which bed?', choices: ['left', 'right'] });
    const answered = await client.responses.create({
      model: 'default',
      previous_response_id: asCall.id,
      tools: [clarify],
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'left' }],
    });
    expect(answered.output_text).toBe('Planted on the left.');
  });

  test('lists input items in pages', async () => {
    model.onTurn('third', 'ok');
    const created = await client.responses.create({
      model: 'default',
      input: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'second' },
        { role: 'user', content: [{ type: 'input_text', text: 'third' }] },
      ],
    });
    const texts: string[] = [];
    for await (const item of client.responses.inputItems.list(created.id, { limit: 1, order: 'asc' })) {
      if (item.type === 'message') texts.push(...item.content.map(part => ('text' in part ? part.text : '')));
    }
    expect(texts).toStrictEqual(['first', 'second', 'third']);
    const newest = await client.responses.inputItems.list(created.id, { limit: 2 });
    expect(newest.data).toHaveLength(2);
    expect(newest.has_more).toBe(true);
  });

  test('sends images of a message to the model, also when the conversation goes on', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    // The model of this test cannot see, so it gets a line for each image.
    const sees = (request: { body: { messages: unknown[] } }) =>
      String(JSON.stringify(request.body.messages).includes('[image 1: image/png'));
    model.onTurn('what is in the picture', sees);
    model.onTurn('look at it again', sees);
    const image = { type: 'input_image' as const, image_url: `data:image/png;base64,${pixel}`, detail: 'auto' as const };
    const content = [{ type: 'input_text' as const, text: 'what is in the picture' }, image];
    const first = await client.responses.create({ model: 'default', input: [{ role: 'user', content }] });
    expect(first.output_text).toBe('true');
    const again = { model: 'default', input: 'look at it again', previous_response_id: first.id };
    expect((await client.responses.create(again)).output_text).toBe('true');
    const [item] = (await client.responses.inputItems.list(first.id)).data;
    expect(item).toMatchObject({ content: [{ type: 'input_text' }, { type: 'input_image' }] });
  });

  test('takes an item of an earlier response by its id', async () => {
    model.onTurn('say it', 'The word is swan.');
    model.onTurn('repeat it', request => (JSON.stringify(request.body.messages).includes('The word is swan.') ? 'swan' : 'unknown'));
    const first = await client.responses.create({ model: 'default', input: 'say it' });
    const [item] = first.output;
    const second = await client.responses.create({
      model: 'default',
      input: [
        { role: 'user', content: 'say it' },
        { type: 'item_reference', id: item?.id ?? '' },
        { role: 'user', content: 'repeat it' },
      ],
    });
    expect(second.output_text).toBe('swan');
  });

  test('deletes a response, and hides one that is not stored', async () => {
    model.onTurn('forget this', 'gone');
    const kept = await client.responses.create({ model: 'default', input: 'forget this' });
    await client.responses.delete(kept.id);
    await expect(client.responses.retrieve(kept.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const hidden = await client.responses.create({ model: 'default', input: 'forget this', store: false });
    expect(hidden.output_text).toBe('gone');
    await expect(client.responses.retrieve(hidden.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(
      client.responses.create({ model: 'default', input: 'forget this', previous_response_id: hidden.id }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('an injected failure and a retry of the client make one run', async () => {
    model.onTurn(`only once, ${name}`, 'once');
    let tries = 0;
    const flaky = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: KEY,
      maxRetries: 2,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        tries += 1;
        if (tries > 1) return response;
        await response.text();
        return new Response(JSON.stringify({ error: { message: 'bad gateway' } }), { status: 502 }) as never;
      },
    });
    const created = await flaky.responses.create({ model: 'default', input: `only once, ${name}` });
    expect(created.output_text).toBe('once');
    expect(tries).toBe(2);
    expect(model.requests(`only once, ${name}`)).toHaveLength(1);
  });

  test('a failed model is a typed error without a retry, and the end of a stream', async () => {
    model.onTurn('break it', { error: { status: 400, message: 'no' } });
    let tries = 0;
    const counting = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: KEY,
      maxRetries: 2,
      fetch: (url, init) => {
        tries += 1;
        return fetch(url, init);
      },
    });
    await expect(counting.responses.create({ model: 'default', input: 'break it' })).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(tries).toBe(1);
    const events = await collect(await client.responses.create({ model: 'default', input: 'break it', stream: true }));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: { code: 'model_refused' } } });
  });

  test.each([
    [{ input: 7 }, 'input'],
    [{ input: '  ' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [{ role: 'robot', content: 'x' }] }, 'role'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'ftp://example.com/a.png' }] }] }, 'image_url'],
    [
      {
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { role: 'user', content: [{ type: 'input_image', image_url: 'ftp://example.com/a.png' }] },
        ],
      },
      '/input/1/content/0/image_url',
    ],
    [{ input: [{ type: 'function_call_output', call_id: 'call_x', output: 'y' }] }, 'input'],
    [{ input: 'x', temperature: 'hot' }, 'temperature'],
    [{ input: 'x', max_output_tokens: 0 }, 'max_output_tokens'],
    [{ input: 'x', tools: [{ type: 'web_search' }] }, 'tools'],
    [{ input: 'x', tool_choice: 'required' }, 'tool_choice'],
    [{ input: 'x', tool_choice: { type: 'function', name: 'nope' } }, 'tool_choice'],
    [{ input: 'x', metadata: { a: 1 } }, 'metadata'],
    [{ input: 'x', reasoning: { effort: 'enormous' } }, 'effort'],
    [{ input: 'x', text: { format: { type: 'poem' } } }, 'format'],
    [{ input: 'x', background: true, store: false }, 'store'],
    [{ input: 'x', conversation: 7 }, 'conversation'],
  ])('refuses %j and names the field', async (body, field) => {
    const thrown = await client.responses.create(body as never).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OpenAI.BadRequestError);
    expect((thrown as InstanceType<typeof OpenAI7.BadRequestError>).param).toContain(field);
  });

  test('ignores fields that it does not know', async () => {
    model.onTurn('extra fields', 'fine');
    const body = {
      model: 'default',
      input: 'extra fields',
      service_tier: 'auto',
      chat_id: 'x',
      include: ['reasoning.encrypted_content'],
      user: null,
    };
    expect((await client.responses.create(body as never)).output_text).toBe('fine');
  });

  test("another tenant's response does not exist, and an unknown key is refused", async () => {
    model.onTurn('a secret of acme', 'hidden');
    const { id } = await client.responses.create({ model: 'default', input: 'a secret of acme' });
    const rival = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: RIVAL_KEY, maxRetries: 0 });
    const tries = [
      rival.responses.retrieve(id),
      rival.responses.retrieve(id, { stream: true }),
      rival.responses.cancel(id),
      rival.responses.inputItems.list(id),
      rival.responses.delete(id),
      rival.responses.create({ model: 'default', input: 'x', previous_response_id: id }),
    ];
    for (const attempt of tries) await expect(attempt).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await client.responses.retrieve(id)).output_text).toBe('hidden');
    const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key-of-nobody-0123456789', maxRetries: 0 });
    await expect(stranger.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  test('takes null for a field that is left out', async () => {
    model.onTurn('nulls', 'fine too');
    const tool = { type: 'function', name: 'f', description: null, parameters: null, strict: null };
    const format = { type: 'json_schema', name: 'a', schema: {}, strict: null, description: null };
    const body = {
      model: 'default',
      input: 'nulls',
      tools: [tool],
      text: { format, verbosity: null },
      reasoning: { effort: null },
      metadata: null,
    };
    expect((await client.responses.create(body as never)).output_text).toBe('fine too');
    expect(model.requests('nulls')[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
    });
  });

  test('an unknown response is not found', async () => {
    await expect(client.responses.retrieve('resp_run_0')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.retrieve('nonsense')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.cancel('resp_run_0')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.create({ model: 'nobody', input: 'x' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('of two requests that continue the same response at once, each continues that response', async () => {
    model.onTurn('start of a race', 'Ready.');
    model.onTurn(/^lane/, request => `${request.body.messages.filter(({ role }) => role === 'user').length}`);
    const first = await client.responses.create({ model: 'default', input: 'start of a race' });
    const lanes = ['lane 1', 'lane 2', 'lane 3', 'lane 4'];
    const continued = await Promise.all(
      lanes.map(input => client.responses.create({ model: 'default', input, previous_response_id: first.id })),
    );
    expect(continued.map(response => response.output_text)).toStrictEqual(lanes.map(() => '2'));
  });
});

// These depend on the gateway and not on the version of the client.
describe('a caller that leaves, and a gateway that ends', () => {
  let client: OpenAI7;
  beforeAll(() => {
    client = new OpenAI7({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 });
  });

  test('a response without background is cancelled when its caller leaves', async () => {
    model.onTurn('nobody waits', { text: 'too late', pauseAfter: 0 });
    const abort = new AbortController();
    const stream = await client.responses.create({ model: 'default', input: 'nobody waits', stream: true }, { signal: abort.signal });
    const [created] = [(await stream[Symbol.asyncIterator]().next()).value];
    if (created?.type !== 'response.created') throw new Error('the stream begins with another event');
    await model.waitFor('nobody waits');
    abort.abort();
    const ended = await untilEnded(client, created.response.id);
    expect(ended.status).toBe('cancelled');
  });

  test('a number that a crash may have taken back is refused, and the stream can be read from its start', async () => {
    model.onTurn('fragile numbers', { text: 'lost words here', chunkSize: 5, pauseAfter: 2, times: 1 });
    model.onTurn('fragile numbers', 'other words');
    const stream = await client.responses.create({ model: 'default', input: 'fragile numbers', stream: true });
    let last = { id: '', number: 0 };
    try {
      for await (const event of stream) {
        last = { id: 'response' in event ? event.response.id : last.id, number: event.sequence_number };
        if (event.type === 'response.output_text.delta') await gateway.restart();
      }
    } catch {
      // The gateway was killed.
    }
    const refused = await client.responses
      .retrieve(last.id, { stream: true, starting_after: last.number })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 410 });
    const whole = await collect(await client.responses.retrieve(last.id, { stream: true }));
    assertNumbered(whole);
    expect(textOf(whole)).toBe('other words');
  });

  test('a response goes on after kill -9, and a resume after the last number continues the same stream', async () => {
    model.onTurn('survive the crash', { text: 'alpha beta gamma delta', chunkSize: 6, pauseAfter: 2, times: 1 });
    model.onTurn('survive the crash', 'alpha beta gamma delta');
    const stream = await client.responses.create({ model: 'default', input: 'survive the crash', background: true, stream: true });
    const seen: ResponseStreamEvent[] = [];
    let id = '';
    for await (const event of stream) {
      seen.push(event);
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') break;
    }
    await gateway.restart();
    const rest = await collect(await client.responses.retrieve(id, { stream: true, starting_after: seen.at(-1)?.sequence_number ?? 0 }));
    assertNumbered([...seen, ...rest]);
    expect(rest.at(-1)).toMatchObject({ type: 'response.completed' });
    expect(await collect(await client.responses.retrieve(id, { stream: true }))).toStrictEqual([...seen, ...rest]);
    expect((await client.responses.retrieve(id)).output_text).toBe('alpha beta gamma delta');
  });
});
