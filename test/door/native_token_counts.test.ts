/** Tokens as the server of a model counts them: for the doors that tell them, and before a long history is summarised. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type PageBody, type RestClient } from '../support/rest_client';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire } from '../support/wires/model_wire';
import { responsesWire } from '../support/wires/responses_wire';
import { type ServedAddress, startWireServer, type WireServer } from '../support/wires/wire_server';

const WIRES: readonly ModelWire[] = [anthropicWire, responsesWire, googleWire];
const WINDOW = 40_000;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const servers: WireServer[] = [];
const addresses = new Map<string, ServedAddress>();
let config: AgentConfig;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  for (const wire of WIRES) {
    const server = await startWireServer(wire);
    servers.push(server);
    addresses.set(wire.name, server.serve({ parts: [{ text: ['Noted.'] }] }));
  }
  // The doors of other protocols name an agent as their model.
  const agents = WIRES.map(({ name }) => [name, `toolsets: []\nmodel: ${name}`]);
  config = await createProfiles({ default: 'toolsets: []', ...Object.fromEntries(agents) });
  const rows = WIRES.map(({ name, model }) => {
    const common = `id: ${name}, api: ${name}, baseUrl: "${addresses.get(name)?.baseUrl}", model: ${model}`;
    return `  - { ${common}, images: true, contextWindow: ${WINDOW} }`;
  });
  await writeFile(join(config.directory, 'models.yaml'), `models:\n${rows.join('\n')}\n`);
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  rest = createRestClient(gateway.url);
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(servers.map(server => server.stop()));
  await config?.remove();
});

const addressOf = (name: string): ServedAddress => {
  const address = addresses.get(name);
  if (!address) throw new Error(`There is no server of ${name}.`);
  return address;
};

const HOW_LONG = [
  { type: 'text', text: 'how long is this' },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
];

const count = async (path: string, body: object) => (await rest.request<{ input_tokens: number }>('POST', path, body)).body;
const countMessages = (model: string) => count('//v1/messages/count_tokens', { model, messages: [{ role: 'user', content: HOW_LONG }] });
const countInput = (model: string) => count('//v1/responses/input_tokens', { model, input: 'how long is this' });

it.each(WIRES.map(({ name }) => name))('are those of the server at both doors, images included: %s', async name => {
  const address = addressOf(name);
  address.tokens = 4_321;
  expect(await countMessages(name)).toEqual({ input_tokens: 4_321 });
  expect(await countInput(name)).toEqual({ object: 'response.input_tokens', input_tokens: 4_321 });
  const [messages, input] = address.counted.map(body => JSON.stringify(body));
  expect(messages).toContain('how long is this');
  expect(messages).toContain(PIXEL);
  expect(input).toContain('how long is this');
});

/** Some 19,000 tokens for the tokenizer: two of them are more than a request of this window may have. */
const LONG = 'The bed has beans and peas in it. '.repeat(2_150);

async function askTwice(model: string) {
  const { body: first } = await rest.run({ input: LONG, model });
  const { body: second } = await rest.run({ input: LONG, model, sessionId: first.sessionId });
  const { body: events } = await rest.request<PageBody<RunEvent>>('GET', `/runs/${second.runId}/events?limit=1000`);
  return { status: second.status, isSummarised: events.data.some(({ type }) => type === 'context_compacted') };
}

it('decide whether a history near the limit is summarised', async () => {
  const address = addressOf('anthropic');
  address.tokens = 9_000;
  const counts = address.counted.length;
  expect(await askTwice('anthropic')).toEqual({ status: 'completed', isSummarised: false });
  expect(address.counted.length).toBeGreaterThan(counts);
  // The tokenizer alone finds the same history too long.
  addressOf('google').tokens = undefined;
  expect(await askTwice('google')).toEqual({ status: 'completed', isSummarised: true });
});

it('come from the tokenizer when the server has no such route', async () => {
  addressOf('responses').tokens = undefined;
  const { input_tokens } = await countInput('responses');
  expect(input_tokens).toBeGreaterThan(100);
  expect(input_tokens).not.toBe(4_321);
});
