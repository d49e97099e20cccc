import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import { AgentProfiles, textIn } from '../../../src/service/agent/agent_profiles';
import { withDirectory } from '../../support/temporary_store';

/** Loads profiles from files with these texts. */
async function load(files: Record<string, string>): Promise<AgentProfiles> {
  let profiles: AgentProfiles | undefined;
  await withDirectory(async directory => {
    await mkdir(join(directory, 'agents'));
    for (const [file, text] of Object.entries(files)) await writeFile(join(directory, 'agents', file), text);
    profiles = await AgentProfiles.load(createConfigDirectory(directory));
  });
  return profiles as AgentProfiles;
}

const DEFAULT = 'name: default\ntoolsets: [base]\n';
const PLAIN = { tools: [], memory: false, skills: false, discover: true, members: [] };

describe('agent profiles', () => {
  it('are read from every YAML file of the directory', async () => {
    const profiles = await load({
      'default.yaml': DEFAULT,
      'poet.yml': 'name: poet\ntoolsets: []\npersona: { en: You rhyme. }\n',
      'notes.txt': '%',
    });
    expect(profiles.listProfiles().map(({ name }) => name)).toEqual(['default', 'poet']);
    expect(profiles.findProfile('poet', 'default')).toEqual({ ...PLAIN, name: 'poet', toolsets: [], persona: { en: 'You rhyme.' } });
    expect(profiles.findProfile('nobody', 'default')).toBeUndefined();
  });

  it('have the default toolsets when they name none, and single tools on top', async () => {
    const profiles = await load({ 'default.yaml': 'name: default\ntools: [calculator]\n' });
    expect(profiles.getDefault()).toEqual({
      ...PLAIN,
      name: 'default',
      toolsets: ['base', 'planning', 'interaction'],
      tools: ['calculator'],
    });
  });

  it('have a label for each language, or one for both', async () => {
    const profiles = await load({ 'default.yaml': `${DEFAULT}label: { en: Desk, zh-CN: 书桌 }\ndescription: Works.\n` });
    const { label, description } = profiles.getDefault();
    expect([textIn(label, 'zh-CN'), textIn(label, 'en'), textIn(description, 'zh-CN')]).toEqual(['书桌', 'Desk', 'Works.']);
    expect(textIn({ en: 'Desk' }, 'zh-CN')).toBe('Desk');
    await expect(load({ 'default.yaml': `${DEFAULT}label: { zh-CN: 书桌 }\n` })).rejects.toThrow(/default\.yaml: \/label/);
    await expect(load({ 'default.yaml': `${DEFAULT}label: [Desk]\n` })).rejects.toThrow(/default\.yaml: \/label/);
  });

  it('have memory, skills and members where they name them', async () => {
    const files = {
      'default.yaml': `${DEFAULT}memory: true\nskills: true\nmembers: [poet]\n`,
      'poet.yaml': 'name: poet\nmaxToolIterations: 3\n',
    };
    const profiles = await load(files);
    expect(profiles.getDefault()).toMatchObject({ memory: true, skills: true, members: ['poet'] });
    expect(profiles.findProfile('poet', 'default')).toMatchObject({ members: [], maxToolIterations: 3 });
  });

  it.each([
    [
      'that does not exist',
      'members: [poet, nobody]\n',
      '',
      /^agents\/default\.yaml: \/members\/1: there is no agent "nobody" \(line 3\)\.$/,
    ],
    [
      'that is the agent itself',
      'members: [default]\n',
      '',
      /^agents\/default\.yaml: \/members\/0: an agent cannot be its own member \(line 3\)\.$/,
    ],
    [
      'that leads back to its master',
      'members: [poet]\n',
      'members: [default]\n',
      /^agents\/default\.yaml: \/members\/0: leads back to "default": default -> poet -> default \(line 3\)\.$/,
    ],
    ['twice', 'members: [poet, poet]\n', '', /^agents\/default\.yaml: \/members: .*\(line 3\)\.$/],
  ])('are refused with file, line and field when they name a member %s', async (_what, ofDefault, ofPoet, expected) => {
    const files = { 'default.yaml': `${DEFAULT}${ofDefault}`, 'poet.yaml': `name: poet\n${ofPoet}` };
    await expect(load(files)).rejects.toThrow(expected);
  });

  it.each([
    ['toolset crew', 'toolsets: [crew]\n', '/toolsets/0: the toolset "crew" needs members (line 2).'],
    ['tool', 'toolsets: [base]\ntools: [delegate_task]\n', '/tools/0: "delegate_task" needs members (line 3).'],
  ])('are refused when they name the %s without members', async (_what, text, expected) => {
    const profiles = await load({ 'default.yaml': `name: default\n${text}` });
    const known = { hasToolset: () => true, hasTool: () => true, delegates: () => true, toolsets: [] };
    expect(() => profiles.checkTools(known)).toThrow(expected);
  });

  it('have an owner and people who see them, under the names of all things with an owner', async () => {
    const accessOf = async (fields: string) => {
      const profiles = await load({ 'default.yaml': DEFAULT, 'poet.yaml': `name: poet\ntenant: acme\n${fields}` });
      expect(profiles.findProfile('poet', 'default')).toBeUndefined();
      expect(profiles.listProfiles('default').map(({ name }) => name)).toEqual(['default']);
      const { owner, visibility, sharedWith } = profiles.findProfile('poet', 'acme') ?? {};
      return { owner, visibility, sharedWith };
    };
    expect(await accessOf('')).toEqual({});
    expect(await accessOf("owner: '@anna'\n")).toEqual({ owner: '@anna', visibility: 'private' });
    expect(await accessOf("owner: '@anna'\nvisibility: tenant\n")).toEqual({ owner: '@anna', visibility: 'tenant' });
    const sharedWith = ['@ben', 'role:approver', 'group:ops'];
    expect(await accessOf("sharedWith: ['@ben', approver, 'group:ops']\n")).toEqual({ visibility: 'shared', sharedWith });
  });

  it.each([
    ['an owner without a tenant', "owner: '@anna'\n", '/owner: needs the field tenant beside it (line 2).'],
    ['an owner that is no handle', 'tenant: acme\nowner: anna\n', '/owner: must be the handle of a person, such as @anna (line 3).'],
    ['private without an owner', 'tenant: acme\nvisibility: private\n', '/visibility: private needs the field owner beside it (line 3).'],
    ['shared with nobody', 'tenant: acme\nvisibility: shared\n', '/visibility: shared needs the field sharedWith beside it (line 3).'],
    ['an unknown visibility', 'tenant: acme\nvisibility: open\n', /\/visibility: must be .*\(line 3\)\.$/],
    ['an empty list', 'tenant: acme\nsharedWith: []\n', /\/sharedWith: .*\(line 3\)\.$/],
    [
      'a member of another form',
      "tenant: acme\nsharedWith: ['@ben', cook]\n",
      /\/sharedWith\/1: must be a handle such as @anna, .*\(line 3\)\.$/,
    ],
    [
      'a list beside another visibility',
      "tenant: acme\nvisibility: tenant\nsharedWith: ['@ben']\n",
      '/sharedWith: needs visibility: shared, or no visibility (line 4).',
    ],
  ])('are refused with file, line and field when they name %s', async (_what, fields, expected) => {
    const loading = load({ 'default.yaml': DEFAULT, 'poet.yaml': `name: poet\n${fields}` });
    await expect(loading).rejects.toThrow(typeof expected === 'string' ? `agents/poet.yaml: ${expected}` : expected);
  });

  it('are refused when the default one has a tenant, or a member exists in fewer tenants than its master', async () => {
    await expect(load({ 'default.yaml': `${DEFAULT}tenant: acme\n` })).rejects.toThrow(
      'agents/default.yaml: /tenant: the agent "default" is for everybody, because runs that name no agent use it (line 3).',
    );
    const poet = 'name: poet\ntenant: acme\n';
    await expect(load({ 'default.yaml': `${DEFAULT}members: [poet]\n`, 'poet.yaml': poet })).rejects.toThrow(
      'agents/default.yaml: /members/0: the agent "poet" exists in the tenant "acme" alone (line 3).',
    );
    const master = { 'default.yaml': DEFAULT, 'lead.yaml': 'name: lead\ntenant: acme\nmembers: [default, poet]\n', 'poet.yaml': poet };
    expect((await load(master)).findProfile('lead', 'acme')).toMatchObject({ members: ['default', 'poet'] });
  });

  it('are refused when two files have the same name', async () => {
    const files = { 'default.yaml': DEFAULT, 'a.yaml': 'name: poet\n', 'b.yaml': '# the other one\nname: poet\n' };
    await expect(load(files)).rejects.toThrow('agents/b.yaml: /name: agents/a.yaml already describes an agent "poet" (line 2).');
  });

  it('accept emoji that are joined from several', async () => {
    const profiles = await load({ 'default.yaml': `${DEFAULT}label: 👩‍💻 and 👨‍👩‍👧 and ❤️‍🔥\n` });
    expect(profiles.getDefault().label).toContain('👩‍💻');
  });

  it.each([
    [
      'toolset',
      'toolsets:\n  - base\n  - bsae\n',
      /^agents\/default\.yaml: \/toolsets\/1: there is no toolset "bsae"; choose from base, data \(line 4\)\.$/,
    ],
    ['tool', 'tools: [calculator,\n  calculater]\n', /^agents\/default\.yaml: \/tools\/1: there is no tool "calculater" \(line 3\)\.$/],
  ])('are refused with file, line and field when they name an unknown %s', async (_what, text, expected) => {
    const profiles = await load({ 'default.yaml': `name: default\n${text}` });
    const known = {
      hasToolset: (name: string) => name === 'base' || name === 'data',
      hasTool: (name: string) => name === 'calculator',
      delegates: () => false,
      toolsets: ['base', 'data'],
    };
    const toolsets = text.startsWith('tools:') ? { ...known, hasToolset: () => true } : known;
    expect(() => profiles.checkTools(toolsets)).toThrow(expected);
  });

  it.each([
    ['that is not YAML', 'name: [default', /^agents\/default\.yaml: .+/],
    ['with an unknown field', `${DEFAULT}temperatur: 1\n`, /^agents\/default\.yaml: \/temperatur: /],
    ['without a name', 'toolsets: [base]\n', /^agents\/default\.yaml: \/name: /],
    ['with a name that cannot be in a path', 'name: ../x\ntoolsets: [base]\n', /^agents\/default\.yaml: \/name: /],
    ['that is a list', '- default\n', /^agents\/default\.yaml: \/: /],
    ['that is empty', '', /^agents\/default\.yaml: \/: /],
    ['that discovers a number', `${DEFAULT}discover: 3\n`, /^agents\/default\.yaml: \/discover: must be boolean or array \(line 3\)\.$/],
    ['with a toolset twice', 'name: default\ntoolsets: [base, base]\n', /^agents\/default\.yaml: \/toolsets: .*\(line 2\)\.$/],
    [
      'with reordered text',
      `${DEFAULT}label: "safe \u202egnihton"\n`,
      /^agents\/default\.yaml: \/label: holds the invisible character U\+202E; remove it \(line 3\)\.$/,
    ],
    [
      'with text of no width',
      `${DEFAULT}persona:\n  en: "You\u200b help"\n`,
      /^agents\/default\.yaml: \/persona\/en: holds .* U\+200B.*\(line 4\)\.$/,
    ],
    ['with tag characters', `${DEFAULT}description: "hi\u{e0041}"\n`, /^agents\/default\.yaml: \/description: holds .* U\+E0041/],
    ['with an escaped one', `${DEFAULT}label: "a\\u200fb"\n`, /^agents\/default\.yaml: \/label: holds .* U\+200F/],
  ])('%s are refused in one line that names file and place', async (_what, text, expected) => {
    const error = await load({ 'default.yaml': text }).catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(expected);
    expect((error as Error).message).not.toContain('\n');
  });

  it('must include one with the name default', async () => {
    await expect(load({ 'poet.yaml': 'name: poet\ntoolsets: []\n' })).rejects.toThrow('an agent profile named "default" is needed');
  });
});
