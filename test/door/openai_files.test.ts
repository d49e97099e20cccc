/** Files at /v1, and files as input of responses, with the official client. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { fingerprintOf } from '../../src/utils/fingerprint';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { createRestClient, type ErrorBody } from '../support/rest_client';
import { makePdf, type Site, startSite } from '../support/site';
import { until } from '../support/until';

const KEY = 'key-of-ada-0123456789';
const RIVAL_KEY = 'key-of-ben-0123456789';

let model: MockModel;
let gateway: Gateway;
let site: Site;
let client: OpenAI;
let rival: OpenAI;
const slowAnswers: (() => void)[] = [];

beforeAll(async () => {
  model = await startMockModel();
  const sendText = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/plain' }).end('leeks\n');
  site = await startSite({ '/plan.txt': sendText, '/slow.txt': response => void slowAnswers.push(() => sendText(response)) });
  gateway = await startGateway({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'key',
      NETA_MODEL: 'mock',
      NETA_FETCH_ALLOW: site.host,
      NETA_API_KEYS: `ada:${KEY}:acme:chat,ben:${RIVAL_KEY}:globex:chat`,
    },
  });
  const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  client = clientOf(KEY);
  rival = clientOf(RIVAL_KEY);
});

afterAll(async () => {
  await gateway.stop();
  await site.stop();
  await model.stop();
});

/** The path on disk of a file of the tenant. */
const inWorkspace = (path: string): string => join(gateway.dataDir, 'tenants/acme/workspace', path);

const upload = async (text: string, name = 'beds.csv', rest: { expires_after?: { anchor: 'created_at'; seconds: number } } = {}) =>
  client.files.create({ file: await toFile(Buffer.from(text), name), purpose: 'user_data', ...rest });

interface SlowUpload {
  /** Resolves when the gateway answers: at once when it refuses, otherwise after `end`. */
  status: Promise<number | undefined>;
  /** Sends the last bytes. */
  end(): void;
}

function startUpload(): SlowUpload {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'multipart/form-data; boundary=b' };
  const upload = request(`${gateway.url}/v1/files`, { method: 'POST', headers });
  const part = (name: string, rest = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  // The connection of a refused upload ends.
  upload.on('error', () => {});
  upload.write(`${part('purpose')}user_data\r\n${part('file', '; filename="slow.txt"')}slow`);
  const status = (once(upload, 'response') as Promise<[IncomingMessage]>).then(([response]) => response.resume().statusCode);
  return { status, end: () => void upload.end('ly\r\n--b--\r\n') };
}

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (thrown: InstanceType<typeof OpenAI.APIError>) => ({ status: thrown.status, code: thrown.code, param: thrown.param }),
  );

type FilePart = { type: 'input_file'; file_id?: string; file_data?: string; file_url?: string; filename?: string };
const asks = (text: string, ...parts: FilePart[]) => ({
  model: 'default',
  input: [{ type: 'message' as const, role: 'user' as const, content: [{ type: 'input_text' as const, text }, ...parts] }],
});

/** The paths that the last message of a person names. */
const pathsSent = (text: string): string[] => {
  const message = model
    .requests(text)
    .at(-1)
    ?.body.messages.findLast(({ role }) => role === 'user');
  return [...JSON.stringify(message?.content).matchAll(/@(?:\\"([^"]+)\\"|([\w./-]+))/g)].map(([, quoted, bare]) =>
    (quoted ?? bare ?? '').replace(/\\+$/, ''),
  );
};

/** Lets the agent read the file that the message names last. */
const onRead = (text: string) =>
  model.onTurn(
    text,
    ({ userText: input }) => ({ toolCalls: [{ name: 'read_file', arguments: { path: /@"?([^\s"]+)"?\s*$/.exec(input)?.[1] ?? '' } }] }),
    ({ toolResults }) => `It says: ${toolResults.at(-1)}`,
  );

test('uploads a file, lists it, gives its bytes back, and deletes it', async () => {
  const made = await upload('bed,plant\n1,beans\n');
  expect(made).toMatchObject({ object: 'file', bytes: 18, filename: 'beds.csv', purpose: 'user_data', status: 'processed' });
  expect(made.expires_at).toBeUndefined();
  expect(await client.files.retrieve(made.id)).toEqual(made);
  const content = await client.files.content(made.id);
  expect(content.headers.get('content-disposition')).toContain('beds.csv');
  expect(await content.text()).toBe('bed,plant\n1,beans\n');
  const path = inWorkspace(`uploads/${made.id}-beds.csv`);
  expect(existsSync(path)).toBe(true);
  expect(await client.files.delete(made.id)).toEqual({ id: made.id, object: 'file', deleted: true });
  expect(await refusalOf(client.files.retrieve(made.id))).toEqual({ status: 404, code: 'not_found', param: 'file_id' });
  expect(existsSync(path)).toBe(false);
});

test('lists files in pages, in both orders, by purpose', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  for (const name of names) await upload(name, name);
  await client.files.create({ file: await toFile(Buffer.from('x'), 'd.txt'), purpose: 'assistants' });
  const listed: string[] = [];
  for await (const file of client.files.list({ limit: 2, order: 'asc', purpose: 'user_data' })) listed.push(file.filename);
  expect(listed.slice(-3)).toEqual(names);
  const [newest] = (await client.files.list({ limit: 1 })).data;
  expect(newest?.filename).toBe('d.txt');
});

test('a file that has expired is gone', async () => {
  const file = await upload('soon', 'soon.txt', { expires_after: { anchor: 'created_at', seconds: 3600 } });
  expect(file.expires_at).toBe(file.created_at + 3600);
  for (const seconds of [3599, 2_592_001])
    expect(await refusalOf(upload('x', 'x.txt', { expires_after: { anchor: 'created_at', seconds } }))).toMatchObject({
      status: 400,
      param: '/expires_after/seconds',
    });
});

test('the agent reads a file that a message brings by its id', async () => {
  const file = await upload('bed,plant\n1,beans\n');
  onRead('which plants');
  const response = await client.responses.create(asks('which plants', { type: 'input_file', file_id: file.id }));
  expect(response.output_text).toContain('1,beans');
  const items = await client.responses.inputItems.list(response.id);
  expect(items.data[0]).toMatchObject({
    content: [{ text: 'which plants' }, { type: 'input_file', file_id: file.id, filename: 'beds.csv' }],
  });
});

test('the agent reads a file whose bytes come with the message, once stored however often it is sent', async () => {
  onRead('read this');
  const file_data = `data:text/plain;base64,${Buffer.from('carrots\n').toString('base64')}`;
  const part = { type: 'input_file' as const, file_data, filename: 'my list.txt' };
  for (let i = 0; i < 2; i++) await client.responses.create(asks('read this', part));
  const [first, second] = model.requests('read this').filter(({ body }) => body.messages.at(-1)?.role === 'user');
  expect(JSON.stringify(first?.body.messages.at(-1))).toContain('my list.txt');
  expect(second?.body.messages.at(-1)?.content).toEqual(first?.body.messages.at(-1)?.content);
  const { data } = await client.files.list();
  expect(data.map(({ filename }) => filename)).not.toContain('my list.txt');
});

test('bytes that come again do not overwrite what was changed in the file', async () => {
  onRead('what has changed');
  const part = { type: 'input_file' as const, file_data: Buffer.from('radishes\n').toString('base64'), filename: 'roots.txt' };
  await client.responses.create(asks('what has changed', part));
  const [path = ''] = pathsSent('what has changed');
  await writeFile(inWorkspace(path), 'parsnips\n');
  const again = await client.responses.create(asks('what has changed', part));
  expect(again.output_text).toContain('parsnips');
});

test('beside a PDF stands its text', async () => {
  onRead('which tariff');
  const file = await client.files.create({ file: await toFile(makePdf('Lighthouse tariff 1887'), 'tariff.pdf'), purpose: 'user_data' });
  const response = await client.responses.create(asks('which tariff', { type: 'input_file', file_id: file.id }));
  expect(response.output_text).toContain('Lighthouse tariff 1887');
  expect(pathsSent('which tariff')).toEqual([`uploads/${file.id}-tariff.pdf`, `uploads/${file.id}-tariff.pdf.txt`]);
  const paths = pathsSent('which tariff').map(inWorkspace);
  expect(paths.map(existsSync)).toEqual([true, true]);
  await client.files.delete(file.id);
  expect(paths.map(existsSync)).toEqual([false, false]);
});

test('deletes a file in whose place a directory is', async () => {
  const { id } = await upload('x', 'moved.txt');
  const path = inWorkspace(`uploads/${id}-moved.txt`);
  await rm(path);
  await mkdir(path);
  expect(await client.files.delete(id)).toMatchObject({ id, deleted: true });
  expect(existsSync(path)).toBe(true);
});

test('the agent reads a file from an address', async () => {
  onRead('what is planned');
  const response = await client.responses.create(asks('what is planned', { type: 'input_file', file_url: site.url('/plan.txt') }));
  expect(response.output_text).toContain('leeks');
  const missing = client.responses.create(asks('what is planned', { type: 'input_file', file_url: site.url('/none.txt') }));
  expect(await refusalOf(missing)).toMatchObject({ status: 400, param: '/input/0/content/1/file_url' });
});

test('a large file comes with the message', async () => {
  model.onTurn('large', 'Seen.');
  const file_data = Buffer.alloc(3_000_000, 'x').toString('base64');
  const response = await client.responses.create(asks('large', { type: 'input_file', file_data, filename: 'large.txt' }));
  expect(response.output_text).toBe('Seen.');
});

test('a tenant downloads four files at once, which keeps neither its uploads nor another tenant waiting', async () => {
  model.onTurn('slow file', 'Read.');
  const slow = (i: number) => asks('slow file', { type: 'input_file', file_url: site.url(`/slow.txt?${i}`) });
  const waiting = Array.from({ length: 4 }, (_, i) => client.responses.create(slow(i)));
  await until(() => slowAnswers.length === 4);
  expect(await refusalOf(client.responses.create(slow(4)))).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  const file = { type: 'input_file' as const, file_data: base64, filename: 'more.txt' };
  expect((await client.responses.create(asks('slow file', file))).output_text).toBe('Read.');
  expect(await upload('more')).toMatchObject({ filename: 'beds.csv' });
  const other = rival.responses.create(slow(5));
  await until(() => slowAnswers.length === 5);
  for (const end of slowAnswers) end();
  for (const { output_text } of await Promise.all([...waiting, other])) expect(output_text).toBe('Read.');
});

test('a tenant holds four files in memory at once; another tenant has room', async () => {
  const uploads = Array.from({ length: 5 }, () => startUpload());
  // The fifth, whichever it is, is answered first.
  const refused = await Promise.race(uploads.map(upload => upload.status.then(() => upload)));
  const held = uploads.filter(upload => upload !== refused);
  expect(await refused.status).toBe(429);
  expect(await refusalOf(upload('more'))).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  const file = { type: 'input_file' as const, file_data: base64, filename: 'more.txt' };
  expect(await refusalOf(client.responses.create(asks('slow file', file)))).toMatchObject({ status: 429 });
  expect((await rival.responses.create(asks('slow file', file))).output_text).toBe('Read.');
  for (const { end } of held) end();
  expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200, 200, 200]);
  expect((await client.responses.create(asks('slow file', file))).output_text).toBe('Read.');
});

test('the same bytes have the name that earlier versions gave them', async () => {
  model.onTurn('keep my name', 'Kept.');
  const bytes = Buffer.from(Array.from({ length: 200_001 }, (_, i) => i % 251));
  const hash = fingerprintOf(bytes.toString('base64'))
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 12);
  await client.responses.create(asks('keep my name', { type: 'input_file', file_data: bytes.toString('base64'), filename: 'x.bin' }));
  expect(pathsSent('keep my name')).toEqual([`uploads/${hash}-x.bin`]);
});

test('an item of a conversation brings a file', async () => {
  onRead('what is in it');
  const file = await upload('turnips\n', 'roots.txt');
  const content = [
    { type: 'input_text' as const, text: 'Here is a file.' },
    { type: 'input_file' as const, file_id: file.id },
  ];
  const { id } = await client.conversations.create({ items: [{ type: 'message', role: 'user', content }] });
  const [item] = (await client.conversations.items.list(id)).data;
  expect(JSON.stringify(item)).toContain(`@uploads/${file.id}-roots.txt`);
});

test('another tenant sees no file', async () => {
  const { id } = await upload('mine');
  const calls = [
    rival.files.retrieve(id),
    rival.files.content(id),
    rival.files.delete(id),
    rival.files.list({ after: id }),
    rival.responses.create(asks('x', { type: 'input_file', file_id: id })),
  ];
  for (const call of calls) expect(await refusalOf(call)).toMatchObject({ status: 404, code: 'not_found' });
  expect((await rival.files.list()).data).toEqual([]);
});

const base64 = Buffer.from('x').toString('base64');
test.each<[what: string, part: Omit<FilePart, 'type'>, status: number, field: string]>([
  ['an unknown file', { file_id: 'file_x' }, 404, '/file_id'],
  ['two sources', { file_id: 'file_x', file_data: base64 }, 400, ''],
  ['no source', { filename: 'x' }, 400, ''],
  ['bytes that are no base64', { file_data: 'ä', filename: 'x' }, 400, '/file_data'],
  ['a private address', { file_url: 'http://127.0.0.1:9/x.txt' }, 400, '/file_url'],
  ['an address of another kind', { file_url: 'file:///etc/passwd' }, 400, '/file_url'],
])('refuses %s in a message', async (_what, part, status, field) => {
  const at = `/input/0/content/1${field}`;
  expect(await refusalOf(client.responses.create(asks('x', { type: 'input_file', ...part })))).toMatchObject({ status, param: at });
});

test('refuses more than ten files, and a file of an answer', async () => {
  const parts = Array.from({ length: 11 }, () => ({ type: 'input_file' as const, file_data: base64, filename: 'x.txt' }));
  expect(await refusalOf(client.responses.create(asks('x', ...parts)))).toMatchObject({ status: 400, param: '/input/0/content/11' });
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'input_file', file_data: base64 }] } as never;
  expect(await refusalOf(client.responses.create({ model: 'default', input: [answer] }))).toMatchObject({
    status: 400,
    param: '/input/0/content/0',
  });
});

const authorization = `Bearer ${KEY}`;
const send = (body: FormData | string, headers = {}) =>
  fetch(`${gateway.url}/v1/files`, { method: 'POST', body, headers: { authorization, ...headers } });
const formOf = (fields: Record<string, string | Blob>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

test.each<[what: string, form: () => FormData, status: number, param: string]>([
  ['a purpose of another service', () => formOf({ purpose: 'fine-tune', file: new File(['x'], 'x') }), 400, 'purpose'],
  ['no purpose', () => formOf({ file: new File(['x'], 'x') }), 400, 'purpose'],
  ['no file', () => formOf({ purpose: 'user_data' }), 400, 'file'],
  ['a text in place of a file', () => formOf({ purpose: 'user_data', file: 'x' }), 400, 'file'],
  ['a file over 25 MiB', () => formOf({ purpose: 'user_data', file: new File([Buffer.alloc(25 * 1024 * 1024 + 1)], 'x') }), 413, 'file'],
  [
    'another anchor',
    () =>
      formOf({
        purpose: 'user_data',
        file: new File(['x'], 'x'),
        'expires_after[anchor]': 'last_active_at',
        'expires_after[seconds]': '3600',
      }),
    400,
    '/expires_after/anchor',
  ],
])('refuses an upload with %s', async (_what, form, status, param) => {
  const answer = await send(form());
  expect([answer.status, ((await answer.json()) as { error: { param: string } }).error.param]).toEqual([status, param]);
});

test('refuses a body that is no form, in the language of the caller', async () => {
  expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415);
  const broken = await send('no form', { 'content-type': 'multipart/form-data; boundary=x', 'accept-language': 'zh-CN' });
  expect(broken.status).toBe(400);
  expect(((await broken.json()) as { error: { message: string } }).error.message).toMatch(/请求体/);
});

test('a name cannot lead out of the directory for uploads, and a file with keys is refused', async () => {
  const file = await upload('x', '../../out.txt');
  expect(await (await client.files.content(file.id)).text()).toBe('x');
  expect(existsSync(join(gateway.workspace, '../out.txt'))).toBe(false);
  const rest = createRestClient(gateway.url);
  const { body } = await rest.request<{ data: { path: string }[] } & ErrorBody>('GET', '/files?path=uploads', undefined, { authorization });
  expect(body.data.map(({ path }) => path)).toContain(`uploads/${file.id}-out.txt`);
});
