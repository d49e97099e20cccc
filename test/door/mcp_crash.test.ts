/** MCP servers and a gateway that is killed: no call runs twice, no process stays; and servers in the sandbox. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentBench, startBench } from '../support/agent_bench';
import { createMcpConfig, listServers, type McpConfig, stdio, waitForServers } from '../support/mcp_servers';
import { whyNoSandbox } from '../support/missing_sandboxes';
import type { ModelRequest } from '../support/mock_model';

const HOSTILE = join(__dirname, '../support/hostile_mcp_server.cjs');
const SYSTEM_NODE = '/usr/bin/node';

let bench: AgentBench;
let config: McpConfig;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neta-mcp-crash-'));
  config = await createMcpConfig({
    hangs: stdio(HOSTILE, 'hangs', join(folder, 'calls')),
    eats: { command: SYSTEM_NODE, args: ['${NETA_WORKSPACE}/server.cjs', 'eats'], sandbox: true },
    inside: { command: SYSTEM_NODE, args: ['${NETA_WORKSPACE}/server.cjs', 'noise'], sandbox: true },
  });
  bench = await startBench({
    env: { NETA_CONFIG_DIR: config.directory, NETA_SHELL_MEMORY_MB: '256' },
    files: { 'server.cjs': await readFile(HOSTILE, 'utf8') },
  });
  await waitForServers(bench.rest, rows => rows['hangs']?.state === 'connected' && rows['inside']?.state !== 'connecting');
});

afterAll(async () => {
  await bench?.stop();
  await Promise.all([config?.remove(), folder && rm(folder, { recursive: true, force: true })]);
});

const processesOf = async (words: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').filter(line => line.includes(words));
};

const sandboxed = whyNoSandbox() === undefined ? it : it.skip;

sandboxed('a server in the sandbox is connected and called', async () => {
  const row = (await listServers(bench.rest))['inside'];
  expect(row).toMatchObject({ state: 'connected', tools: ['inside__echo'] });
  const { body } = await bench.rest.request<{ message: string }>('POST', '/tools/call', {
    toolName: 'inside__echo',
    parameters: { from: 'the sandbox' },
  });
  expect(body.message).toContain('{"from":"the sandbox"}');
});

sandboxed(
  'a server in the sandbox that takes too much memory is ended, and connected again',
  async () => {
    await waitForServers(bench.rest, rows => rows['eats']?.state === 'connected');
    const { body } = await bench.rest.request('POST', '/tools/call', {
      toolName: 'eats__eat',
      parameters: {},
    });
    expect(JSON.stringify(body)).toMatch(/connection to the MCP server \\"eats\\" ended.*(more than 256 MiB of memory|Its process)/);
    await waitForServers(bench.rest, rows => rows['eats']?.state === 'connected');
  },
  40_000,
);

it('a call that a crash interrupts is reported as unknown and not repeated, and the old process is gone (beaver.mcp)', async () => {
  bench.model.onTurn('work until the crash', { toolCalls: [{ name: 'hangs__hang', arguments: {} }] }, 'done');
  const client = await bench.connect();
  const { runId } = await client.chat('work until the crash');
  await client.waitFor('tool_call_start', event => event.runId === runId);
  await untilFile(join(folder, 'calls'));
  expect(await processesOf(join(folder, 'calls'))).toHaveLength(1);
  await bench.gateway.restart();
  const again = await bench.connect();
  await again.send({ type: 'subscribe', sessionId: await sessionOf(runId), after: { runId, seq: 0 } });
  const end = await again.endOf(runId);
  expect(end.data).toMatchObject({ status: 'completed', text: 'done' });
  const request = bench.model.requests('work until the crash').at(-1) as ModelRequest;
  expect(request.toolResults[0]).toMatch(/unknown/);
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('hang\n');
  await waitForServers(bench.rest, rows => rows['hangs']?.state === 'connected');
  expect(await processesOf(join(folder, 'calls'))).toHaveLength(1);
});

it('a killed gateway leaves no process of a server behind', async () => {
  await bench.gateway.kill();
  for (let left = 100; left > 0 && (await processesOf(join(folder, 'calls'))).length > 0; left--) await tick();
  expect(await processesOf(join(folder, 'calls'))).toEqual([]);
  await bench.gateway.restart();
});

const sessionOf = async (runId: string) => (await bench.rest.request<{ sessionId: string }>('GET', `/runs/${runId}`)).body.sessionId;

const tick = () => new Promise(resolve => setTimeout(resolve, 50));

async function untilFile(path: string): Promise<void> {
  for (let left = 200; left > 0; left--) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '') return;
    await tick();
  }
  throw new Error(`${path} was not written`);
}
