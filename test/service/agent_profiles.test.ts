import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProfiles } from '../../src/service/agent_profiles';
import { withDirectory } from '../support/temporary_store';

/** Loads profiles from files with these texts. */
async function load(files: Record<string, string>): Promise<AgentProfiles> {
  let profiles: AgentProfiles | undefined;
  await withDirectory(async directory => {
    await mkdir(join(directory, 'agents'));
    for (const [file, text] of Object.entries(files)) await writeFile(join(directory, 'agents', file), text);
    profiles = await AgentProfiles.load(join(directory, 'agents'));
  });
  return profiles as AgentProfiles;
}

const DEFAULT = 'name: default\ntoolsets: [base]\n';

describe('agent profiles', () => {
  it('are read from every YAML file of the directory', async () => {
    const profiles = await load({
      'default.yaml': DEFAULT,
      'poet.yml': 'name: poet\ntoolsets: []\npersona: { en: You rhyme. }\n',
      'notes.txt': '%',
    });
    expect(profiles.list().map(({ name }) => name)).toEqual(['default', 'poet']);
    expect(profiles.get('poet')).toEqual({ name: 'poet', toolsets: [], persona: { en: 'You rhyme.' } });
    expect(profiles.get('nobody')).toBeUndefined();
  });

  it.each([
    ['that is not YAML', 'name: [default', /^agents\/default\.yaml: .+/],
    ['with an unknown field', `${DEFAULT}temperatur: 1\n`, /^agents\/default\.yaml: \/temperatur: /],
    ['without a name', 'toolsets: [base]\n', /^agents\/default\.yaml: \/name: /],
    ['with a name that cannot be in a path', 'name: ../x\ntoolsets: [base]\n', /^agents\/default\.yaml: \/name: /],
    ['that is a list', '- default\n', /^agents\/default\.yaml: \/: /],
    ['that is empty', '', /^agents\/default\.yaml: \/: /],
    ['with the same key twice', `${DEFAULT}name: other\n`, /^agents\/default\.yaml: .*unique/i],
    ['with an unknown tag, which would be a warning elsewhere', `${DEFAULT}label: !secret x\n`, /^agents\/default\.yaml: /],
    ['that is too large', `${DEFAULT}# ${'x'.repeat(300_000)}\n`, /^agents\/default\.yaml: the file is over 256 KiB\.$/],
  ])('%s end in one line that names file and place', async (_what, text, expected) => {
    const error = await load({ 'default.yaml': text }).catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(expected);
    expect((error as Error).message).not.toContain('\n');
  });

  it('need one that is called default', async () => {
    await expect(load({ 'poet.yaml': 'name: poet\ntoolsets: []\n' })).rejects.toThrow('an agent profile named "default" is needed');
  });
});
