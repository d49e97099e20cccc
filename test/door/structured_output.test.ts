/** `output.schema` of POST /runs: the answer is JSON that matches it, after one repair at most. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import type { ModelRequest } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { startWireServer, type WireServer } from '../support/wires/wire_server';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer', minimum: 1 } },
  required: ['city', 'people'],
  additionalProperties: false,
};
const output = { schema: SCHEMA };
const BERN = { city: 'Bern', people: 134_000 };
const REPAIR = 'not the JSON that the program reads';

let bench: AgentBench;
beforeAll(async () => {
  bench = await startBench();
  const isHopeless = ({ userText, body }: ModelRequest) => userText.includes(REPAIR) && JSON.stringify(body).includes('hopeless');
  bench.model.onTurn(isHopeless, 'Bern, really.');
});
afterAll(() => bench.stop());

it('gives the value of the answer, which the prompt asked for', async () => {
  const { model, rest } = bench;
  model.onTurn('plain city', JSON.stringify(BERN));
  const { status, body } = await rest.run({ input: 'plain city', output });
  expect([status, body.status, body.output]).toEqual([200, 'completed', BERN]);
  const [request] = model.requests('plain city');
  expect(request?.body.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
  const read = await rest.request<{ output?: unknown }>('GET', `/runs/${body.runId}`);
  expect(read.body.output).toEqual(BERN);
});

it('reads an answer in a code fence, behind calls of tools', async () => {
  const { model, rest } = bench;
  const look = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
  model.onTurn('fenced city', look, `\`\`\`json\n${JSON.stringify(BERN)}\n\`\`\``);
  const { body } = await rest.run({ input: 'fenced city', output });
  expect([body.toolCalls.length, body.output]).toEqual([1, BERN]);
});

it('has an answer repaired once, and tells the model what is wrong', async () => {
  const { model, rest } = bench;
  model.onTurn('broken city', '{"city":"Bern","people":0}');
  model.onTurn(REPAIR, JSON.stringify(BERN));
  const { body } = await rest.run({ input: 'broken city', output });
  expect([body.status, body.output, body.text]).toEqual(['completed', BERN, JSON.stringify(BERN)]);
  const [repair] = model.requests(REPAIR);
  expect(repair?.userText).toMatch(/\/people must be >= 1/);
});

it('fails when the repaired answer does not match either', async () => {
  const { model, rest } = bench;
  model.onTurn('hopeless city', 'It is Bern.');
  const again = bench.model.requests(REPAIR).length;
  const { body } = await rest.run({ input: 'hopeless city', output });
  expect([body.status, body.output]).toEqual(['failed', undefined]);
  expect(body.error?.code).toBe('output_invalid');
  expect(body.error?.message).toMatch(/after one repair:\n- It is not valid JSON/);
  expect(bench.model.requests(REPAIR).length).toBe(again + 1);
});

it('leaves a question of the model as it is', async () => {
  const { model, rest } = bench;
  model.onTurn('which city', { toolCalls: [{ name: 'clarify', arguments: { question: 'Which country?' } }] });
  const { body } = await rest.run({ input: 'which city', output });
  expect([body.status, body.clarification?.question, body.output]).toEqual(['completed', 'Which country?', undefined]);
});

it.each([
  [{ type: 'array', items: {} }, /type must be object/],
  [{ type: 'object', properties: { a: { type: 'wrong' } } }, /cannot be used/],
])('refuses a schema that cannot be used: %j', async (schema, message) => {
  const { status, body } = await bench.rest.request('POST', '/runs', { input: 'x', output: { schema } });
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', '/output/schema']);
  expect(body.error.message).toMatch(message);
});

describe("over Anthropic's own API", () => {
  let server: WireServer;
  let config: AgentConfig;
  let gateway: Gateway;
  afterAll(async () => {
    await gateway?.stop();
    await server.stop();
    await config.remove();
  });

  it('holds the model to the schema, without the rules that the API does not take', async () => {
    server = await startWireServer(anthropicWire);
    const address = server.serve({ parts: [{ text: [JSON.stringify(BERN)] }] });
    config = await createProfiles({ default: '' });
    await writeFile(
      join(config.directory, 'models.yaml'),
      `models: [{ id: m, api: anthropic, baseUrl: "${address.baseUrl}", model: claude-opus-4-5 }]\n`,
    );
    gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
    const { body } = await createRestClient(gateway.url).run({ input: 'native city', output });
    expect(body.output).toEqual(BERN);
    const sent = address.requests.find(({ messages }) => JSON.stringify(messages).includes('native city'));
    expect(sent?.schema).toEqual({ ...SCHEMA, properties: { city: { type: 'string' }, people: { type: 'integer' } } });
  });
});
