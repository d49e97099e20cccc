/** PDF files of official clients: a model that reads files gets the bytes, any other model gets the text. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';
import { makePdf } from '../support/site';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { responsesWire } from '../support/wires/responses_wire';
import { type ServedAddress, startWireServer, type WireServer } from '../support/wires/wire_server';

const TEXT = 'Lighthouse tariff 1887';
const PDF = makePdf(TEXT).toString('base64');
const DATA_URL = `data:application/pdf;base64,${PDF}`;
const servers: WireServer[] = [];
const addresses: ServedAddress[] = [];
let config: AgentConfig;
let gateway: Gateway;
let anthropic: Anthropic;
let openai: OpenAI;
let rest: RestClient;

beforeAll(async () => {
  const rows: string[] = [];
  for (const [id, wire, fields] of [
    ['reader', anthropicWire, ', files: true'],
    ['blind', anthropicWire, ''],
    ['responses', responsesWire, ', files: true'],
  ] as const) {
    const server = await startWireServer(wire);
    servers.push(server);
    const address = server.serve({ parts: [{ text: ['Noted.'] }] });
    addresses.push(address);
    rows.push(`  - { id: ${id}, api: ${wire.name}, baseUrl: "${address.baseUrl}", model: ${wire.model}${fields} }`);
  }
  config = await createProfiles({ default: 'toolsets: []' });
  await writeFile(join(config.directory, 'models.yaml'), `models:\n${rows.join('\n')}\n`);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 });
  rest = createRestClient(gateway.url);
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 });
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(servers.map(server => server.stop()));
  await config?.remove();
});

/** The parts of the last message that the server of a model received. */
const lastParts = (model: 'reader' | 'blind' | 'responses'): string[] =>
  addresses[['reader', 'blind', 'responses'].indexOf(model)]?.requests.at(-1)?.messages.at(-1)?.parts ?? [];

const document = (title?: string, data = PDF): Anthropic.DocumentBlockParam => ({
  type: 'document',
  title,
  source: { type: 'base64', media_type: 'application/pdf', data },
});
const ask = (model: string, content: Anthropic.ContentBlockParam[]) =>
  anthropic.messages.create({ model: `default@${model}`, max_tokens: 100, messages: [{ role: 'user', content }] });

test('/v1/messages: a document reaches a model that reads files, and any other as text', async () => {
  const content = [document('tariff.pdf'), { type: 'text' as const, text: 'which year' }];
  await ask('reader', content);
  expect(lastParts('reader')).toEqual([`file:tariff.pdf:${PDF}`, 'which year']);
  await ask('blind', content);
  expect(lastParts('blind').join()).toMatch(
    new RegExp(`^which year\n\\[file 1: tariff.pdf, application/pdf, .*; its text follows\\]\n[^]*${TEXT}`),
  );
});

test('/v1/messages: later turns of a session send the file again', async () => {
  const { response } = await anthropic.messages
    .create({ model: 'default@reader', max_tokens: 100, messages: [{ role: 'user', content: [document('a.pdf')] }] })
    .withResponse();
  const headers = { 'x-session-id': response.headers.get('x-session-id') ?? '' };
  const messages = [{ role: 'user' as const, content: 'and now' }];
  await anthropic.messages.create({ model: 'default@reader', max_tokens: 100, messages }, { headers });
  expect(JSON.stringify(addresses[0]?.requests.at(-1)?.messages)).toContain(`file:a.pdf:${PDF}`);
});

test('the history names the file without its text, and a fork and a new answer keep it', async () => {
  const { data, response } = await anthropic.messages
    .create({
      model: 'default@reader',
      max_tokens: 100,
      messages: [{ role: 'user', content: [document('b.pdf'), { type: 'text', text: 'once' }] }],
    })
    .withResponse();
  const sessionId = response.headers.get('x-session-id') ?? '';
  const bytes = Buffer.from(PDF, 'base64').length;
  const [sent] = await rest.history(sessionId);
  expect(sent).toMatchObject({ content: 'once', files: [{ id: expect.any(String), mediaType: 'application/pdf', bytes, name: 'b.pdf' }] });
  expect(JSON.stringify(sent)).not.toContain(TEXT);
  const sentWithFile = (text: string) =>
    addresses[0]?.requests.filter(({ messages }) => {
      const parts = messages.flatMap(message => message.parts);
      return parts.includes(`file:b.pdf:${PDF}`) && parts.some(part => part.includes(text));
    }).length;
  const { body: fork } = await rest.request<{ id: string }>('POST', `/sessions/${sessionId}/fork`, {});
  await rest.run({ input: 'and in the fork', sessionId: fork.id, model: 'reader' });
  expect(sentWithFile('and in the fork')).toBe(1);
  const { body } = await rest.request<{ status: string }>('POST', '/runs', {
    regenerate: data.id.replace('msg_', 'run_'),
    model: 'reader',
  });
  expect(body.status).toBe('completed');
  expect(sentWithFile('once')).toBe(3);
});

test('/v1/messages: a document in a result stands in the message behind it', async () => {
  const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: {} };
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [call] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [document('found.pdf')] },
        { type: 'text', text: 'well?' },
      ],
    },
  ];
  await anthropic.messages.create({ model: 'default@reader', max_tokens: 100, messages });
  expect(lastParts('reader')).toEqual(expect.arrayContaining([`file:found.pdf:${PDF}`, 'well?']));
});

const completion = (model: string, file: OpenAI.ChatCompletionContentPart.File.File) =>
  openai.chat.completions.create({
    model: `default@${model}`,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'which year' },
          { type: 'file', file },
        ],
      },
    ],
  });

test('chat completions: a part of the type file reaches a model that reads files, and any other as text', async () => {
  await completion('responses', { filename: 'tariff.pdf', file_data: DATA_URL });
  expect(lastParts('responses')).toEqual([`file:tariff.pdf:${PDF}`, 'which year']);
  await completion('blind', { filename: 'tariff.pdf', file_data: PDF });
  expect(lastParts('blind').join()).toContain(TEXT);
});

test('/v1/responses: input_file by id and as bytes reaches a model that reads files; any other model gets the paths', async () => {
  const file = await openai.files.create({ file: await toFile(Buffer.from(PDF, 'base64'), 'tariff.pdf'), purpose: 'user_data' });
  const request = (model: string, source: { file_id: string } | { file_data: string; filename: string }) =>
    openai.responses.create({
      model: `default@${model}`,
      input: [{ role: 'user', content: [{ type: 'input_file', ...source }] }],
    });
  await request('responses', { file_id: file.id });
  const path = `uploads/${file.id}-tariff.pdf`;
  expect(lastParts('responses')).toEqual([`file:tariff.pdf:${PDF}`, `@${path}\n@${path}.txt`]);
  const response = await request('responses', { file_data: DATA_URL, filename: 'own.pdf' });
  expect(lastParts('responses')[0]).toBe(`file:own.pdf:${PDF}`);
  const [item] = (await openai.responses.inputItems.list(response.id)).data;
  expect(item).toMatchObject({ content: [{ type: 'input_file', file_id: null, filename: 'own.pdf' }] });
  await request('blind', { file_id: file.id });
  expect(lastParts('blind').join()).toContain(`@${path}.txt`);
  expect(lastParts('blind').join()).not.toContain('file:');
});

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    ({ status, message }: { status: number; message: string }) => ({ status, message }),
  );

test.each<[what: string, send: () => Promise<unknown>, status: number, at: string]>([
  ['a document that is no PDF', () => ask('reader', [document('x', 'eA==')]), 400, '/messages/0/content/0/source/data: must be a PDF file'],
  ['documents over 10 MiB together', () => ask('reader', [large(), large()]), 413, '/messages/0/content/1/source/data'],
  [
    'more than 16 documents',
    () =>
      ask(
        'reader',
        Array.from({ length: 17 }, () => document()),
      ),
    400,
    '/messages/0/content/16/source/data: a request may have at most 16',
  ],
  ['a part that is no PDF', () => completion('reader', { file_data: 'eA==' }), 400, '/messages/0/content/1/file/file_data'],
  ['a part that names no file', () => completion('reader', {}), 400, '/messages/0/content/1/file/file_data'],
])('refuses %s, and names the field', async (_what, send, status, at) => {
  expect(await refusalOf(send())).toMatchObject({ status, message: expect.stringContaining(at) });
});

const large = () => document('large.pdf', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5.2 * 1024 * 1024)]).toString('base64'));
