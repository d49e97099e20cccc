import { parseYaml } from '../../../src/adapter/config/yaml_file';
import { type McpEntry, readMcpFile } from '../../../src/feature/mcp_client/mcp_config';

const VARIABLES: Record<string, string> = { TOKEN: 'a-token-of-mine', NETA_WORKSPACE: '/work', NETA_CONFIG_DIR: '/etc/neta' };

const read = (yaml: string) => readMcpFile(parseYaml('mcp.yaml', yaml), name => VARIABLES[name]);

function readOne(fields: string): McpEntry | undefined {
  return read(`servers:\n  one: { ${fields} }\n`).entries[0];
}

it('puts variables into env and headers, and remembers them as secrets', () => {
  const entry = readOne("url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}', x-plain: yes-please }");
  expect(entry).toMatchObject({
    kind: 'usable',
    transport: 'http',
    config: {
      effect: 'external',
      timeoutMs: 120_000,
      target: {
        headers: { Authorization: 'Bearer a-token-of-mine', 'x-plain': 'yes-please' },
        secrets: ['a-token-of-mine', 'Bearer a-token-of-mine'],
      },
    },
  });
});

it('does not take the directories of the gateway for secrets: results name them', () => {
  expect(readOne("command: node, env: { ROOT: '${NETA_WORKSPACE}', API_TOKEN: '${TOKEN}' }")).toMatchObject({
    config: { target: { env: { ROOT: '/work' }, secrets: ['a-token-of-mine', 'a-token-of-mine'] } },
  });
});

it('puts only directories into arguments, which other users of the machine can see', () => {
  expect(readOne("command: node, args: ['${NETA_CONFIG_DIR}/server.mjs', '${NETA_WORKSPACE}']")).toMatchObject({
    config: { target: { args: ['/etc/neta/server.mjs', '/work'], isSandboxed: false } },
  });
  expect(readOne("command: node, args: ['${TOKEN}']")).toMatchObject({
    kind: 'broken',
    problem: expect.stringMatching(
      /^mcp\.yaml: \/servers\/one\/args\/0: the variable "TOKEN" cannot be used here or is not set \(line 2\)\.$/,
    ),
  });
});

it.each([
  ['a field that does not exist', 'command: node, cmd: node', /there is no field cmd/],
  ['a command and an address', "command: node, url: 'http://x.example'", /needs either command or url/],
  ['neither of them', 'enabled: true', /needs either command or url/],
  ['an address of another kind', "url: 'file:///etc/passwd'", /must be an http or https address/],
  ['an address with a password', "url: 'https://me:secret@x.example'", /must hold no user and password/],
  ['a sandbox for an address', "url: 'https://x.example', sandbox: true", /there is no field sandbox/],
  ['an effect that does not exist', 'command: node, effect: harmless', /\/servers\/one\/effect/],
  [
    'a header with a curly quote',
    "url: 'https://x.example', headers: { a: 'Bearer k\u201d' }",
    /sent: its value has the character U\+201D at position 9/,
  ],
  ['an always that is a word', 'command: node, always: sometimes', /\/servers\/one\/always/],
  ['an always with a repeated name', 'command: node, always: [a, a]', /\/servers\/one\/always/],
  ['a header that cannot be sent', "url: 'https://x.example', headers: { 'a b': c }", /is not a header that can be sent/],
])('names field and line of %s', (_, fields, expected) => {
  expect(readOne(fields)).toMatchObject({ kind: 'broken', problem: expect.stringMatching(expected) });
  expect((readOne(fields) as { problem: string }).problem).toMatch(/line 2/);
});

it('does not need the variables of a server that is turned off', () => {
  expect(readOne("command: node, env: { A: '${NOT_SET}' }, enabled: false")).toEqual({ name: 'one', transport: 'stdio', kind: 'disabled' });
});

it('keeps the other servers when one has a bad name', () => {
  const { entries } = read('servers:\n  a__b: { command: node }\n  __proto__: { command: node }\n  good: { command: node }\n');
  expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
    ['a__b', 'broken'],
    ['__proto__', 'broken'],
    ['good', 'usable'],
  ]);
});

it('reports a file that is no list of servers as a whole', () => {
  expect(read('servers: [node]')).toEqual({ entries: [], problem: expect.stringMatching(/^mcp\.yaml: \/servers: /) });
});

it('gives the tools of a program, which sees the files of the default tenant, to that tenant alone unless the file says otherwise', () => {
  const tenantsOf = (fields: string) => {
    const entry = readOne(fields);
    return entry?.kind === 'usable' ? (entry.config.tenants ?? 'all') : entry;
  };
  expect(tenantsOf('command: node')).toEqual(['default']);
  expect(tenantsOf('command: node, tenants: all')).toBe('all');
  expect(tenantsOf('command: node, tenants: [acme, globex]')).toEqual(['acme', 'globex']);
  expect(tenantsOf("url: 'https://x.example'")).toBe('all');
  expect(tenantsOf("url: 'https://x.example', tenants: [acme]")).toEqual(['acme']);
  expect(tenantsOf("command: node, tenants: ['../acme']")).toMatchObject({ kind: 'broken', problem: expect.stringContaining('/tenants') });
});
