/** Skills: read from two places, listed in the prompt, loaded by the agent, written with approval, reloaded without a restart. */
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { APPROVER, chatUntilApproval } from '../support/approval_bench';
import type { ModelRequest } from '../support/mock_model';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { skillText, writeSkillFiles } from '../support/skill_folders';
import { until } from '../support/until';

interface SkillRow {
  name: string;
  description: string;
  source: string;
  files: string[];
  tools: string[];
  enabled: boolean;
  problems: string[];
  active?: boolean;
  content?: string;
}

let config: AgentConfig;
let bench: AgentBench;
let folder: string;

const OPERATOR_SKILL = `---
name: release
description: >-
  How to make a release: tests, tag, notes.
  Use it when a version is published.
license: MIT
allowed-tools: Bash(git:*), read_file
---

# Release
1. Run the tests.
2. Write the notes as references/notes.md says.
`;

beforeAll(async () => {
  config = await createAgentConfig(['base', 'interaction', 'skill'], { plain: ['base'] });
  folder = join(config.directory, 'skills');
  await writeSkillFiles(folder, {
    'release/SKILL.md': OPERATOR_SKILL,
    'release/references/notes.md': 'Notes name the user first.\n',
    'release/assets/logo.bin': Buffer.from([0, 1, 2, 255]),
    'broken/SKILL.md': '---\nname: broken\ndescription: "never closed\n---\nText.\n',
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

const listSkills = async () => (await bench.rest.request<PageBody<SkillRow>>('GET', '/skills')).body.data;
const getSkill = async (name: string) => (await listSkills()).find(row => row.name === name);
const putSkill = (name: string, content: string) => bench.rest.request<SkillRow>('PUT', `/skills/${name}`, { content });
const systemOf = (request: ModelRequest | undefined) => String(request?.body.messages.find(({ role }) => role === 'system')?.content);

/** Runs one turn and returns the prompt that the model got. */
async function promptOf(text: string, more: Record<string, unknown> = {}): Promise<string> {
  bench.model.onTurn(text, 'Fine.');
  const { body } = await bench.rest.run({ input: text, ...more });
  expect(body.status).toBe('completed');
  return systemOf(await bench.model.waitFor(text));
}

/** Runs one turn in which the model makes one call; returns the result that the model got. */
async function resultOf(text: string, call: { name: string; arguments: Record<string, unknown> }, more: Record<string, unknown> = {}) {
  bench.model.onTurn(text, { toolCalls: [call] }, request => `Told: ${request.toolResults.at(-1)}`);
  const { body } = await bench.rest.run({ input: text, ...more });
  return body;
}

describe('beaver.builtins neta.catalog.toolsets: the skills of the operator', () => {
  it('are rows with their files and tools', async () => {
    expect(await getSkill('release')).toEqual({
      name: 'release',
      description: 'How to make a release: tests, tag, notes. Use it when a version is published.',
      source: 'config',
      files: ['SKILL.md', 'assets/logo.bin', 'references/notes.md'],
      tools: ['Bash', 'read_file'],
      enabled: true,
      problems: [],
      warnings: [],
    });
    const { body } = await bench.rest.request<SkillRow & { license: string }>('GET', '/skills/release');
    expect([body.content, body.license]).toEqual([OPERATOR_SKILL, 'MIT']);
  });

  it('have the description in the language of the reader, and in English where there is no other', async () => {
    const DESCRIBED = '---\nname: poems\ndescription: Writes poems.\nmetadata:\n  description-zh-CN: 写诗。\n---\nRhyme.\n';
    await bench.rest.request('PUT', '/skills/poems', { content: DESCRIBED });
    for (const [language, poems, release] of [
      ['zh-CN,zh;q=0.9', '写诗。', /^How to make/],
      ['en', 'Writes poems.', /^How to make/],
      ['fr', 'Writes poems.', /^How to make/],
    ] as const) {
      const headers = { 'accept-language': language };
      const list = await bench.rest.request<PageBody<SkillRow>>('GET', '/skills', undefined, headers);
      const described = Object.fromEntries(list.body.data.map(({ name, description }) => [name, description]));
      expect(described).toMatchObject({ poems, release: expect.stringMatching(release) });
      const detail = await bench.rest.request<SkillRow>('GET', '/skills/poems', undefined, headers);
      expect([detail.body.description, detail.body.content]).toEqual([poems, DESCRIBED]);
      expect(list.headers.get('vary')?.toLowerCase()).toContain('accept-language');
    }
    await bench.rest.request('DELETE', '/skills/poems');
  });

  it('are listed in pages', async () => {
    const pageAt = (query: string) => bench.rest.request<PageBody<SkillRow>>('GET', `/skills?limit=1${query}`);
    const first = (await pageAt('')).body;
    const second = (await pageAt(`&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['broken', 'release']);
    expect([second.nextCursor, (await pageAt('&cursor=x')).status]).toEqual([undefined, 400]);
  });

  it('name file and line when they are broken, in the list, the log and /readyz, while others work', async () => {
    const row = await getSkill('broken');
    expect(row).toMatchObject({ enabled: false, problems: [expect.stringMatching(/^SKILL\.md:3: /)] });
    expect(bench.gateway.output()).toMatch(/skills\/broken: SKILL\.md:3: /);
    const ready = await bench.rest.request<{ status: string; warnings: string[] }>('GET', '//readyz');
    expect([ready.status, ready.body.warnings]).toEqual([200, [expect.stringMatching(/^skills\/broken: SKILL\.md:3: /)]]);
  });

  it('stand in the prompt of agents that can read them, each on one line', async () => {
    const prompt = await promptOf('which skills are there');
    expect(prompt).toContain('\n- release: How to make a release: tests, tag, notes. Use it when a version is published.');
    expect(prompt).not.toContain('- broken');
    expect(await promptOf('有哪些技能', { locale: 'zh-CN' })).toMatch(/# 技能\n现成的做法。.*\n(- .*\n)*- release: How to make/);
    expect(await promptOf('and without the toolset', { agent: 'plain' })).not.toContain('release');
  });

  it('are read by the agent with their files, and become active in the session', async () => {
    const read = await resultOf('read the release skill', { name: 'read_skill', arguments: { name: 'release' } });
    expect(read.text).toContain('2. Write the notes as references/notes.md says.');
    expect(read.text).toContain('assets/logo.bin\nreferences/notes.md');
    const file = await resultOf(
      'read its notes',
      { name: 'read_skill_file', arguments: { name: 'release', path: 'references/notes.md' } },
      { sessionId: read.sessionId },
    );
    expect(file.text).toContain('Notes name the user first.');
    const rows = async (session: string) => (await bench.rest.request<PageBody<SkillRow>>('GET', `/skills?session=${session}`)).body.data;
    expect((await rows(read.sessionId)).map(({ name, active }) => [name, active])).toEqual([
      ['broken', false],
      ['release', true],
    ]);
    const other = await bench.rest.run({ input: 'which skills are there' });
    expect((await rows(other.body.sessionId)).some(({ active }) => active)).toBe(false);
  });

  it('are read-only for the agent and over REST', async () => {
    const refused = [await putSkill('release', skillText('release')), await bench.rest.request('DELETE', '/skills/release')];
    expect(refused.map(({ status, body }) => [status, (body as never as { error: { code: string } }).error.code])).toEqual([
      [403, 'forbidden'],
      [403, 'forbidden'],
    ]);
    const client = await bench.connect(APPROVER);
    bench.model.onTurn(
      'rewrite the release skill',
      { toolCalls: [{ name: 'skill_manage', arguments: { action: 'update', name: 'release', content: skillText('release') } }] },
      request => `Told: ${request.toolResults.at(-1)}`,
    );
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'rewrite the release skill');
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    expect((await client.endOf(runId)).data.text).toContain('belongs to the operator of this gateway and is read-only');
    expect((await bench.rest.request<SkillRow>('GET', '/skills/release')).body.content).toBe(OPERATOR_SKILL);
  });
});

describe('files of a skill over REST', () => {
  const fetchFile = (path: string) => fetch(`${bench.gateway.url}/api/v1/skills/release/files/${path}`);

  it('are sent as text that no browser runs, or as a download', async () => {
    const [text, bytes] = [await fetchFile('references/notes.md'), await fetchFile('assets/logo.bin')];
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain; charset=utf-8', 'Notes name the user first.\n']);
    expect([bytes.headers.get('content-type'), bytes.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      'attachment',
    ]);
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(Buffer.from([0, 1, 2, 255]));
  });

  it.each(['', '..%2f..%2fagents/default.yaml', 'references/..%2f..%2fbroken/SKILL.md', '/etc/passwd', 'a%00b'])(
    'are refused with the field for the path %j',
    async path => {
      const answer = await fetchFile(path);
      expect([answer.status, ((await answer.json()) as ErrorBody).error.param]).toEqual([400, '/path']);
    },
  );

  it('can only be read', async () => {
    const answer = await bench.rest.request('DELETE', '/skills/release/files/references/notes.md');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each(['..%2F..%2Fagents%2Fdefault.yaml', '%2Fetc%2Fpasswd', 'references%2F..%2F..%2Fbroken%2FSKILL.md', 'references', 'missing.md'])(
    'are refused for the path %s',
    async path => {
      const answer = await fetchFile(path);
      expect([400, 404]).toContain(answer.status);
      expect(await answer.text()).not.toMatch(/toolsets|root:|never closed/);
    },
  );
});

describe('skills that the agent makes', () => {
  const create = (name: string, description: string) => ({
    toolCalls: [{ name: 'skill_manage', arguments: { action: 'create', name, content: skillText(name, description) } }],
  });
  const told = (request: ModelRequest) => `Told: ${request.toolResults.at(-1)}`;

  it('ask for approval with the whole text, and stand in the prompt of the next session', async () => {
    const client = await bench.connect(APPROVER);
    bench.model.onTurn('keep the brewing method', create('brewing', 'How to brew tea.'), told);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, 'keep the brewing method');
    expect(asked.data).toMatchObject({
      tool: 'skill_manage',
      args: { action: 'create', name: 'brewing', content: skillText('brewing', 'How to brew tea.') },
      reason: 'A skill instructs the agent in later conversations.',
    });
    expect(await getSkill('brewing')).toBeUndefined();
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    expect((await client.endOf(runId)).data.text).toContain('Created the skill brewing.');
    expect(await getSkill('brewing')).toMatchObject({ source: 'agent', enabled: true, files: ['SKILL.md'] });
    expect(await promptOf('is there a brewing skill')).toContain('\n- brewing: How to brew tea.');
  });

  it('are not written when the person denies, and not where no person can be asked', async () => {
    const client = await bench.connect(APPROVER);
    bench.model.onTurn('keep the denied method', create('denied', 'No.'), told);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'keep the denied method');
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny' });
    await client.endOf(runId);
    const direct = await bench.rest.request<{ status: string; error: string }>('POST', '/tools/call', {
      toolName: 'skill_manage',
      parameters: { action: 'create', name: 'denied', content: skillText('denied') },
    });
    expect(direct.body).toMatchObject({ status: 'error', error: expect.stringContaining('approval') });
    expect(await getSkill('denied')).toBeUndefined();
  });

  it.each([
    ['without a text', { action: 'create' }, '/content: is required for the action create.'],
    ['with a broken text', { action: 'create', content: 'Just text.' }, '/content: SKILL.md:1: must begin with front matter'],
    ['with a field of another action', { action: 'delete', path: 'a.md' }, '/path: the action delete does not take it.'],
    ['with a name that leads out', { action: 'delete', name: '../release' }, 'name'],
  ])('are refused without a question when the call comes %s', async (what, args, problem) => {
    const client = await bench.connect(APPROVER);
    const text = `keep it ${what}`;
    bench.model.onTurn(text, { toolCalls: [{ name: 'skill_manage', arguments: { name: 'half', ...args } }] }, told);
    const { runId } = await client.chat(text);
    expect((await client.endOf(runId)).data.text).toContain(problem);
    expect(client.eventsOf(runId).filter(event => event.type === 'approval_request')).toEqual([]);
  });

  it('are patched, turned off and deleted', async () => {
    await putSkill('kettle', skillText('kettle', 'How to boil water.', 'Boil for 3 minutes.'));
    const client = await bench.connect(APPROVER);
    const approve = async (text: string, args: Record<string, unknown>) => {
      bench.model.onTurn(text, { toolCalls: [{ name: 'skill_manage', arguments: { name: 'kettle', ...args } }] }, told);
      const { sessionId, runId, requestId } = await chatUntilApproval(client, text);
      await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
      return String((await client.endOf(runId)).data.text);
    };
    const patch = { action: 'patch', old_string: 'Boil for 3 minutes.', new_string: 'Boil for 5 minutes.' };
    expect(await approve('patch the kettle', patch)).toContain('+Boil for 5 minutes.');
    expect((await bench.rest.request<SkillRow>('GET', '/skills/kettle')).body.content).toContain('Boil for 5 minutes.');
    const reference = { action: 'patch', path: 'references/water.md', old_string: '', new_string: 'Soft water is best.\n' };
    expect(await approve('add a file to the kettle', reference)).toContain('+Soft water is best.');
    expect(await getSkill('kettle')).toMatchObject({ files: ['SKILL.md', 'references/water.md'] });
    const breaking = { action: 'patch', old_string: 'name: kettle', new_string: 'name: pot' };
    expect(await approve('break the kettle', breaking)).toContain('SKILL.md:2: name must be the name of the folder, kettle.');
    expect(await approve('miss the kettle', { ...patch, old_string: 'Freeze it.', new_string: 'Thaw it.' })).toContain('no_match');
    await approve('turn the kettle off', { action: 'disable' });
    expect(await getSkill('kettle')).toMatchObject({ enabled: false, problems: [] });
    const off = await resultOf('read the kettle', { name: 'read_skill', arguments: { name: 'kettle' } });
    expect(off.text).toContain('turned off');
    await approve('turn the kettle on', { action: 'enable' });
    expect(await getSkill('kettle')).toMatchObject({ enabled: true });
    await approve('throw the kettle away', { action: 'delete' });
    expect(await getSkill('kettle')).toBeUndefined();
    expect(await approve('throw it away again', { action: 'delete' })).toContain('There is no skill "kettle".');
  });
});

describe('skills over REST', () => {
  it('are created, replaced and deleted', async () => {
    expect(await putSkill('tidy', skillText('tidy', 'First.'))).toMatchObject({
      status: 200,
      body: { name: 'tidy', source: 'agent', enabled: true, description: 'First.' },
    });
    expect((await putSkill('tidy', skillText('tidy', 'Second.'))).body.description).toBe('Second.');
    expect((await bench.rest.request('DELETE', '/skills/tidy')).status).toBe(204);
    expect((await bench.rest.request('GET', '/skills/tidy')).status).toBe(404);
    expect((await bench.rest.request('DELETE', '/skills/tidy')).status).toBe(404);
  });

  it('are turned off and on by a person, those of the operator too, and leave the prompt while they are off', async () => {
    const set = (enabled: boolean) => bench.rest.request<SkillRow>('PATCH', '/skills/release', { enabled });
    expect((await set(false)).body).toMatchObject({ name: 'release', enabled: false });
    expect(await promptOf('release is off now')).not.toContain('- release:');
    expect((await set(true)).body.enabled).toBe(true);
    expect(await promptOf('release is on again')).toContain('- release:');
    const broken = await bench.rest.request('PATCH', '/skills/broken', { enabled: true });
    expect(broken).toMatchObject({ status: 400, body: { error: { param: '/name', message: expect.stringContaining('SKILL.md:3') } } });
  });

  it("leave the operator's skill of the same name, and its switch, alone", async () => {
    await putSkill('brew', skillText('brew', 'Mine.'));
    await writeSkillFiles(folder, { 'brew/SKILL.md': skillText('brew', 'The operator.') });
    await bench.rest.request('PATCH', '/skills/brew', { enabled: false });
    expect((await putSkill('brew', skillText('brew', 'Mine again.'))).body).toMatchObject({
      source: 'agent',
      description: 'Mine again.',
      enabled: false,
      problems: ['SKILL.md:1: the operator has a skill with this name, which is used instead.'],
    });
    expect((await bench.rest.request('DELETE', '/skills/brew')).status).toBe(204);
    expect(await getSkill('brew')).toMatchObject({ source: 'config', enabled: false });
    await rm(join(folder, 'brew'), { recursive: true });
  });

  it.each([
    ['no front matter', 'Just text.', '/content', 'SKILL.md:1: must begin with front matter'],
    ['another name', skillText('other'), '/content', 'SKILL.md:2: name must be the name of the folder, draft.'],
    ['a tag that would run code', '---\nname: draft\ndescription: !!js/function "function(){}"\n---\n', '/content', 'SKILL.md:3:'],
    ['an empty text', '', '/content', ''],
    ['more than 256 KiB', `${skillText('draft')}${'x'.repeat(262_144)}`, '/content', ''],
  ])('are refused with %s, and nothing is written', async (_what, content, param, message) => {
    const answer = await putSkill('draft', content);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param, message: expect.stringContaining(message) } },
    });
    expect(await getSkill('draft')).toBeUndefined();
  });

  it.each(['..%2Fescape', 'Upper', 'a_b', '-a', 'a--b', 'x'.repeat(65), '%00', '.hidden'])('are refused with the name %s', async name => {
    const answer = await putSkill(name, skillText('escape'));
    expect(answer.status).toBe(400);
    expect((await readdir(join(bench.gateway.dataDir, 'skills'))).filter(entry => entry !== 'default')).toEqual([]);
  });

  it('are at most 200, and the next one is over the quota', async () => {
    const own = join(bench.gateway.dataDir, 'skills/default');
    const { length } = (await listSkills()).filter(({ source }) => source === 'agent');
    const names = Array.from({ length: 200 - length }, (_, i) => `many-${i}`);
    await writeSkillFiles(own, Object.fromEntries(names.map(name => [`${name}/SKILL.md`, skillText(name)])));
    const refused = (language: string) =>
      bench.rest.request('PUT', '/skills/one-more', { content: skillText('one-more') }, { 'accept-language': language });
    expect(await refused('en')).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded', param: '/name', message: 'There are 200 skills already; delete one first.' } },
    });
    expect((await refused('zh-CN')).body.error.message).toBe('技能已有 200 个，请先删除一个。');
    for (const name of names) await rm(join(own, name), { recursive: true });
    expect((await putSkill('one-more', skillText('one-more'))).status).toBe(200);
  });

  it('stay after kill -9', async () => {
    await putSkill('lasting', skillText('lasting'));
    await bench.rest.request('PATCH', '/skills/release', { enabled: false });
    await bench.gateway.restart();
    expect(await getSkill('lasting')).toMatchObject({ source: 'agent', enabled: true });
    expect(await getSkill('release')).toMatchObject({ enabled: false });
    await bench.rest.request('PATCH', '/skills/release', { enabled: true });
  });
});

describe('folders that an operator changes while the gateway runs', () => {
  /** Resolves with the warnings once they match. A busy machine may take longer than the second that is promised. */
  const warningsWithinSecond = (isMet: (warnings: string[]) => boolean): Promise<string[]> =>
    until(async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings, isMet, { limitMs: 3_000 });

  it('are read again within a second, without a restart', async () => {
    await writeSkillFiles(folder, { 'fresh/SKILL.md': 'not yet' });
    expect(await warningsWithinSecond(all => all.some(text => text.includes('skills/fresh')))).toContainEqual(
      expect.stringContaining('skills/fresh: SKILL.md:1:'),
    );
    await writeSkillFiles(folder, { 'fresh/SKILL.md': skillText('fresh', 'Works now.') });
    expect(await warningsWithinSecond(all => !all.some(text => text.includes('skills/fresh')))).not.toContainEqual(
      expect.stringContaining('skills/fresh'),
    );
    expect(await promptOf('is fresh there')).toContain('- fresh: Works now.');
  });

  it('are refused when a link leads out of them', async () => {
    const secret = join(bench.gateway.dataDir, 'secret.txt');
    await writeFile(secret, 'the-secret');
    await writeSkillFiles(folder, { 'linked/SKILL.md': skillText('linked') });
    await mkdir(join(folder, 'linked/references'));
    await symlink(secret, join(folder, 'linked/references/secret.md'));
    await symlink(bench.gateway.dataDir, join(folder, 'outside'));
    expect(await getSkill('linked')).toMatchObject({
      enabled: false,
      problems: ['references/secret.md: is a symbolic link that leads out of the skill.'],
    });
    expect(await getSkill('outside')).toMatchObject({ enabled: false, problems: [expect.stringContaining('leads out of the skills')] });
    for (const path of ['linked/files/references/secret.md', 'outside/files/secret.txt'])
      expect(JSON.stringify((await bench.rest.request('GET', `/skills/${path}`)).body)).not.toContain('the-secret');
  });

  it('are refused when they hold too many files, too many bytes or too many levels', async () => {
    const names = Array.from({ length: 1_200 }, (_, i) => `many/references/f${i}.md`);
    await writeSkillFiles(folder, { 'many/SKILL.md': skillText('many') });
    await mkdir(join(folder, 'many/references'));
    await Promise.all(names.map(name => writeFile(join(folder, name), 'x')));
    await writeSkillFiles(folder, { 'deep/SKILL.md': skillText('deep'), [`deep/${'d/'.repeat(12)}leaf.md`]: 'x' });
    await writeSkillFiles(folder, { 'heavy/SKILL.md': skillText('heavy'), 'heavy/assets/a.bin': Buffer.alloc(21 * 1024 * 1024) });
    const problems = Object.fromEntries((await listSkills()).map(row => [row.name, row.problems.join(' ')]));
    expect(problems['many']).toContain('more than 1000 files and folders');
    expect(problems['deep']).toContain('nested deeper than 8 levels');
    expect(problems['heavy']).toContain('more than 20 MiB');
    expect(await promptOf('the others still work')).toContain('- release:');
  });
});
