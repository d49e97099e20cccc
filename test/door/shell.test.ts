/** Commands through the built gateway: the state of a terminal, limits, the sandbox warning, and a crash during a direct call. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { startGateway } from '../support/gateway';
import type { PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: AgentBench;
let configDir: string;

beforeAll(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(configDir, 'agents'));
  await writeFile(join(configDir, 'agents/default.yaml'), 'name: default\nlabel: Terminal\ndescription: Has one.\ntoolsets: [terminal]\n');
  bench = await startBench({ env: { NETA_CONFIG_DIR: configDir, NETA_SHELL_FILE_MB: '1' } });
  const terminal = (prompt: string, command: string) =>
    bench.model.onTurn(prompt, { toolCalls: [{ name: 'terminal', arguments: { command } }] }, request => `Told: ${request.toolResults}`);
  terminal('set out', 'mkdir -p sub && cd sub && export COLOR=teal');
  terminal('look round', 'pwd; echo "color=$COLOR"');
});

afterAll(async () => {
  await bench?.stop();
  await rm(configDir, { recursive: true, force: true });
});

const callTool = (toolName: string, parameters: unknown) =>
  bench.rest.request<Record<string, string>>('POST', '/tools/call', { toolName, parameters });

it('a terminal keeps directory and variables through a restart, for its own session only', async () => {
  const { body: first } = await bench.rest.run({ input: 'set out' });
  expect(first.status).toBe('completed');
  await bench.gateway.restart();
  const { body: second } = await bench.rest.run({ input: 'look round', sessionId: first.sessionId });
  expect(second.text).toContain(`${bench.gateway.workspace}/sub\ncolor=teal`);
  const { body: other } = await bench.rest.run({ input: 'look round' });
  expect(other.text).toContain(`${bench.gateway.workspace}\ncolor=`);
  expect(other.text).not.toContain('teal');
});

it('a direct call of terminal is refused and names the tool to use instead', async () => {
  expect((await callTool('terminal', { command: 'pwd' })).body).toMatchObject({ status: 'error', error: expect.stringContaining('bash') });
});

it('the start prints the sandbox and the limits of commands', async () => {
  expect(bench.gateway.output()).toMatch(/commands run .*\n.*limits of a command: .*512 processes.* 1 MiB a file\./);
});

it('the start and readyz warn that there is no sandbox', async () => {
  const gateway = await startGateway({ env: { NODE_OPTIONS: `--require ${join(__dirname, '../support/no_sandbox.cjs')}` } });
  try {
    const ready = await (await fetch(`${gateway.url}/readyz`)).json();
    expect(ready).toMatchObject({
      isolation: 'process_group',
      sandbox: { kind: 'none', network: true, problem: expect.stringContaining('No sandbox works here') },
    });
    // The warning is on stderr, so it may come after the line that the start waits for, but before readyz answers.
    expect(gateway.output()).toMatch(
      /WARNING: commands run without a sandbox, as this user\. No sandbox works here \(bubblewrap: .+; namespaces: .+\)\. .*each command needs the approval of a person\./,
    );
  } finally {
    await gateway.stop();
  }
});

it('a command over a limit ends with a result that names the limit', async () => {
  const { body } = await callTool('bash', { command: 'yes > endless' });
  expect(body).toMatchObject({ status: 'error', error: expect.stringContaining('1 MiB; this was the limit') });
});

it('a direct call whose gateway was killed ends with the status unknown', async () => {
  const call = callTool('bash', { command: 'echo begun > begun.txt; sleep 60' }).catch(() => 'cut off');
  const running = async () =>
    (await bench.rest.request<PageBody<Record<string, unknown>>>('GET', '/tool-executions?status=running')).body.data;
  await until(async () => (await running()).length > 0);
  await bench.gateway.restart();
  expect(await call).toBe('cut off');
  expect(await running()).toEqual([]);
  const { body } = await bench.rest.request<PageBody<Record<string, unknown>>>('GET', '/tool-executions?status=unknown');
  expect(body.data).toEqual([
    expect.objectContaining({ tool: 'bash', error: expect.stringContaining('unknown'), endedAt: expect.stringMatching(/Z$/) }),
  ]);
  expect(body.data[0]).not.toHaveProperty('owner');
});
