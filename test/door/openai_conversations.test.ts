/** Conversations at /v1, with the official client. */
import OpenAI from 'openai';
import type { ConversationCreateParams } from 'openai/resources/conversations/conversations';
import type { ConversationItem } from 'openai/resources/conversations/items';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';

const KEY = 'key-of-ada-0123456789';
const RIVAL_KEY = 'key-of-ben-0123456789';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PRICE_TOOL = {
  type: 'function' as const,
  name: 'get_price',
  description: 'Price of an article',
  parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  strict: false,
};

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

async function itemsOf(conversationId: string, order: 'asc' | 'desc' = 'asc'): Promise<ConversationItem[]> {
  const items: ConversationItem[] = [];
  for await (const item of client.conversations.items.list(conversationId, { order, limit: 2 })) items.push(item);
  return items;
}

/** The texts of an item, as one short text. */
function told(item: ConversationItem): string {
  if (item.type === 'message') return `${item.role}: ${item.content.map(part => ('text' in part ? part.text : part.type)).join()}`;
  if (item.type === 'function_call') return `call: ${item.name}`;
  if (item.type === 'function_call_output') return `output: ${String(item.output).slice(0, 40)}`;
  return item.type;
}

const sessionOf = (conversationId: string) => conversationId.replace(/^conv_/, '');

const messagesSent = (input: string) =>
  (model.requests(input).at(-1)?.body.messages ?? []).filter(({ role }) => role !== 'system') as { role: string; content: unknown }[];

/** The error of a request that the gateway refuses, in OpenAI's shape. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (thrown: InstanceType<typeof OpenAI.APIError>) => ({ status: thrown.status, code: thrown.code, param: thrown.param }),
  );

test('creates, reads, changes and deletes a conversation, which is a session of the page', async () => {
  const made = await client.conversations.create({ metadata: { topic: 'garden' } });
  expect(made).toMatchObject({ object: 'conversation', metadata: { topic: 'garden' } });
  expect(made.id).toMatch(/^conv_ses_/);
  expect(Math.abs(made.created_at - Date.now() / 1000)).toBeLessThan(60);
  expect(await client.conversations.retrieve(made.id)).toEqual(made);
  expect(await client.conversations.update(made.id, { metadata: { topic: 'kitchen' } })).toMatchObject({ metadata: { topic: 'kitchen' } });
  const rest = createRestClient(gateway.url);
  const sessions = await rest.request<{ data: { id: string }[] }>('GET', '/sessions', undefined, { authorization: `Bearer ${KEY}` });
  expect(sessions.body.data.map(({ id }) => id)).toContain(sessionOf(made.id));
  expect(await client.conversations.delete(made.id)).toEqual({ id: made.id, object: 'conversation.deleted', deleted: true });
  expect(await refusalOf(client.conversations.retrieve(made.id))).toEqual({ status: 404, code: 'not_found', param: 'conversation_id' });
});

test('a response in a conversation reads its items and adds its own, with the calls of the agent', async () => {
  model.onTurn('what grows?', { text: 'I look.', toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'Beans grow.');
  model.onTurn('and peas?', 'No peas.');
  const { id } = await client.conversations.create({ items: [user('My garden is small.'), assistant('Good to know.')] });
  const first = await client.responses.create({ model: 'default', input: 'what grows?', conversation: id });
  expect(first).toMatchObject({ status: 'completed', conversation: { id } });
  expect((await client.responses.retrieve(first.id)).conversation).toEqual({ id });
  const streamed = client.responses.stream({ model: 'default', input: 'and peas?', conversation: { id } });
  expect((await streamed.finalResponse()).output_text).toBe('No peas.');
  const items = await itemsOf(id);
  expect(items.map(told)).toEqual([
    'user: My garden is small.',
    'assistant: Good to know.',
    'user: what grows?',
    'assistant: I look.',
    'call: list_dir',
    expect.stringContaining('output: '),
    'assistant: Beans grow.',
    'user: and peas?',
    'assistant: No peas.',
  ]);
  expect(await itemsOf(id, 'desc')).toEqual(items.toReversed());
  expect(messagesSent('and peas?').map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
  for (const item of items) expect(await client.conversations.items.retrieve(item.id ?? '', { conversation_id: id })).toEqual(item);
  const [answer] = first.output.slice(-1);
  expect(await client.conversations.items.retrieve(answer?.id ?? '', { conversation_id: id })).toMatchObject({
    type: 'message',
    role: 'assistant',
  });
  const history = await createRestClient(gateway.url).request<{ data: { role: string }[] }>(
    'GET',
    `/sessions/${sessionOf(id)}/messages`,
    undefined,
    { authorization: `Bearer ${KEY}` },
  );
  expect(history.body.data.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
});

test('items that are added between two responses reach the next one, also beside a history in memory', async () => {
  model.onTurn('begin', 'Begun.');
  model.onTurn('go on', 'Gone on.');
  const { id } = await client.conversations.create();
  await client.responses.create({ model: 'default', input: 'begin', conversation: id });
  const added = await client.conversations.items.create(id, { items: [assistant('The beans are ripe.'), user('Then pick them.')] });
  expect(added.data.map(told)).toEqual(['assistant: The beans are ripe.', 'user: Then pick them.']);
  expect(added).toMatchObject({ object: 'list', first_id: added.data[0]?.id, last_id: added.data[1]?.id, has_more: false });
  await client.responses.create({ model: 'default', input: 'go on', conversation: id });
  expect(messagesSent('go on').map(({ content }) => content)).toEqual([
    expect.stringContaining('begin'),
    'Begun.\n\nThe beans are ripe.',
    'Then pick them.',
    expect.stringContaining('go on'),
  ]);
});

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

test('a conversation is stored with its items or not at all', async () => {
  const metadata = { topic: 'refused' };
  const output = { type: 'function_call_output' as const, call_id: 'call_unknown', output: '4 crowns' };
  const create = (items: ConversationCreateParams['items']) => client.conversations.create({ metadata, items }, keyed('with-items'));
  expect(await refusalOf(create([user('price?'), output]))).toMatchObject({ status: 400, param: 'items' });
  // The key is free: the refused request stored nothing.
  const made = await create([user('hello'), assistant('Hello.')]);
  expect((await create([user('hello'), assistant('Hello.')])).id).toBe(made.id);
  expect((await itemsOf(made.id)).map(told)).toEqual(['user: hello', 'assistant: Hello.']);
  expect(await refusalOf(create([user('hello')]))).toMatchObject({ status: 409, code: 'idempotency_mismatch' });
});

test('items with an Idempotency-Key are added once', async () => {
  const { id } = await client.conversations.create({ items: [user('hello')] });
  const add = (content: string, items = [user(content), assistant('Noted.'), user('And more.')]) =>
    client.conversations.items.create(id, { items }, keyed('add-once')).withResponse();
  const [first, second] = await Promise.all([add('beans'), add('beans')]);
  expect(second.data).toEqual(first.data);
  expect([first, second].map(({ response }) => response.headers.get('idempotency-replayed')).sort()).toEqual(['true', null].sort());
  expect((await itemsOf(id)).map(told)).toEqual(['user: hello', 'user: beans', 'assistant: Noted.', 'user: And more.']);
  await client.conversations.items.delete(first.data.data[1]?.id ?? '', { conversation_id: id });
  expect((await add('beans')).data.data.map(told)).toEqual(['user: beans', 'user: And more.']);
  expect(await refusalOf(add('peas'))).toMatchObject({ status: 409, code: 'idempotency_mismatch' });
  const other = await client.conversations.create();
  expect(await refusalOf(client.conversations.items.create(other.id, { items: [user('beans')] }, keyed('add-once')))).toMatchObject({
    status: 409,
    code: 'idempotency_mismatch',
  });
});

test('a deleted item is read by no later response', async () => {
  model.onTurn('secret word', 'The word is zebra.');
  model.onTurn('which word', { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] }, 'I do not know.');
  model.onTurn('again', 'Still unknown.');
  const { id } = await client.conversations.create();
  await client.responses.create({ model: 'default', input: 'secret word', conversation: id });
  const [asked, answered] = await itemsOf(id);
  expect(await client.conversations.items.delete(answered?.id ?? '', { conversation_id: id })).toMatchObject({
    id,
    object: 'conversation',
  });
  expect((await itemsOf(id)).map(({ id }) => id)).toEqual([asked?.id]);
  await client.responses.create({ model: 'default', input: 'which word', conversation: id });
  expect(JSON.stringify(messagesSent('which word'))).not.toContain('zebra');
  const call = (await itemsOf(id)).find(({ type }) => type === 'function_call');
  await client.conversations.items.delete(call?.id ?? '', { conversation_id: id });
  expect(await refusalOf(client.conversations.items.retrieve(call?.id ?? '', { conversation_id: id }))).toEqual({
    status: 404,
    code: 'not_found',
    param: 'item_id',
  });
  const last = await client.responses.create({ model: 'default', input: 'again', conversation: id });
  expect(last.output_text).toBe('Still unknown.');
  expect(JSON.stringify(messagesSent('again'))).not.toContain('list_dir');
  const found = await createRestClient(gateway.url).request<{ data: unknown[] }>('GET', '/search?q=zebra', undefined, {
    authorization: `Bearer ${KEY}`,
  });
  expect(found.body.data).toEqual([]);
});

test("the caller's functions: a call is answered in the conversation, by a response or by an added item", async () => {
  model.onTurn(
    'price of tea',
    { toolCalls: [{ name: 'get_price', arguments: { article: 'tea' } }] },
    ({ toolResults }) => `It costs ${toolResults.at(-1)}.`,
  );
  model.onTurn('so?', 'Four crowns.');
  const tools = [PRICE_TOOL];
  const { id } = await client.conversations.create();
  const asked = await client.responses.create({ model: 'default', input: 'price of tea', conversation: id, tools });
  const call = asked.output.find(item => item.type === 'function_call');
  const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: '4 crowns' };
  const answered = await client.responses.create({ model: 'default', input: [output], conversation: id, tools });
  expect(answered.output_text).toBe('It costs 4 crowns.');
  expect(await refusalOf(client.responses.create({ model: 'default', input: [output], conversation: id }))).toMatchObject({
    status: 400,
    param: 'input',
  });
  await client.responses.create({ model: 'default', input: 'price of tea', conversation: id, tools });
  const open = (await itemsOf(id, 'desc')).find(item => item.type === 'function_call');
  const wrong = { ...output, call_id: 'call_unknown' };
  expect(await refusalOf(client.conversations.items.create(id, { items: [wrong] }))).toMatchObject({ status: 400, param: 'items' });
  await client.conversations.items.create(id, { items: [{ ...output, call_id: open?.type === 'function_call' ? open.call_id : '' }] });
  await client.responses.create({ model: 'default', input: 'so?', conversation: id, tools });
  expect(
    messagesSent('so?')
      .map(({ role }) => role)
      .slice(-3),
  ).toEqual(['assistant', 'tool', 'user']);
});

test('a question of the agent is answered by the next response of the conversation', async () => {
  model.onTurn('water', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which bed?' } }] }, 'Watered.');
  model.onTurn('the long bed', 'Watered the long bed.');
  const { id } = await client.conversations.create();
  const asked = await client.responses.create({ model: 'default', input: 'water', conversation: id });
  expect(asked.output_text).toContain('Which bed?');
  const done = await client.responses.create({ model: 'default', input: 'the long bed', conversation: id });
  expect(done.output_text).toContain('Watered');
});

test('images of items are kept, and shown on request', async () => {
  const image_url = `data:image/png;base64,${PIXEL}`;
  const content = [
    { type: 'input_text' as const, text: 'a pixel' },
    { type: 'input_image' as const, image_url, detail: 'auto' as const },
  ];
  const { id } = await client.conversations.create({ items: [{ type: 'message', role: 'user', content }] });
  const [item] = (await client.conversations.items.list(id)).data;
  expect(item).toMatchObject({ content: [{ text: 'a pixel' }, { type: 'input_image', image_url: null }] });
  const [shown] = (await client.conversations.items.list(id, { include: ['message.input_image.image_url'] })).data;
  expect(shown).toMatchObject({ content: [{ text: 'a pixel' }, { type: 'input_image', image_url }] });
});

test('while a response is in progress, others and changes of items are refused', async () => {
  model.onTurn('slowly', { text: 'one two three', chunkSize: 4, pauseAfter: 1 });
  const { id } = await client.conversations.create({ items: [user('hello')] });
  const [first] = await itemsOf(id);
  const running = await client.responses.create({ model: 'default', input: 'slowly', conversation: id, background: true });
  await model.waitFor('slowly');
  const busy = { status: 409, code: 'session_busy' };
  expect(await refusalOf(client.responses.create({ model: 'default', input: 'more', conversation: id }))).toEqual({
    ...busy,
    param: 'conversation',
  });
  expect(await refusalOf(client.conversations.items.create(id, { items: [user('x')] }))).toEqual({ ...busy, param: 'conversation_id' });
  expect(await refusalOf(client.conversations.items.delete(first?.id ?? '', { conversation_id: id }))).toMatchObject(busy);
  model.resume();
  await client.responses.cancel(running.id);
});

test('two responses at once in one conversation: one of them is refused', async () => {
  model.onTurn('at once', { text: 'done', chunkDelayMs: 50 });
  const { id } = await client.conversations.create();
  const start = () => client.responses.create({ model: 'default', input: 'at once', conversation: id });
  const ends = await Promise.all([refusalOf(start()), refusalOf(start())]);
  expect(ends).toContain('no error');
  expect(ends).toContainEqual(expect.objectContaining({ status: 409, code: 'session_busy' }));
});

test('another tenant finds neither the conversation nor its items', async () => {
  const { id } = await client.conversations.create({ items: [user('mine')] });
  const [item] = await itemsOf(id);
  const key = { conversation_id: id };
  const calls = [
    rival.conversations.retrieve(id),
    rival.conversations.update(id, { metadata: {} }),
    rival.conversations.delete(id),
    rival.conversations.items.list(id),
    rival.conversations.items.create(id, { items: [user('yours')] }),
    rival.conversations.items.retrieve(item?.id ?? '', key),
    rival.conversations.items.delete(item?.id ?? '', key),
    rival.responses.create({ model: 'default', input: 'hello', conversation: id }),
  ];
  for (const call of calls) expect(await refusalOf(call)).toMatchObject({ status: 404, code: 'not_found' });
  const own = await rival.conversations.create();
  expect(await refusalOf(rival.conversations.items.retrieve(item?.id ?? '', { conversation_id: own.id }))).toMatchObject({ status: 404 });
  expect(await itemsOf(id)).toEqual([item]);
});

test.each<[what: string, call: (id: string) => Promise<unknown>, status: number, param: string | null]>([
  ['an id of another form', () => client.conversations.retrieve('ses_1'), 404, 'conversation_id'],
  ['an unknown id', () => client.conversations.items.list('conv_ses_unknown'), 404, 'conversation_id'],
  ['an unknown conversation of a response', () => client.responses.create({ input: 'x', conversation: 'conv_x' }), 404, 'conversation'],
  ['a conversation of the wrong type', () => client.responses.create({ input: 'x', conversation: 7 as never }), 400, 'conversation'],
  [
    'both ways to continue',
    id => client.responses.create({ input: 'x', conversation: id, previous_response_id: 'resp_1' }),
    400,
    'conversation',
  ],
  ['earlier answers in the input', id => client.responses.create({ input: [assistant('x')], conversation: id }), 400, 'input'],
  ['too many items', id => client.conversations.items.create(id, { items: Array.from({ length: 21 }, () => user('x')) }), 400, 'items'],
  ['no items', id => client.conversations.items.create(id, { items: [] }), 400, 'items'],
  ['an item of a system', id => client.conversations.items.create(id, { items: [{ role: 'system', content: 'x' }] }), 400, '/items/0/role'],
  ['an item of an unknown type', id => client.conversations.items.create(id, { items: [{ type: 'odd' } as never] }), 400, '/items/0/type'],
  ['a limit of 0', id => client.conversations.items.list(id, { limit: 0 }).then(page => page.data), 400, 'limit'],
  ['a limit of 101', id => client.conversations.items.list(id, { limit: 101 }).then(page => page.data), 400, 'limit'],
  ['a page behind no item', id => client.conversations.items.list(id, { after: 'msg_x' }).then(page => page.data), 400, 'after'],
  ['metadata that are no texts', () => client.conversations.create({ metadata: { a: 1 } as never }), 400, '/metadata/a'],
  [
    '17 pairs',
    () => client.conversations.create({ metadata: Object.fromEntries([...'abcdefghijklmnopq'].map(key => [key, '1'])) }),
    400,
    'metadata',
  ],
])('refuses %s', async (_what, call, status, param) => {
  const { id } = await client.conversations.create();
  expect(await refusalOf(call(id))).toMatchObject({ status, param });
});

test('errors come in the language of the caller', async () => {
  const headers = { authorization: `Bearer ${KEY}`, 'accept-language': 'zh-CN' };
  const { body } = await createRestClient(gateway.url).request<{ error: { message: string } }>(
    'GET',
    '//v1/conversations/conv_x',
    undefined,
    headers,
  );
  expect(body.error.message).toBe('没有这个对话。');
});
