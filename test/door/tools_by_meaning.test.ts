/** Tools are chosen by meaning too with an embedding model, and by words alone while its server fails. */
import { join } from 'node:path';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import { compileInto } from '../support/built_source';
import { type EmbeddingServer, sendJson, startEmbeddingServer } from '../support/embedding_server';
import { until } from '../support/until';

/** 60 tools of servers, and two whose subject the embedding server knows. */
const CLASSES = `
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { AgentTool } from './tools/agent_tool_decorator';

const { foreignTools } = require(${JSON.stringify(join(__dirname, '../../bench/assembler/corpus.cjs'))});

@Provide()
@Scope(ScopeEnum.Singleton)
class ServerTools {}
const own = (name, description) => ({ name, label: name, toolset: name, origin: 'mcp', description, parameters: { type: 'object', properties: {} } });
const tools = [...foreignTools().slice(0, 60), own('brewer', 'Boils oolong'), own('groomer', 'Brushes a kitten')];
for (const { execute, ...tool } of tools) {
  ServerTools.prototype[tool.name] = () => 'ran ' + tool.name;
  AgentTool({ ...tool, effect: 'read' })(ServerTools.prototype, tool.name, {});
}

export const TOOL_CLASSES = [ServerTools];
`;

let copy: BuildCopy;
let config: AgentConfig;
let server: EmbeddingServer;
let bench: AgentBench;

beforeAll(async () => {
  server = await startEmbeddingServer();
  copy = await copyBuild();
  await compileInto(copy, 'tool_classes.ts', CLASSES);
  config = await createProfiles({ default: 'label: Default', closed: 'discover: false', few: 'discover: [brewer]' });
  const embedding = { NETA_EMBEDDING_MODEL: 'small', NETA_EMBEDDING_BASE_URL: server.baseUrl };
  bench = await startBench({ root: copy.root, env: { NETA_CONFIG_DIR: config.directory, NETA_TOOL_BUDGET: '20', ...embedding } });
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
  await copy?.remove();
  await server?.stop();
});
beforeEach(() => server.answerWith(undefined));

interface Preview {
  ranking?: string;
  tools: { name: string; why: string; score?: number }[];
}

const preview = async (input: string, more = {}) => (await bench.rest.request<Preview>('POST', '/runs/preview', { input, ...more })).body;
const queries = () => server.requests.flatMap(({ texts }) => (texts.length === 1 ? texts : []));

/** Resolves the preview once the vectors of the tools are there. */
function untilRanked(input: string, more = {}): Promise<Preview> {
  return until(
    () => preview(input, more),
    ({ ranking }) => ranking === 'words_and_meaning',
  );
}

async function run(input: string, door: 'rest' | 'socket', sessionId?: string) {
  bench.model.onTurn(input, 'done');
  const chosen = { ...(sessionId !== undefined && { sessionId }) };
  if (door === 'rest') return (await bench.rest.run({ input, ...chosen })).body.sessionId;
  const client = await bench.connect();
  const { runId, sessionId: own } = await client.chat(input, chosen);
  await client.endOf(runId);
  return own;
}

const toolsOf = (text: string) => bench.model.requests(text).at(-1)?.toolNames ?? [];

it.each(['rest', 'socket'] as const)(
  'gives a run the tool that shares no word with its message, over %s (beaver.assembler)',
  async door => {
    const input = `A hot beverage over ${door}`;
    const { tools } = await untilRanked(input);
    expect(tools).toContainEqual({ name: 'brewer', why: 'relevance', score: expect.any(Number) });
    expect(tools.map(({ name }) => name)).not.toContain('groomer');
    await run(input, door);
    expect(toolsOf(input)).toEqual(tools.map(({ name }) => name));
  },
);

it('finds by meaning for the later messages of a session and for a message that waits in its queue', async () => {
  const sessionId = await run('Hello', 'rest');
  await run('给宠物梳毛', 'rest', sessionId);
  expect(toolsOf('给宠物梳毛')).toContain('groomer');
  bench.model.onTurn('Wait for me', { text: 'slow but done', chunkSize: 4, pauseAfter: 1 });
  bench.model.onTurn('One beverage please', 'done');
  const client = await bench.connect();
  const first = await client.chat('Wait for me');
  await bench.model.waitFor('Wait for me');
  const queued = await client.chat('One beverage please', { sessionId: first.sessionId, onBusy: 'enqueue' });
  bench.model.resume();
  await client.endOf(queued.runId);
  expect(toolsOf('One beverage please')).toContain('brewer');
});

it('asks the server for nothing when the tools of the agent fit', async () => {
  const before = queries().length;
  for (const agent of ['closed', 'few']) {
    const { ranking } = await preview('A beverage for an agent with few tools', { agent });
    expect(ranking).toBeUndefined();
  }
  expect(queries()).toHaveLength(before);
});

it('keeps the vectors of tools over a restart', async () => {
  await bench.gateway.restart();
  const seen = server.requests.length;
  await untilRanked('Another beverage');
  expect(server.requests.slice(seen).flatMap(({ texts }) => texts)).toEqual(['Another beverage']);
});

it('ranks by words alone while the server fails or never answers, and warns on /readyz', async () => {
  server.answerWith(() => {});
  const started = performance.now();
  const inputs = [1, 2, 3, 4, 5].map(number => `Email beverage list ${number} to the landlord`);
  const [silent] = (await Promise.all(inputs.map(input => preview(input)))) as [Preview];
  // Runs of different sessions do not wait for one another.
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(silent.ranking).toBe('words');
  expect(silent.tools.map(({ name }) => name)).toContain('gmail__send_email');
  server.answerWith(response => sendJson(response, '{"error":{"message":"no quota"}}', 500));
  const failed = await preview('Mail the beverage list again');
  expect(failed.ranking).toBe('words');
  const input = 'Cancel my meeting about a beverage';
  await run(input, 'rest');
  expect(toolsOf(input)).toContain('calendar__delete_event');
  // The failure counts once the client has given up its retries.
  const warnings = async () => ((await (await fetch(`${bench.gateway.url}/readyz`)).json()) as { warnings: string[] }).warnings;
  await until(async () => {
    await preview('Hello');
    return (await warnings()).some(text => text.includes('embeddings (small) fail'));
  });
});
