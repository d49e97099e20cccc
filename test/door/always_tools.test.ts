/** Tools of a manifest and an MCP server with `always`: every run has them first, however small the budget and whatever the message says. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { manifestText, writeConfigFiles } from '../support/manifest_config';
import { createMcpConfig, type McpConfig, PUBLISHED, stdio, waitForServers } from '../support/mcp_servers';

const FIRST = ['files__list_allowed_directories', 'stamp', 'pair__one'];

let config: McpConfig;
let bench: AgentBench;

beforeAll(async () => {
  const files = { ...stdio(PUBLISHED.filesystem, '${NETA_WORKSPACE}'), always: ['list_allowed_directories'] };
  config = await createMcpConfig({ files }, []);
  const commands = 'commands:\n  - { name: one, description: The first., always: true }\n  - { name: two, description: The second. }\n';
  await writeConfigFiles(config.directory, {
    'agents/closed.yaml': 'name: closed\ndiscover: false\n',
    'agents/picky.yaml': 'name: picky\ndiscover: [files]\n',
    'agents/named.yaml': 'name: named\ndiscover: false\ntools: [stamp]\n',
    'tools/stamp.yaml': manifestText('stamp', 'echo.cjs', 'runtime: javascript\nalways: true'),
    'tools/pair.yaml': manifestText('pair', 'echo.cjs', 'runtime: javascript').replace(/commands:.*/s, commands),
    'tools/echo.cjs': "require('neta_tool').serve(() => 'done');\n",
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory, NETA_TOOL_BUDGET: '12' } });
  await waitForServers(bench.rest, ({ files: row }) => row?.state === 'connected');
});

afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

interface Preview {
  tools: { name: string; why: string }[];
  leftOut: string[];
}

async function preview(input: string, more: Record<string, unknown> = {}) {
  const { body } = await bench.rest.request<Preview>('POST', '/runs/preview', { input, ...more });
  const always = body.tools.filter(({ why }) => why === 'always').map(({ name }) => name);
  return { ...body, always, names: body.tools.map(({ name }) => name) };
}

const sorted = (names: readonly string[]) => [...names].sort();

describe('tools with always of a manifest and an MCP server (beaver.assembler)', () => {
  it.each(['Write a poem about rain', '写一首关于雨的诗'])('come first for the message %s, and the model gets the same', async input => {
    const { always, names, leftOut } = await preview(input);
    expect(sorted(always)).toEqual(sorted(FIRST));
    expect(names.slice(0, FIRST.length)).toEqual(always);
    expect(leftOut.length).toBeGreaterThan(0);
    bench.model.onTurn(input, 'done');
    await bench.rest.run({ input });
    expect(bench.model.requests(input).at(-1)?.toolNames).toEqual(names);
  });

  it.each([
    ['closed', []],
    ['picky', ['files__list_allowed_directories']],
    ['named', ['stamp']],
  ])('are for agents that may have them: %s has %j', async (agent, expected) => {
    expect((await preview('Write a poem', { agent })).always).toEqual(expected);
  });

  it('can be denied by a request', async () => {
    const { always, names } = await preview('Write a poem', { tools: { deny: ['stamp', 'pair__one'] } });
    expect(always).toEqual(['files__list_allowed_directories']);
    expect(names).not.toContain('stamp');
  });

  it('are marked in GET /tools', async () => {
    const { body } = await bench.rest.request<{ data: { name: string; always?: true }[] }>('GET', '/tools');
    expect(sorted(body.data.filter(({ always }) => always).map(({ name }) => name))).toEqual(sorted(FIRST));
  });
});
