/** POST /v1/responses/compact, with the official client. */
import OpenAI from 'openai';
import type { ResponseCompactionItem, ResponseInputItem } from 'openai/resources/responses/responses';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, type Reply, startMockModel } from '../support/mock_model';

const KEY = 'key-of-ada-0123456789';
const RIVAL_KEY = 'key-of-ben-0123456789';

let model: MockModel;
let gateway: Gateway;
let client: OpenAI;
let rival: OpenAI;

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
  const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  client = clientOf(KEY);
  rival = clientOf(RIVAL_KEY);
});

afterAll(async () => {
  await gateway.stop();
  await model.stop();
});

const user = (content: string) => ({ type: 'message' as const, role: 'user' as const, content });
const assistant = (content: string) => ({ type: 'message' as const, role: 'assistant' as const, content });

/** Scripts the summary of the conversation in which the word stands. */
const onSummary = (word: string, reply: Reply) =>
  model.onTurn(({ userText, body }) => userText.includes('Write the summary') && JSON.stringify(body.messages).includes(word), reply);

const summaryRequests = (word: string) =>
  model.requests(({ userText, body }) => userText.includes('Write the summary') && JSON.stringify(body.messages).includes(word));

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (thrown: InstanceType<typeof OpenAI.APIError>) => ({ status: thrown.status, code: thrown.code, param: thrown.param }),
  );

test('a whole conversation becomes its messages of people and a sealed summary, which the next response reads', async () => {
  onSummary('marigold', { text: 'The bed has marigolds.', usage: { inputTokens: 50, outputTokens: 6 } });
  model.onTurn('what now', 'Water them.');
  const input: ResponseInputItem[] = [
    user('I plant marigolds.'),
    assistant('A fine choice.'),
    { type: 'function_call', call_id: 'c1', name: 'get_price', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: '4 crowns' },
    user('Thank you.'),
  ];
  const compacted = await client.responses.compact({ model: 'default', input, instructions: 'Speak like a gardener.' });
  expect(compacted).toMatchObject({ object: 'response.compaction', usage: { input_tokens: 50, output_tokens: 6, total_tokens: 56 } });
  expect(Math.abs(compacted.created_at - Date.now() / 1000)).toBeLessThan(60);
  const text = (content: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] });
  expect(compacted.output).toMatchObject([text('I plant marigolds.'), text('Thank you.'), { type: 'compaction' }]);
  expect(JSON.stringify(compacted)).not.toContain('The bed has');
  const [asked] = summaryRequests('marigold');
  expect(asked?.toolNames).toEqual([]);
  expect(JSON.stringify(asked?.body.messages)).toContain('4 crowns');
  expect(JSON.stringify(asked?.body.messages)).toContain('Speak like a gardener.');

  const next = [...(compacted.output as ResponseInputItem[]), user('what now?')];
  const response = await client.responses.create({ model: 'default', input: next });
  expect(response.output_text).toBe('Water them.');
  const sent = JSON.stringify(model.requests('what now').at(-1)?.body.messages);
  expect(sent).toContain('<conversation_summary>\\nThe bed has marigolds.\\n</conversation_summary>');
  expect(sent).toContain('I plant marigolds.');
  expect(sent).not.toContain('4 crowns');
  const [, , item] = (await client.responses.inputItems.list(response.id, { order: 'asc' })).data;
  expect(item).toMatchObject({ type: 'compaction', encrypted_content: expect.stringMatching(/^[\w-]{40,}$/) });
  const again = await client.responses.create({ model: 'default', input: 'what now, again?', previous_response_id: response.id });
  expect(JSON.stringify(model.requests('what now, again').at(-1)?.body.messages)).toContain('The bed has marigolds.');
  expect(again.output_text).toBe('Water them.');
});

test('the conversation of an earlier response is compacted, and goes on as it was', async () => {
  model.onTurn('list the files', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'There is one: notes.txt.');
  onSummary('notes.txt', 'One file, notes.txt.');
  model.onTurn('and then', 'Then nothing.');
  const first = await client.responses.create({ model: 'default', input: 'list the files' });
  const compacted = await client.responses.compact({ model: 'default', previous_response_id: first.id });
  expect(compacted.output).toMatchObject([
    { type: 'message', role: 'user', content: [{ text: 'list the files' }] },
    { type: 'compaction', id: expect.stringMatching(/^cmp_run_/) },
  ]);
  const next = await client.responses.create({ model: 'default', input: 'and then?', previous_response_id: first.id });
  expect(next.output_text).toBe('Then nothing.');
  expect(JSON.stringify(model.requests('and then').at(-1)?.body.messages)).not.toContain('One file, notes.txt.');
});

test('a conversation that begins with a summary is compacted again, and the summary stays sealed', async () => {
  onSummary('dahlias', 'Dahlias stand at the wall.');
  model.onTurn('when does frost come', 'Soon.');
  const first = await client.responses.compact({ model: 'default', input: 'I plant dahlias.' });
  const input = [...(first.output as ResponseInputItem[]), user('when does frost come?')];
  const response = await client.responses.create({ model: 'default', input });
  const second = await client.responses.compact({ model: 'default', previous_response_id: response.id });
  expect(second.output.map(item => ('content' in item ? item.content : item.type))).toEqual([
    [{ type: 'input_text', text: 'I plant dahlias.' }],
    [{ type: 'input_text', text: 'when does frost come?' }],
    'compaction',
  ]);
  expect(JSON.stringify(summaryRequests('dahlias').at(-1)?.body.messages)).toContain('Dahlias stand at the wall.');
});

test('the request for the rest of an answer is no message of a person', async () => {
  onSummary('tulips', 'Tulips.');
  model.onTurn('Continue your last message', 'red.');
  const response = await client.responses.create({ model: 'default', input: [user('tulips are'), assistant('Tulips are')] });
  const { output } = await client.responses.compact({ model: 'default', previous_response_id: response.id });
  expect(output.map(item => ('content' in item ? item.content : item.type))).toEqual([
    [{ type: 'input_text', text: 'tulips are' }],
    'compaction',
  ]);
});

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const image = { type: 'input_image', detail: 'auto', image_url: PIXEL } as const;

test('images of people stay in their messages, and those of outputs of calls do not', async () => {
  onSummary('peonies', 'Peonies.');
  model.onTurn('peonies', 'Pretty.');
  const input: ResponseInputItem[] = [
    { role: 'user', content: [{ type: 'input_text', text: 'my peonies' }, image] },
    { type: 'function_call', call_id: 'c9', name: 'get_photo', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c9', output: [image] },
    user('thank you for the peonies'),
  ];
  const response = await client.responses.create({ model: 'default', input });
  const { output } = await client.responses.compact({ model: 'default', previous_response_id: response.id });
  expect(output).toMatchObject([
    { content: [{ type: 'input_text', text: 'my peonies' }, image] },
    { content: [{ type: 'input_text', text: 'thank you for the peonies' }] },
    { type: 'compaction' },
  ]);
});

test('a large image of the newest message drops no other message', async () => {
  onSummary('orchids', 'Orchids.');
  const bytes = Buffer.concat([Buffer.from(PIXEL.slice(PIXEL.indexOf(',') + 1), 'base64'), Buffer.alloc(300 * 1024)]);
  const large = { ...image, image_url: `data:image/png;base64,${bytes.toString('base64')}` };
  const input: ResponseInputItem[] = [
    user('I plant orchids.'),
    assistant('Fine.'),
    { role: 'user', content: [{ type: 'input_text', text: 'look' }, large] },
  ];
  const { output } = await client.responses.compact({ model: 'default', input });
  expect(output).toMatchObject([
    { content: [{ text: 'I plant orchids.' }] },
    { content: [{ text: 'look' }, large] },
    { type: 'compaction' },
  ]);
});

test('an item of a conversation may be a compaction, and a count of tokens reads it', async () => {
  onSummary('turnips', 'Turnips grow in row 3.');
  model.onTurn('which row', 'Row 3.');
  const compacted = await client.responses.compact({ model: 'default', input: 'turnips grow in row 3' });
  const item = compacted.output.at(-1) as ResponseInputItem;
  const { id } = await client.conversations.create({ items: [item] });
  const [shown, ...others] = (await client.conversations.items.list(id)).data;
  expect([shown, others]).toMatchObject([{ type: 'compaction', encrypted_content: expect.stringMatching(/^[\w-]{40,}$/) }, []]);
  const again = await client.conversations.create({ items: [shown as unknown as ResponseInputItem] });
  expect(await client.conversations.items.retrieve(shown?.id ?? '', { conversation_id: id })).toMatchObject({ type: 'compaction' });
  expect((await client.conversations.items.list(again.id)).data).toMatchObject([{ type: 'compaction' }]);
  const response = await fetch(`${gateway.url}/api/v1/sessions/${id.slice('conv_'.length)}/messages`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect(await response.json()).toMatchObject({
    data: [
      { role: 'user', content: 'Turnips grow in row 3.', byGateway: true, summary: true },
      { role: 'assistant', byGateway: true },
    ],
  });
  await client.responses.create({ model: 'default', input: 'which row?', conversation: id });
  expect(JSON.stringify(model.requests('which row').at(-1)?.body.messages)).toContain('Turnips grow in row 3.');
  const count = await client.responses.inputTokens.count({ model: 'default', input: [item, user('which row?')] });
  expect(count.input_tokens).toBeGreaterThan(50);
});

test('a summary opens for its tenant alone, and only as it was sealed', async () => {
  onSummary('saffron', 'Saffron is dear.');
  const compacted = await client.responses.compact({ model: 'default', input: 'saffron is dear' });
  const item = compacted.output.at(-1) as ResponseCompactionItem;
  const refused = { status: 400, param: '/input/0/encrypted_content' };
  expect(await refusalOf(rival.responses.create({ model: 'default', input: [item] }))).toMatchObject(refused);
  const changed = { ...item, encrypted_content: `${item.encrypted_content.slice(0, -4)}AAAA` };
  expect(await refusalOf(client.responses.create({ model: 'default', input: [changed] }))).toMatchObject(refused);
});

test('a retry gets the summary that the first request wrote', async () => {
  onSummary('parsley', { text: 'Parsley.', usage: { inputTokens: 9, outputTokens: 1 } });
  const compact = () =>
    client.responses.compact({ model: 'default', input: 'parsley' }, { headers: { 'idempotency-key': 'parsley' } }).withResponse();
  const [first, second] = [await compact(), await compact()];
  expect(second.data.id).toBe(first.data.id);
  expect(second.response.headers.get('idempotency-replayed')).toBe('true');
  expect(summaryRequests('parsley')).toHaveLength(1);
});

test('a summary that the model does not finish is an error', async () => {
  onSummary('cress', { text: 'Cress grows', finishReason: 'length' });
  expect(await refusalOf(client.responses.compact({ model: 'default', input: 'cress' }))).toMatchObject({ code: 'model_bad_response' });
});

test.each<[what: string, call: () => Promise<unknown>, status: number, param: string]>([
  ['no conversation', () => client.responses.compact({ model: 'default' }), 400, 'input'],
  ['an empty input', () => client.responses.compact({ model: 'default', input: [] }), 400, 'input'],
  ['an unknown model', () => client.responses.compact({ model: 'none', input: 'x' }), 404, 'model'],
  [
    'an unknown response',
    () => client.responses.compact({ model: 'default', previous_response_id: 'resp_x' }),
    404,
    'previous_response_id',
  ],
  ['several answers', () => client.responses.compact({ model: 'default', input: 'x', ...{ n: 2 } }), 400, 'n'],
  ['log probabilities', () => client.responses.compact({ model: 'default', input: 'x', ...{ top_logprobs: 2 } }), 400, 'top_logprobs'],
  [
    'an item of an unknown type',
    () => client.responses.compact({ model: 'default', input: [user('x'), { type: 'odd' } as never] }),
    400,
    '/input/1/type',
  ],
])('refuses %s', async (_what, call, status, param) => {
  expect(await refusalOf(call())).toMatchObject({ status, param });
});
