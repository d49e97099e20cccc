/** Memories are found by meaning with an embedding model, and by their words while its server fails. */
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { type EmbeddingServer, sendJson, startEmbeddingServer } from '../support/embedding_server';
import { startAndFail } from '../support/gateway';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;
let config: AgentConfig;
let server: EmbeddingServer;

beforeAll(async () => {
  server = await startEmbeddingServer();
  config = await createAgentConfig(['base', 'memory']);
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_EMBEDDING_MODEL: 'small', NETA_EMBEDDING_BASE_URL: server.baseUrl },
  });
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
  await server?.stop();
});
beforeEach(() => server.answerWith(undefined));

interface Memory {
  id: string;
  text: string;
}

const add = async (text: string, kind = 'fact') => (await bench.rest.request<Memory>('POST', '/memories', { text, kind })).body;
const find = async (query: string, more = '') =>
  (await bench.rest.request<PageBody<Memory>>('GET', `/memories?q=${encodeURIComponent(query)}${more}`)).body;
const textsOf = (page: PageBody<Memory>) => page.data.map(({ text }) => text);
const warnings = async () => (await (await fetch(`${bench.gateway.url}/readyz`)).json()) as { warnings: string[] };

/** Runs a turn over a door that recalls and answers with the result. */
async function recall(query: string, door: 'rest' | 'socket' = 'rest'): Promise<string> {
  const text = `task ${Math.random()}`;
  bench.model.onTurn(
    text,
    { toolCalls: [{ name: 'memory_recall', arguments: { query } }] },
    ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
  );
  if (door === 'rest') return (await bench.rest.run({ input: text })).body.text;
  const client = await bench.connect();
  const { runId } = await client.chat(text);
  return String((await client.endOf(runId)).data.text);
}

/** Resolves once the vector of a text is in use. */
async function untilFound(query: string, text: string): Promise<void> {
  await until(async () => textsOf(await find(query)).includes(text));
}

it.each(['rest', 'socket'] as const)('recalls a memory that shares no word with the query, over %s', async door => {
  await add('Ada drinks oolong every morning');
  await add('Bo keeps a kitten');
  await untilFound('beverage', 'Ada drinks oolong every morning');
  const told = await recall('beverage', door);
  expect(told).toContain('oolong');
  expect(told).not.toContain('kitten');
  expect(server.requests.every(({ model, headers }) => model === 'small' && headers.authorization === undefined)).toBe(true);
});

it('finds Chinese by meaning too, and puts first what has the words and the meaning', async () => {
  await add('用户每天早上喝乌龙茶');
  await add('The word beverage stands on the label of the tea tin');
  await untilFound('饮料', '用户每天早上喝乌龙茶');
  expect(textsOf(await find('beverage'))[0]).toBe('The word beverage stands on the label of the tea tin');
});

it('pages through the mixed list, filters it by kind, and refuses a cursor of another list', async () => {
  for (let i = 0; i < 5; i += 1) await add(`Release step ${i} is checked twice by person ${'abcde'[i]}`, 'project');
  await untilFound('cluster', 'Release step 4 is checked twice by person e');
  const all = textsOf(await find('release'));
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await find('release', `&limit=2${cursor}`);
    seen.push(...textsOf(page));
    if (page.nextCursor === undefined) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect([seen, all.length]).toEqual([all, 5]);
  expect(textsOf(await find('cluster', '&kind=fact'))).not.toContain(all[0]);
  const { status, body } = await bench.rest.request<{ error: object }>('GET', '/memories?q=release&cursor=x');
  expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_request', param: '/cursor' })]);
});

it('finds a memory by its new meaning after a correction, and not at all after a deletion', async () => {
  const { id } = await add('Cleo has a kitten named Tom');
  await untilFound('pet', 'Cleo has a kitten named Tom');
  await bench.rest.request('PATCH', `/memories/${id}`, { text: 'Cleo likes oolong from Tom' });
  await untilFound('beverage', 'Cleo likes oolong from Tom');
  expect(textsOf(await find('pet')).join()).not.toContain('Cleo');
  await bench.rest.request('DELETE', `/memories/${id}`);
  expect(textsOf(await find('beverage')).join()).not.toContain('Cleo');
});

it('keeps vectors over a restart: no text is embedded again', async () => {
  const before = new Set(server.requests.flatMap(({ texts }) => texts));
  await bench.gateway.restart();
  await untilFound('饮料', '用户每天早上喝乌龙茶');
  const again = server.requests.flatMap(({ texts }) => texts).filter(text => text.length > 10);
  expect(again.toSorted()).toEqual([...new Set(again)].toSorted());
  expect(before.size).toBeGreaterThan(5);
});

it('ranks by words alone while the server fails, logs that once, warns on /readyz, and recovers after a restart', async () => {
  await add('Dora paints lighthouses');
  server.answerWith(response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'));
  expect(await recall('which lighthouses')).toContain('Dora paints lighthouses');
  expect(textsOf(await find('lighthouse'))).toEqual(['Dora paints lighthouses']);
  expect((await warnings()).warnings).toEqual([expect.stringMatching(/embeddings \(small\) fail.*web page; check the base URL/)]);
  await recall('anything else');
  expect(bench.gateway.output().match(/embeddings \(small\) fail/g)).toHaveLength(1);
  server.answerWith(undefined);
  await bench.gateway.restart();
  await untilFound('beverage', 'Ada drinks oolong every morning');
  expect((await warnings()).warnings).toEqual([]);
});

it('does not delay a turn: a server that never answers costs a recall less than its limit', async () => {
  server.answerWith(() => {});
  await add('Eve sails at dawn');
  expect(await recall('who sails')).toContain('Eve sails at dawn');
  server.answerWith((response, { texts }) => sendJson(response, JSON.stringify({ data: texts.map(() => ({ embedding: [Number.NaN] })) })));
  expect(await recall('who sails at all')).toContain('Eve sails at dawn');
});

it('uses the server and the key of the chat model when no other is named, and refuses a start without any', async () => {
  const plain = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_EMBEDDING_MODEL: 'large', OPENAI_BASE_URL: server.baseUrl },
  });
  try {
    const seen = server.requests.length;
    await createAndWait(plain, seen);
    expect(server.requests.at(-1)).toMatchObject({ model: 'large', headers: { authorization: `Bearer ${MODEL_KEY}` } });
  } finally {
    await plain.stop();
  }
  const { code, output } = await startAndFail({ NETA_EMBEDDING_MODEL: 'small' });
  expect([code, output]).toEqual([1, expect.stringContaining('NETA_EMBEDDING_MODEL needs a server')]);
});

async function createAndWait(plain: AgentBench, seen: number): Promise<void> {
  await plain.rest.request('POST', '/memories', { text: 'Fay juggles' });
  await server.waitForRequests(seen + 1);
}
