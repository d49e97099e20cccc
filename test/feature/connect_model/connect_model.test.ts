/** Connects a model to a gateway that began with the demo: no restart, the key in a file of its own, and the words of a server that refuses. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createAgentConfig } from '../../support/agent_config';
import { type Gateway, startGateway } from '../../support/gateway';
import { KEY, type KeyedModel, startKeyedModel } from '../../support/keyed_model';
import { type MockModel, startMockModel } from '../../support/mock_model';
import { createRestClient, type ErrorBody, type PageBody, type RestClient } from '../../support/rest_client';

let model: MockModel;
let server: KeyedModel;
let config: AgentConfig;
let directory: string;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  [model, config] = await Promise.all([startMockModel(), createAgentConfig(['base'])]);
  server = await startKeyedModel(model);
  directory = config.directory;
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: directory } });
  rest = createRestClient(gateway.url);
});
afterAll(async () => {
  await gateway?.stop();
  server?.stop();
  await model?.stop();
  await config?.remove();
});

interface Check {
  ok: boolean;
  models: string[];
  problem?: { code: string; message: string };
}
const check = async (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  (await rest.request<Check>('POST', '/model-providers/check', { provider: 'other', baseUrl: server.baseUrl, ...body }, headers)).body;
const connect = (body: Record<string, unknown>) =>
  rest.request<{ id: string } & ErrorBody>('POST', '/model-providers/connect', {
    provider: 'other',
    baseUrl: server.baseUrl,
    apiKey: KEY,
    ...body,
  });

it('lists the providers with the page on which people get a key', async () => {
  const { body } = await rest.request<PageBody<{ id: string; baseUrl?: string; needsKey: boolean }>>('GET', '/model-providers?limit=50');
  expect(body.data).toContainEqual({
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    needsKey: true,
    keyPage: expect.stringMatching(/^https:/),
  });
  expect(body.data.find(({ id }) => id === 'ollama')).toMatchObject({ needsKey: false });
});

it("tries a key and repeats the server's own words", async () => {
  expect(await check({ apiKey: KEY })).toEqual({ ok: true, models: ['gpt-small', 'gpt-large'] });
  const refused = await check({ apiKey: 'sk-wrong-0123456789' });
  expect(refused).toMatchObject({ ok: false, models: [], problem: { code: 'model_refused' } });
  expect(refused.problem?.message).toMatch(/check the API key.*you know which/);
  const inChinese = await check({ apiKey: 'sk-wrong-0123456789' }, { 'accept-language': 'zh-CN' });
  expect(inChinese.problem?.message).toMatch(/请检查 API 密钥/);
  const away = await check({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: KEY });
  expect(away.problem).toMatchObject({ code: 'model_unreachable' });
  model.onTurn('the word OK', { error: { status: 404, message: 'The model gpt-none does not exist' } });
  expect((await check({ apiKey: KEY, model: 'gpt-none' })).problem?.message).toContain('gpt-none does not exist');
});

it.each([
  ['a malformed address', { baseUrl: 'not-an-address' }, '/baseUrl'],
  ['an address with a password', { baseUrl: 'https://me:secret@example.com' }, '/baseUrl'],
  ['an unknown provider', { provider: 'nobody' }, '/provider'],
  ['a key with a line end', { apiKey: 'sk-\n' }, '/apiKey'],
])('refuses %s', async (_what, body, param) => {
  const { status, body: answer } = await connect({ model: 'gpt-small', ...body });
  expect([status, answer.error.param]).toEqual([400, param]);
});

it('answers with the model at once, keeps its key from every reader, and still does after a restart', async () => {
  expect((await rest.run({ input: 'what can you do' })).body.text).toContain('demo');
  const { status, body } = await connect({ model: 'gpt-small' });
  expect([status, body]).toMatchObject([201, { id: 'gpt-small', model: 'gpt-small', default: true, state: 'ok' }]);
  model.onTurn('are you real', 'I am real.');
  expect((await rest.run({ input: 'are you real' })).body.text).toBe('I am real.');

  const yaml = await readFile(join(directory, 'models.yaml'), 'utf8');
  expect(yaml).toContain('apiKeyEnv: MODEL_API_KEY');
  const secrets = join(gateway.dataDir, 'secrets.yaml');
  expect((await stat(secrets)).mode & 0o777).toBe(0o600);
  const { body: rows } = await rest.request<PageBody<object>>('GET', '/audit?action=config.write');
  expect(rows.data).toMatchObject([{ actor: 'local', target: 'models.yaml' }]);
  for (const text of [yaml, gateway.output(), JSON.stringify(rows)]) expect(text).not.toContain(KEY);

  await gateway.restart();
  expect((await rest.run({ input: 'are you real' })).body.text).toBe('I am real.');
});

it('keeps the comments of models.yaml, replaces a model of the same server, and refuses a file with a mistake', async () => {
  const path = join(directory, 'models.yaml');
  const before = (await readFile(path, 'utf8')).replace('model: gpt-small', 'model: gpt-small\n    contextWindow: 64000 # measured');
  await writeFile(path, `# The house model.\n${before}fallback: [gpt-small]\n`);
  expect((await connect({ model: 'gpt-large', label: 'Large' })).status).toBe(201);
  expect((await connect({ model: 'gpt-small' })).body.id).toBe('gpt-small');
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(/^# The house model\.[\s\S]*contextWindow: 64000 # measured/);
  expect(text.match(/id: /g)).toHaveLength(2);
  const { body } = await rest.request<PageBody<{ id: string; default: boolean }>>('GET', '/models');
  expect(body.data.map(({ id, default: isDefault }) => [id, isDefault])).toEqual([
    ['gpt-small', true],
    ['gpt-large', false],
  ]);

  await writeFile(path, 'models: [{ id: x }]\n');
  const refused = await connect({ model: 'gpt-small' });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('models.yaml')]);
  expect(await readFile(path, 'utf8')).toBe('models: [{ id: x }]\n');
});

it.each([
  ['https://api.anthropic.com/v1', 'anthropic', 'claude-opus-4-5', 'https://api.anthropic.com'],
  [
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'gemini',
    'gemini-3-flash-preview',
    'https://generativelanguage.googleapis.com',
  ],
])('replaces a model that was written with another address of the same server: %s', async (baseUrl, provider, name, address) => {
  const path = join(directory, 'models.yaml');
  await writeFile(path, `models:\n  - { id: known, model: ${name}, baseUrl: "${baseUrl}" }\n`);
  const { status, body } = await rest.request<{ id: string; api: string }>('POST', '/model-providers/connect', {
    provider,
    apiKey: KEY,
    model: name,
  });
  expect([status, body.id]).toEqual([201, 'known']);
  const text = await readFile(path, 'utf8');
  expect(text.match(/id: /g)).toHaveLength(1);
  expect(text).toMatch(new RegExp(`baseUrl: "?${address}"?[ ,\n]`));
});

it('checks a server, and adds and changes a model by its id', async () => {
  const path = join(directory, 'models.yaml');
  await writeFile(path, 'models:\n  - id: house\n    model: gpt-small\n    idleMs: 5000 # slow network\n');
  const checkModel = async (body: object) =>
    (await rest.request<object>('POST', '/models/check', { baseUrl: server.baseUrl, ...body })).body;
  expect(await checkModel({ key: KEY })).toEqual({
    ok: true,
    models: ['gpt-small', 'gpt-large'],
    message: 'The server answers. It has 2 models.',
  });
  expect(await checkModel({ key: 'sk-wrong-0123456789', api: 'chat' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/check the API key.*you know which/),
  });

  const put = (id: string, body: object) => rest.request<object & ErrorBody>('PUT', `/models/${id}`, { baseUrl: server.baseUrl, ...body });
  const price = { input: 1, output: 2 };
  const added = await put('second', { model: 'gpt-large', key: KEY, contextWindow: 32_000, images: true, files: true, price });
  expect([added.status, added.body]).toMatchObject([
    201,
    { id: 'second', default: false, contextWindow: 32_000, images: true, files: true, price },
  ]);
  const changed = await put('house', { model: 'gpt-small', label: 'House', key: KEY });
  expect([changed.status, changed.body]).toMatchObject([200, { id: 'house', label: 'House', default: true }]);
  expect(await readFile(path, 'utf8')).toContain('idleMs: 5000 # slow network');
  const { status, body } = await put('second', { model: 'gpt-large' });
  expect([status, body]).toMatchObject([200, { id: 'second', images: false, files: false }]);
  expect(body).not.toHaveProperty('price');
  expect((await rest.run({ input: 'are you real', model: 'second' })).body.text).toBe('I am real.');
  const secrets = async () => readFile(join(gateway.dataDir, 'secrets.yaml'), 'utf8');
  const keyNames = async () => (await secrets()).match(/^\w+(?=:)/gm);
  const before = await keyNames();
  // Two at once: each model keeps its own key, and the key that was replaced is gone.
  const both = await Promise.all([
    put('house', { model: 'gpt-small', key: 'sk-one-0123456789' }),
    put('second', { model: 'gpt-large', key: KEY }),
  ]);
  expect(both.map(answer => answer.status)).toEqual([200, 200]);
  expect((await rest.run({ input: 'are you real', model: 'second' })).body.text).toBe('I am real.');
  expect((await rest.run({ input: 'are you real', model: 'house' })).body.status).toBe('failed');
  await put('house', { model: 'gpt-small', key: KEY });
  expect(await keyNames()).toEqual(before);
  expect(await secrets()).not.toContain('sk-one');
  // A key that is stored goes to no other server.
  for (const baseUrl of [undefined, 'http://127.0.0.1:9/v1']) {
    const elsewhere = await put('house', { model: 'gpt-small', baseUrl });
    expect([elsewhere.status, elsewhere.body.error.param]).toEqual([400, '/key']);
  }
  const wrong = await put('second', { model: 'gpt-large', baseUrl: 'ftp://x' });
  expect([wrong.status, wrong.body.error.param]).toEqual([400, '/baseUrl']);
});
