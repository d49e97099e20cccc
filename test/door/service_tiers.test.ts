/** The service tier that answered chooses the price of a run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type PageBody, type RestClient } from '../support/rest_client';
import { responsesWire } from '../support/wires/responses_wire';
import { startWireServer, type WireServer } from '../support/wires/wire_server';

let server: WireServer;
let config: AgentConfig;
let gateway: Gateway;
let rest: RestClient;

beforeAll(async () => {
  server = await startWireServer(responsesWire);
  // The server serves the tier that the request asks for.
  const { baseUrl } = server.serve((_, body) => ({
    parts: [{ text: ['Done.'] }],
    usage: { fresh: 1_000, cached: 0, written: 0, output: 500, thinking: 0, tier: String(body['service_tier'] ?? 'default') },
  }));
  config = await createProfiles({ default: 'toolsets: []' });
  const price = 'price: { input: 2, output: 8, tiers: { flex: 0.5, priority: 1.75 } }';
  await writeFile(
    join(config.directory, 'models.yaml'),
    `models:\n  - { id: m, api: responses, baseUrl: "${baseUrl}", model: gpt-5, ${price} }\n`,
  );
  gateway = await startGateway({ env: { NETA_CONFIG_DIR: config.directory } });
  rest = createRestClient(gateway.url);
}, 60_000);
afterAll(async () => {
  await gateway?.stop();
  await server?.stop();
  await config?.remove();
});

it.each([
  [undefined, 0.006],
  ['flex', 0.003],
  ['priority', 0.0105],
])('prices a run in the tier %s', async (service_tier, costUsd) => {
  const parameters = service_tier === undefined ? undefined : { extra: { service_tier } };
  const { body } = await rest.run({ input: 'What does it cost?', parameters });
  expect([body.status, body.usage?.costUsd]).toEqual(['completed', costUsd]);
  expect(body.usage).not.toHaveProperty('serviceTier');
});

it('shows the factors of the tiers with the price of the model', async () => {
  const { body } = await rest.request<PageBody<{ price: object }>>('GET', '/models');
  expect(body.data[0]?.price).toEqual({ input: 2, output: 8, tiers: { flex: 0.5, priority: 1.75 } });
});
