/** PDF files in messages, through every door: a model that reads files gets the bytes, any other gets the text, and the session keeps them. */
import { Role } from '../support/a2a_client';
import { type ChatClient, connectChat } from '../support/chat_client';
import { type ModelBench, startModelBench } from '../support/model_bench';
import type { ErrorBody, HistoryMessage, PageBody } from '../support/rest_client';
import { makePdf } from '../support/site';

const MODELS = `
models:
  - { id: a, baseUrl: "{a}", apiKeyEnv: KEY_A, model: model-a, files: true }
  - { id: b, baseUrl: "{b}", apiKeyEnv: KEY_B, model: model-b }
`;
const SECRETS = { ann: 'the-secret-of-ann-0001', bob: 'the-secret-of-bob-0002' };
const TEXT = 'Lighthouse tariff 1887';
const PDF = makePdf(TEXT);
const BASE64 = PDF.toString('base64');
const pdf = { name: 'tariff.pdf', base64: BASE64 };
const PART = { type: 'file', file: { filename: 'tariff.pdf', file_data: `data:application/pdf;base64,${BASE64}` } };
const SHOWN = { id: expect.stringMatching(/^img_/), mediaType: 'application/pdf', bytes: PDF.length, name: 'tariff.pdf' };

type Row = Record<string, unknown>;
let bench: ModelBench;
let client: ChatClient;

const as = (person: keyof typeof SECRETS) => ({ authorization: `Bearer ${SECRETS[person]}` });
const request = <T = Row>(method: string, path: string, body?: unknown, person: keyof typeof SECRETS = 'ann') =>
  bench.rest.request<T>(method, path, body, as(person));

/** What the model got in the messages of people of the last request with this text. */
const sentTo = (server: 'a' | 'b', text: string): unknown[] =>
  (bench[server].requests(text).at(-1)?.body.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
const history = async (sessionId: string) =>
  (await request<PageBody<HistoryMessage & { files?: Row[] }>>('GET', `/sessions/${sessionId}/messages`)).body.data;

beforeAll(async () => {
  bench = await startModelBench({
    models: MODELS,
    env: { NETA_API_KEYS: `ann:${SECRETS.ann}:acme:chat+tools,bob:${SECRETS.bob}:globex:chat+tools` },
  });
  bench.a.onTurn('asks', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which one?' } }] });
  bench.a.onTurn('slow', { text: 'in the end', pauseAfter: 0, times: 1 });
  for (const server of [bench.a, bench.b]) server.onTurn(/./, 'read');
  client = await connectChat(bench.gateway.url, { token: SECRETS.ann });
  for (const [name, bytes] of [
    ['tariff.pdf', PDF],
    ['notes.txt', Buffer.from('no file')],
  ] as const)
    await fetch(`${bench.gateway.url}/api/v1/files/${name}`, { method: 'PUT', headers: as('ann'), body: new Uint8Array(bytes) });
});
afterAll(async () => {
  client?.close();
  await bench?.stop();
});

/** Each door's way to send a text with the PDF. Resolves with the id of the session. */
const DOORS: Record<string, (text: string, model: 'a' | 'b') => Promise<string>> = {
  REST: async (input, model) => (await request<{ sessionId: string }>('POST', '/runs', { input, model, files: [pdf] })).body.sessionId,
  'REST by a path': async (input, model) =>
    (await request<{ sessionId: string }>('POST', '/runs', { input, model, files: [{ path: 'tariff.pdf' }] })).body.sessionId,
  'Socket.IO': async (text, model) => {
    const { runId, sessionId } = (await client.send({ type: 'chat', text, model, files: [pdf] })) as unknown as {
      runId: string;
      sessionId: string;
    };
    await client.endOf(runId);
    return sessionId;
  },
};

describe.each(Object.entries(DOORS))('over %s', (door, send) => {
  it('gives a file to a model that reads files, and its text to any other', async () => {
    const text = `read ${door}`;
    const sessionId = await send(text, 'a');
    expect(sentTo('a', text)).toEqual([[{ type: 'text', text }, PART]]);
    expect((await history(sessionId))[0]).toMatchObject({ content: text, files: [SHOWN] });
    const { body: runs } = await request<PageBody<Row>>('GET', `/runs?sessionId=${sessionId}`);
    expect(runs.data).toMatchObject([{ files: [SHOWN] }]);
    await send(`blind ${door}`, 'b');
    const [told] = sentTo('b', `blind ${door}`);
    expect(told).toMatch(new RegExp(`^blind ${door}\n\\[file 1: tariff.pdf, application/pdf, .*; its text follows\\]\n[^]*${TEXT}`));
  });
});

it('gives the bytes to people of the tenant, and 404 to others', async () => {
  const { body } = await request<{ sessionId: string; runId: string }>('POST', '/runs', { input: 'keep it', files: [pdf] });
  const { sessionId, runId } = body;
  const [file] = (await history(sessionId))[0]?.files ?? [];
  const read = (person: keyof typeof SECRETS, path: string) =>
    fetch(`${bench.gateway.url}/api/v1/sessions/${sessionId}/${path}`, { headers: as(person) });
  const answer = await read('ann', `files/${file?.['id']}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toBe('attachment');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect((await read('bob', `files/${file?.['id']}`)).status).toBe(404);
  expect((await read('ann', `images/${file?.['id']}`)).status).toBe(404);
  const { body: events } = await request<PageBody<{ type: string; data: Row }>>('GET', `/runs/${runId}/events`);
  expect(events.data[0]).toMatchObject({ type: 'run_start', data: { files: [SHOWN] } });
});

it('brings the files of a message into a run in progress, and of a late one into the next run', async () => {
  const { runId, sessionId } = await client.chat('slow start', { model: 'a' });
  await client.waitFor('run_start', event => event.runId === runId);
  await request('POST', `/runs/${runId}/steer`, { text: 'the tariff by REST', files: [pdf] });
  await client.send({ type: 'steer', runId, text: 'the tariff by socket', files: [pdf] });
  bench.a.resume();
  await client.endOf(runId);
  for (const text of ['the tariff by REST', 'the tariff by socket']) {
    await client.waitFor('run_end', event => event.sessionId === sessionId && bench.a.requests(text).length > 0);
    expect(JSON.stringify(sentTo('a', text))).toContain(BASE64);
  }
  const told = (await history(sessionId)).filter(({ role }) => role === 'user');
  expect(told.map(({ files }) => files?.length)).toEqual([undefined, 1, 1]);
});

it('answers a question with a file', async () => {
  const { runId } = await client.chat('asks something', { model: 'a' });
  const { data } = await client.waitFor('clarify_request', event => event.runId === runId);
  await request('POST', `/clarifications/${data.requestId}`, { answer: 'this one', files: [pdf] });
  await client.endOf(runId);
  expect(JSON.stringify(sentTo('a', 'The files of my answer.'))).toContain(BASE64);
});

it('answers an edited message with its file, or with another', async () => {
  const { body } = await request<{ sessionId: string }>('POST', '/runs', { input: 'first words', model: 'a', files: [pdf] });
  const [message] = await history(body.sessionId);
  await request('POST', '/runs', { input: 'edited words', model: 'a', editOf: message?.id });
  expect(sentTo('a', 'edited words')).toEqual([[{ type: 'text', text: 'edited words' }, PART]]);
  await request('POST', '/runs', { input: 'other words', model: 'a', editOf: message?.id, files: [{ ...pdf, name: 'b.pdf' }] });
  expect(JSON.stringify(sentTo('a', 'other words'))).toContain('"filename":"b.pdf"');
});

const MIB = 1024 * 1024;
const ofSize = (bytes: number) => ({ base64: Buffer.concat([PDF, Buffer.alloc(bytes - PDF.length)]).toString('base64') });

it.each<[Row[], string, string]>([
  [[], 'invalid_request', '/files'],
  [Array(9).fill(pdf), 'invalid_request', '/files'],
  [[{ name: 'empty.pdf' }], 'invalid_request', '/files/0'],
  [[pdf, { ...pdf, mediaType: 'text/plain' }], 'invalid_request', '/files/1/mediaType'],
  [[{ ...pdf, base64: 'not base64!' }], 'invalid_request', '/files/0/base64'],
  [[{ base64: Buffer.from('x').toString('base64') }], 'invalid_request', '/files/0/base64'],
  [[{ path: 'tariff.pdf', base64: BASE64 }], 'invalid_request', '/files/0/base64'],
  [[{ path: 'notes.txt' }], 'invalid_request', '/files/0/path'],
  [[{ path: '../../globex/workspace/tariff.pdf' }], 'invalid_request', '/files/0/path'],
  [[ofSize(5.5 * MIB), ofSize(5 * MIB)], 'too_large', '/files'],
])('refuses files %#, and names the field', async (files, code, param) => {
  const { body } = await request<ErrorBody>('POST', '/runs', { input: 'wrong', files });
  expect(body.error).toMatchObject({ code, param });
});

it('refuses a message over Socket.IO whose files are too long for it', async () => {
  const { error } = await client.send({ type: 'chat', text: 'long', files: [ofSize(700_000)] });
  expect(error).toMatchObject({ code: 'too_large', param: '/files', message: expect.stringContaining('as a path') });
});

describe('AG-UI', () => {
  const run = (content: object[]) =>
    bench.rest.request<string>(
      'POST',
      '//agui/default',
      {
        threadId: `thread-${JSON.stringify(content).length}`,
        runId: 'r1',
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        messages: [{ id: 'm1', role: 'user', content }],
      },
      as('ann'),
    );

  it.each<[string, object]>([
    [
      'a document',
      { type: 'document', source: { type: 'data', value: BASE64, mimeType: 'application/pdf' }, metadata: { filename: 'tariff.pdf' } },
    ],
    ['a binary part', { type: 'binary', mimeType: 'application/pdf', data: BASE64, filename: 'tariff.pdf' }],
  ])('takes %s', async (what, part) => {
    const text = `agui ${what}`;
    await run([{ type: 'text', text }, part]);
    expect(JSON.stringify(sentTo('a', text))).toContain(BASE64);
  });

  it('refuses a document that is no PDF', async () => {
    const source = { type: 'data', value: 'eA==', mimeType: 'application/msword' };
    const { body } = await run([{ type: 'document', source }]);
    expect(JSON.stringify(body)).toContain('/messages/0/content/0/source: must be a PDF file');
  });
});

describe('A2A', () => {
  const send = (parts: object[]) =>
    bench.rest.request<Row>(
      'POST',
      '//a2a',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message: { messageId: `m-${JSON.stringify(parts).length}`, role: Role[Role.ROLE_USER], parts } },
      },
      { ...as('ann'), 'a2a-version': '1.0' },
    );

  it('takes the bytes of a PDF', async () => {
    await send([{ text: 'by A2A' }, { raw: BASE64, mediaType: 'application/pdf', filename: 'tariff.pdf' }]);
    expect(sentTo('a', 'by A2A')).toEqual([[{ type: 'text', text: 'by A2A' }, PART]]);
  });

  it('refuses an address that it cannot read, and names the part', async () => {
    const { body } = await send([{ text: 'by A2A' }, { url: 'http://127.0.0.1:9/a.pdf', mediaType: 'application/pdf' }]);
    expect(JSON.stringify(body)).toContain('/message/parts/1');
  });
});

describe('files that were uploaded to /v1/files', () => {
  let id: string;
  beforeAll(async () => {
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new Blob([new Uint8Array(PDF)], { type: 'application/pdf' }), 'tariff.pdf');
    const answer = await fetch(`${bench.gateway.url}/v1/files`, { method: 'POST', headers: as('ann'), body: form });
    id = ((await answer.json()) as { id: string }).id;
  });
  const chat = (text: string, fileId: string, person: keyof typeof SECRETS = 'ann') => {
    const content = [
      { type: 'text', text },
      { type: 'file', file: { file_id: fileId } },
    ];
    return request('POST', '//v1/chat/completions', { model: 'default@a', messages: [{ role: 'user', content }] }, person);
  };
  const messages = (text: string, type: 'document' | 'image', person: keyof typeof SECRETS = 'ann') => {
    const content = [
      { type: 'text', text },
      { type, source: { type: 'file', file_id: id } },
    ];
    return request('POST', '//v1/messages', { model: 'default@a', max_tokens: 99, messages: [{ role: 'user', content }] }, person);
  };

  it('are named by file_id in chat completions and in /v1/messages', async () => {
    await chat('chat by id', id);
    expect(sentTo('a', 'chat by id')).toEqual([[{ type: 'text', text: 'chat by id' }, PART]]);
    await messages('message by id', 'document');
    expect(sentTo('a', 'message by id')).toEqual([[{ type: 'text', text: 'message by id' }, PART]]);
  });

  it('are refused when another tenant has them, or when they are of another kind', async () => {
    expect(await chat('chat by id', id, 'bob')).toMatchObject({
      status: 404,
      body: { error: { param: expect.stringContaining('file_id') } },
    });
    expect(await chat('chat by id', 'file_none')).toMatchObject({ status: 404 });
    expect(await messages('message by id', 'document', 'bob')).toMatchObject({ status: 404 });
    const { body } = await messages('message by id', 'image');
    expect(JSON.stringify(body)).toContain('/messages/0/content/1/source/file_id: must be a png');
  });
});
