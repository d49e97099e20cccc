/** Secrets of the gateway reach no result, event, prompt or log line, whichever tool returns them. */
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { manifestText, writeConfigFiles } from '../support/manifest_config';
import { createMcpConfig, type McpConfig } from '../support/mcp_servers';
import { type MockModel, startMockModel } from '../support/mock_model';
import { startTracedMcpServer, type TracedMcpServer } from '../support/traced_mcp_server';

const API_KEY = 'api-5ecret-0123456789';
const SECOND_KEY = 'second-model-5ecret-key';
const HEADER = 'Bearer header-5ecret-0123';
const SETTING = 'setting-5ecret-0123456789';
const WEBHOOK_KEY = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;
const MADE_KEY = `neta_${'k1'.repeat(21)}x`;
const SECRETS = { MODEL_KEY, API_KEY, SECOND_KEY, HEADER, SETTING, WEBHOOK_KEY, MADE_KEY };
const ALL = Object.entries(SECRETS)
  .map(([name, secret]) => `${name}=${secret};`)
  .join('\n');
const PROGRAM = `require('neta_tool').serve((_, { progress }) => {
  const text = ${JSON.stringify(ALL)};
  progress(text);
  return { [text]: [text, { text }] };
});
`;

let bench: AgentBench;
let config: McpConfig;
let server: TracedMcpServer;
let model: MockModel;

beforeAll(async () => {
  [server, model] = await Promise.all([startTracedMcpServer(ALL), startMockModel()]);
  config = await createMcpConfig({ traced: { url: server.url, headers: { authorization: HEADER }, effect: 'read' } }, ['traced', 'leaky']);
  await writeConfigFiles(config.directory, {
    'tools/leaky.yaml': manifestText('leaky', 'leaky.cjs', 'runtime: javascript\nconfig_schema:\n  phrase: { type: string, secret: true }'),
    'tools/leaky.cjs': PROGRAM,
    'tool-settings/leaky.yaml': `phrase: ${SETTING}\n`,
    'models.yaml': JSON.stringify({ models: [{ id: 'main', baseUrl: model.baseUrl, apiKeyEnv: 'SECOND_KEY', model: 'm' }] }),
  });
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_API_KEYS: `ci:${API_KEY}:default:chat+tools`, SECOND_KEY },
    files: { 'notes.txt': `${ALL}\nmonkey business: a key k stays\n` },
  });
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), server?.stop(), model?.stop()]);
});

const call = (method: string, path: string, body?: object) =>
  bench.rest.request<Record<string, never>>(method, path, body, { authorization: `Bearer ${API_KEY}` });

function expectNoSecret(text: string): void {
  for (const [name, secret] of Object.entries(SECRETS)) if (text.includes(secret)) throw new Error(`${name} is in ${text.slice(0, 2_000)}`);
  expect(text).toContain('MODEL_KEY=[redacted];');
}

async function untilConnected(): Promise<void> {
  for (let left = 400; left > 0; left--) {
    const { body } = await call('GET', '/mcp-servers');
    if (JSON.stringify(body).includes('"connected"')) return;
    await delay(20);
  }
  throw new Error('the MCP server is not connected');
}

it.each([
  ['a file', 'read_file', { path: 'notes.txt' }],
  ['a command', 'bash', { command: 'cat notes.txt' }],
  ['an MCP server', 'traced__where', {}],
  ['the program of a manifest', 'leaky', { text: 'x' }],
])('a secret in the result of %s is removed before anyone sees it', async (_source, name, args) => {
  await untilConnected();
  const input = `leak with ${name}`;
  model.onTurn(input, { toolCalls: [{ name, arguments: args }] }, ({ toolResults }) => `It says: ${toolResults}`);
  const { body: run } = await call('POST', '/runs', { input });
  const { body: events } = await call('GET', `/runs/${run['runId']}/events`);
  expectNoSecret(JSON.stringify(run));
  expectNoSecret(JSON.stringify(events));
  expectNoSecret(JSON.stringify(model.requests(input).map(request => request.body)));
  const { body: direct } = await call('POST', '/tools/call', { toolName: name, parameters: args });
  expect(direct).toMatchObject({ status: 'success' });
  expectNoSecret(JSON.stringify(direct));
  const { body: executions } = await call('GET', '/tool-executions');
  expectNoSecret(JSON.stringify(executions));
});

it('leaves words alone', async () => {
  const { body } = await call('POST', '/tools/call', { toolName: 'read_file', parameters: { path: 'notes.txt' } });
  expect(JSON.stringify(body)).toContain('monkey business: a key k stays');
});

it('a secret in the error of a model server is removed from the end of the run', async () => {
  model.onTurn('be refused', { error: { status: 400, message: `no ${SETTING} here` } });
  const { body: run } = await call('POST', '/runs', { input: 'be refused' });
  const { body: events } = await call('GET', `/runs/${run['runId']}/events`);
  expect(JSON.stringify(events)).toContain('no [redacted] here');
  expect(JSON.stringify([run, events])).not.toContain(SETTING);
});
