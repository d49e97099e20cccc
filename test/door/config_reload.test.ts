/** Files of the configuration directory that change while the gateway runs. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash } from '../../src/utils/content_hash';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { manifestText, writeConfigFiles } from '../support/manifest_config';
import type { PageBody } from '../support/rest_client';
import { skillText, writeSkillFiles } from '../support/skill_folders';
import { until } from '../support/until';

interface Row {
  actor: string;
  action: string;
  target: string;
  details: Record<string, unknown>;
}

const DENY = 'rules:\n  - { tool: read_file, decision: deny }\n';

let config: AgentConfig;
let bench: AgentBench;

async function start(): Promise<void> {
  config = await createAgentConfig(['base'], { helper: ['base'] });
  await writeSkillFiles(join(config.directory, 'skills'), { 'brewing/SKILL.md': skillText('brewing') });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory }, files: { 'notes.txt': 'beans\n' } });
  bench.model.onTurn(
    'read',
    { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] },
    ({ toolResults }) => `Result: ${toolResults[0]}`,
  );
  bench.model.onTurn('hello', 'Hello.');
}

async function stop(): Promise<void> {
  await bench?.stop();
  await config?.remove();
}

/** Replaces a file as an editor does. */
async function put(name: string, text: string): Promise<void> {
  await writeFile(join(config.directory, `${name}.part`), text);
  await rename(join(config.directory, `${name}.part`), join(config.directory, name));
}

/** Waits for the first audit row of a file with this action. */
async function rowOf(target: string, action = 'config.reload'): Promise<Row> {
  const rows = async () => (await bench.rest.request<PageBody<Row>>('GET', `/audit?action=${action}&target=${target}`)).body.data;
  return (await until(rows, found => found.length > 0))[0] as Row;
}

const warnings = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;
const agents = async () => (await bench.rest.request<{ data: { name: string }[] }>('GET', '/agents')).body.data.map(({ name }) => name);

// A test waits for the first row of its files in the audit log, so the tests of a gateway change different files.
describe('changes that leave a row', () => {
  beforeAll(start);
  afterAll(stop);

  it('approvals.yaml: a new rule decides the next call, within a second', async () => {
    expect((await bench.rest.run({ input: 'read' })).body.text).toContain('beans');
    const since = Date.now();
    await put('approvals.yaml', DENY);
    const row = await rowOf('approvals.yaml');
    expect(Date.now() - since).toBeLessThan(3_000);
    expect(row).toMatchObject({ actor: 'gateway:config', details: { before: 'none', after: contentHash(DENY) } });
    expect((await bench.rest.run({ input: 'read' })).body.text).toContain('forbids');
    await rm(join(config.directory, 'approvals.yaml'));
    await until(async () => !(await bench.rest.run({ input: 'read' })).body.text?.includes('forbids'));
  });

  it('agents: a new file is an agent, a changed one has its new tools, and a mistake keeps all', async () => {
    await put('agents/planner.yaml', 'name: planner\ntoolsets: [planning]\n');
    expect(await rowOf('agents/planner.yaml')).toMatchObject({ details: { before: 'none' } });
    expect(await agents()).toEqual(['default', 'helper', 'planner']);
    const before = await readFile(join(config.directory, 'agents/default.yaml'), 'utf8');
    const after = 'name: default\ntoolsets: [planning]\n';
    await put('agents/default.yaml', after);
    expect((await rowOf('agents/default.yaml')).details).toEqual({ before: contentHash(before), after: contentHash(after) });
    expect((await bench.rest.run({ input: 'read' })).body.text).not.toContain('beans');
    await put('agents/helper.yaml', 'name: helper\ntoolsets: [no_such_set]\n');
    expect((await rowOf('agents/helper.yaml', 'config.refuse')).details).toMatchObject({ line: 2, field: '/toolsets/0' });
    expect(await warnings()).toEqual([
      expect.stringMatching(/^agents\/helper\.yaml: \/toolsets\/0: there is no toolset "no_such_set".*line 2/),
    ]);
    expect((await bench.rest.run({ input: 'hello', agent: 'helper' })).body.status).toBe('completed');
    await rm(join(config.directory, 'agents/planner.yaml'));
    await put('agents/helper.yaml', 'name: helper\n');
    expect(await rowOf('agents/helper.yaml')).toBeDefined();
    expect(await agents()).toEqual(['default', 'helper']);
  });

  it('skills: an edit by hand leaves a row with the hashes of SKILL.md', async () => {
    const text = skillText('brewing', 'Brews beer.');
    await writeSkillFiles(join(config.directory, 'skills'), { 'brewing/SKILL.md': text });
    expect(await rowOf('skills/brewing/SKILL.md')).toMatchObject({
      actor: 'gateway:config',
      details: { before: contentHash(skillText('brewing')), after: contentHash(text) },
    });
    await rm(join(config.directory, 'skills/brewing'), { recursive: true });
    for (let row = await rowOf('skills/brewing/SKILL.md'); row.details['after'] !== 'none'; ) row = await rowOf('skills/brewing/SKILL.md');
  });

  it('tools: the settings of a manifest leave a row with their hash', async () => {
    const schema = 'config_schema:\n  mode: { type: string, description: How it works. }';
    await writeConfigFiles(config.directory, {
      'tools/echo.cjs': 'process.stdin.resume();\n',
      'tools/echo.yaml': manifestText('echo', 'echo.cjs', `runtime: javascript\n${schema}`),
    });
    await rowOf('tools/echo.yaml');
    await writeConfigFiles(config.directory, { 'tool-settings/echo.yaml': 'mode: loud\n' });
    const row = await rowOf('tool-settings/echo.yaml');
    expect(row.details).toEqual({ before: 'none', after: contentHash('mode: loud\n') });
  });

  it('limits.yaml: a mistake leaves a row with its line, and no text of the file', async () => {
    await put('limits.yaml', 'default:\n  requestsPerMinute: heliotrope\n');
    const row = await rowOf('limits.yaml', 'config.refuse');
    expect(row.details).toMatchObject({ line: 2, field: '/default/requestsPerMinute' });
    expect(JSON.stringify(row)).not.toContain('heliotrope');
    await put('limits.yaml', 'default: {}\n');
    await until(async () => (await warnings()).length === 0);
  });
});

describe('mistakes and edits by others', () => {
  beforeAll(start);
  afterAll(stop);

  it('approvals.yaml: a mistake keeps the rules, and readyz, ops and the audit log name its line', async () => {
    await put('approvals.yaml', DENY);
    await rowOf('approvals.yaml');
    const broken = 'rules:\n  - { tool: read_file, decision: allow }\n  - { tool: bash, decision: perhaps }\n';
    await put('approvals.yaml', broken);
    const refused = await rowOf('approvals.yaml', 'config.refuse');
    expect(refused.details).toEqual({ line: 3, field: '/rules/1/decision', after: contentHash(broken) });
    expect(await warnings()).toEqual([expect.stringMatching(/^approvals\.yaml: \/rules\/1\/decision: .*\(line 3\)\.$/)]);
    const { body } = await bench.rest.request<{ files: { name: string; state: string }[] }>('GET', '/ops/config');
    expect(body.files.find(({ name }) => name === 'approvals.yaml')).toMatchObject({ state: 'invalid' });
    expect((await bench.rest.run({ input: 'read' })).body.text).toContain('forbids');
    await put('approvals.yaml', DENY);
    await until(async () => (await warnings()).length === 0);
  });

  it('agents: a mistake in one file holds back no other, and the page can change the others', async () => {
    await put('agents/helper.yaml', 'name: helper\ntoolsets: [base\n');
    await rowOf('agents/helper.yaml', 'config.refuse');
    await put('agents/planner.yaml', 'name: planner\ntoolsets: [planning]\nmembers: [helper]\n');
    await rowOf('agents/planner.yaml');
    expect(await agents()).toEqual(['default', 'helper', 'planner']);
    const text = 'name: poet\n';
    expect((await bench.rest.request('PUT', '/ops/config/agents/poet.yaml', { text })).status).toBe(200);
    await rowOf('agents/poet.yaml');
    const again = 'name: helper\n';
    const refused = await bench.rest.request<{ error: { message: string } }>('PUT', '/ops/config/agents/other.yaml', { text: again });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('agents/other.yaml: /name: agents/helper.yaml'),
    ]);
    await put('agents/other.yaml', 'name: other\ntools: [no_such_tool]\n');
    await rowOf('agents/other.yaml', 'config.refuse');
    expect(await warnings()).toEqual([expect.stringContaining('agents/helper.yaml'), expect.stringContaining('agents/other.yaml')]);
    expect(await agents()).toEqual(['default', 'helper', 'planner', 'poet']);
    await put('agents/helper.yaml', 'name: helper\n');
    await put('agents/other.yaml', 'name: other\n');
    await until(async () => (await warnings()).length === 0);
    expect(await agents()).toEqual(['default', 'helper', 'other', 'planner', 'poet']);
  });

  it('skills: edits of files beside SKILL.md and of skills of tenants leave rows, those of agents only their own', async () => {
    const script = join(config.directory, 'skills/brewing/scripts/brew.sh');
    await writeSkillFiles(join(config.directory, 'skills'), { 'brewing/scripts/brew.sh': 'echo one\n' });
    const listed = await rowOf('skills/brewing');
    await writeFile(script, 'echo other\n');
    for (let row = listed; row.details['after'] === listed.details['after']; ) row = await rowOf('skills/brewing');

    const content = skillText('roasting');
    expect((await bench.rest.request('PUT', '/skills/roasting', { content })).status).toBe(200);
    const byHand = skillText('roasting', 'Roasts beans.');
    await writeFile(join(bench.gateway.dataDir, 'skills/default/roasting/SKILL.md'), byHand);
    const row = await rowOf('skills/default/roasting/SKILL.md');
    expect(row).toMatchObject({ actor: 'gateway:config', details: { before: contentHash(content), after: contentHash(byHand) } });
  });

  it('limits.yaml: a warning, which anybody may read, names no tenant and no key', async () => {
    const ofLimits = (start: string) => until(async () => (await warnings()).find(warning => warning.startsWith(start)));
    await put('limits.yaml', 'tenants:\n  heliotrope:\n    tokensPerDay: many\n');
    expect(await ofLimits('limits.yaml: /tenants')).toMatch(/^limits\.yaml: \/tenants\/\*\/tokensPerDay: .*\(line 3\)\.$/);
    await put('limits.yaml', 'keys:\n  heliotrope key: {}\n');
    expect(await ofLimits('limits.yaml: /keys')).toBe('limits.yaml: /keys/*: there is no field * (line 2).');
  });
});
