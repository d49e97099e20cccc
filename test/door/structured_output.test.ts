/** `output.schema` of POST /runs: the answer is JSON that matches it, after one repair at most. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import type { ModelRequest } from '../support/mock_model';
import { createRestClient } from '../support/rest_client';
import { anthropicWire } from '../support/wires/anthropic_wire';
import { googleWire } from '../support/wires/google_wire';
import type { ModelWire } from '../support/wires/model_wire';
import { responsesWire } from '../support/wires/responses_wire';
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

it('has an answer repaired when the run has no tool call left', async () => {
  const { model, rest } = bench;
  model.onTurn('short city', 'It is Bern.');
  model.onTurn(REPAIR, JSON.stringify(BERN));
  const { body } = await rest.run({ input: 'short city', output, limits: { maxToolIterations: 1 } });
  expect([body.status, body.output]).toEqual(['completed', BERN]);
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
  for (const path of ['/runs', '/runs/preview']) {
    const { status, body } = await bench.rest.request('POST', path, { input: 'x', output: { schema } });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', '/output/schema']);
    expect(body.error.message).toMatch(message);
  }
});

it('shows the form of the answer in the preview of a run', async () => {
  const { status, body } = await bench.rest.request<{ prompt: string }>('POST', '/runs/preview', { input: 'preview city', output });
  expect(status).toBe(200);
  expect(body.prompt).toContain(JSON.stringify(SCHEMA));
});

it('is checked again by a replay, also after a repair', async () => {
  const { model, rest } = bench;
  model.onTurn('replayed city', 'It is Bern.');
  model.onTurn(REPAIR, JSON.stringify(BERN));
  const { body: run } = await rest.run({ input: 'replayed city', output });
  const { body } = await rest.request<{ result: string; requests: { state: string }[] }>('POST', `/runs/${run.runId}/replay`, {});
  expect(body.result).toBe('same');
  expect(body.requests.map(({ state }) => state)).toEqual(['same', 'same']);
});

describe('after a crash', () => {
  let crashed: AgentBench;
  beforeAll(async () => {
    crashed = await startBench({ failpoints: true });
    const isSunken = ({ userText, body }: ModelRequest) => userText.includes(REPAIR) && JSON.stringify(body).includes('sunken');
    crashed.model.onTurn(isSunken, 'It is Bern, still.');
  });
  afterAll(() => crashed?.stop());

  /** Crashes the gateway when the answer with this number is stored, and reads the result of the recovered run. */
  async function crashAfterAnswer(count: number, input: string) {
    const { gateway, rest } = crashed;
    await gateway.arm(`attempt_stored=crash:${count}`);
    const { body } = await rest.request<{ runId: string }>('POST', '/runs', { input, output }, { prefer: 'respond-async' });
    await gateway.exited();
    await gateway.restart();
    await rest.stream('GET', `/runs/${body.runId}/events`);
    return (await rest.request<{ status: string; output?: unknown; error?: { code: string } }>('GET', `/runs/${body.runId}`)).body;
  }

  it('an answer that was stored is checked and repaired', async () => {
    crashed.model.onTurn('lost city', 'It is Bern.');
    crashed.model.onTurn(REPAIR, JSON.stringify(BERN));
    expect(await crashAfterAnswer(1, 'lost city')).toMatchObject({ status: 'completed', output: BERN });
  });

  it('a repaired answer that was stored is not repaired again', async () => {
    crashed.model.onTurn('sunken city', 'It is Bern.');
    const asked = crashed.model.requests(REPAIR).length;
    const run = await crashAfterAnswer(2, 'sunken city');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'output_invalid' } });
    expect(crashed.model.requests(REPAIR).length).toBe(asked + 1);
  });
});

/** Anthropic's API takes no rules about numbers. */
const PLAIN_SCHEMA = { ...SCHEMA, properties: { city: { type: 'string' }, people: { type: 'integer' } } };

describe.each<{ wire: ModelWire; schema: object }>([
  { wire: anthropicWire, schema: PLAIN_SCHEMA },
  { wire: responsesWire, schema: SCHEMA },
  { wire: googleWire, schema: SCHEMA },
])("over a vendor's own API: $wire.name", ({ wire, schema }) => {
  let server: WireServer;
  let config: AgentConfig;
  let gateway: Gateway;
  afterAll(async () => {
    await gateway?.stop();
    await server.stop();
    await config.remove();
  });

  it('holds the model to the schema, and has an answer repaired', async () => {
    server = await startWireServer(wire);
    const broken = { parts: [{ text: ['{"city":"Bern","people":0}'] }] };
    const whole = { parts: [{ text: [JSON.stringify(BERN)] }] };
    const address = server.serve(({ messages }) => (JSON.stringify(messages).includes(REPAIR) ? whole : broken));
    config = await createProfiles({ default: '' });
    await writeFile(
      join(config.directory, 'models.yaml'),
      `models: [{ id: m, api: ${wire.name}, baseUrl: "${address.baseUrl}", model: ${wire.model} }]\n`,
    );
    gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
    const { body } = await createRestClient(gateway.url).run({ input: 'native city', output });
    expect(body.output).toEqual(BERN);
    const sent = address.requests.filter(({ messages }) => JSON.stringify(messages).includes('native city'));
    expect(sent.map(request => request.schema)).toEqual([schema, schema]);
  });
});
