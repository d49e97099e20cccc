import { SkillCatalog } from '../../../src/feature/skills/skill_catalog';
import type { SkillFiles, SkillFolder } from '../../../src/port/skill_files';
import { skillText } from '../../support/skill_folders';

/** Skills in memory, with a count of how often they are read. */
function memorySkills(texts: Map<string, string>) {
  const disabled = new Map<string, string[]>();
  let reads = 0;
  const toFolder = ([path, text]: [string, string]): SkillFolder => {
    const [tenantId, name = ''] = path.split('/');
    const place =
      tenantId === 'config' ? ({ source: 'config', name } as const) : { source: 'agent' as const, tenantId: tenantId ?? '', name };
    return { place, version: `${path} ${text}`, documentPath: 'SKILL.md', document: Buffer.from(text), files: ['SKILL.md'], problems: [] };
  };
  const files: SkillFiles = {
    readFolders: async () => {
      reads += 1;
      return [...texts].map(toFolder);
    },
    readFile: async () => new Uint8Array(),
    writeFile: async () => {},
    removeFolder: async () => false,
    readDisabledNames: async () => disabled,
    writeDisabledNames: async () => {},
    watch: () => {},
    close: () => {},
  };
  const logged: unknown[] = [];
  const catalog = new SkillCatalog({ files, onError: (_message, error) => logged.push(String(error)) });
  return { catalog, disabled, logged, reads: () => reads };
}

describe('the catalog of skills', () => {
  it('changes the version of the prompt only with a name, a description or a switch', async () => {
    const texts = new Map([['config/a', skillText('a')]]);
    const { catalog, disabled } = memorySkills(texts);
    const versionAfter = async (change: () => void) => {
      change();
      await catalog.reload();
      return catalog.promptSkills('default').version;
    };
    const first = await versionAfter(() => {});
    expect(await versionAfter(() => texts.set('config/a', skillText('a', 'Does a.', 'Other steps.')))).toBe(first);
    expect(await versionAfter(() => texts.set('other/x', skillText('x')))).toBe(first);
    const changes = [
      () => texts.set('config/a', skillText('a', 'Does more.')),
      () => texts.set('default/b', skillText('b')),
      () => disabled.set('default', ['b']),
      () => texts.set('config/a', 'broken'),
    ];
    const seen = new Set([first]);
    for (const change of changes) seen.add(await versionAfter(change));
    expect(seen.size).toBe(5);
  });

  it('reads nothing between changes, however many turns ask', async () => {
    const { catalog, reads } = memorySkills(new Map(Array.from({ length: 50 }, (_, i) => [`config/s${i}`, skillText(`s${i}`)])));
    await catalog.start();
    const first = catalog.promptSkills('default');
    for (let turn = 0; turn < 100; turn += 1) expect(catalog.promptSkills('default')).toBe(first);
    expect(reads()).toBe(1);
  });

  it('shares one further reading among calls that arrive during a reading', async () => {
    const { catalog, reads } = memorySkills(new Map());
    await Promise.all(Array.from({ length: 20 }, () => catalog.reload()));
    expect(reads()).toBe(2);
  });

  it("shows a tenant its own skills and the operator's, which win over its own of the same name", async () => {
    const texts = new Map([
      ['config/a', skillText('a', 'The operator.')],
      ['left/a', skillText('a', 'Mine.')],
      ['right/b', skillText('b')],
    ]);
    const { catalog } = memorySkills(texts);
    await catalog.reload();
    expect(catalog.listSkills('left').map(({ name, source, enabled }) => [name, source, enabled])).toEqual([
      ['a', 'config', true],
      ['a', 'agent', false],
    ]);
    expect(catalog.findSkill('left', 'a')?.description).toBe('The operator.');
    expect(catalog.findSkill('left', 'b')).toBeUndefined();
    expect(catalog.promptSkills('right').listed.skills.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('describes a skill in the language of the prompt, where its metadata has one', async () => {
    const text = '---\nname: a\ndescription: Reports.\nmetadata:\n  description-zh-CN: 写报告。\n---\nDo it.\n';
    const { catalog } = memorySkills(
      new Map([
        ['config/a', text],
        ['config/b', skillText('b', 'Only English.')],
      ]),
    );
    await catalog.reload();
    const descriptions = (locale: 'en' | 'zh-CN') => catalog.promptSkills('default', locale).listed.skills.map(skill => skill.description);
    expect(descriptions('en')).toEqual(['Reports.', 'Only English.']);
    expect(descriptions('zh-CN')).toEqual(['写报告。', 'Only English.']);
  });

  it('logs a problem once', async () => {
    const { catalog, logged } = memorySkills(new Map([['config/a', 'broken']]));
    await catalog.reload();
    await catalog.reload();
    expect(logged).toEqual([expect.stringContaining('skills/a: SKILL.md:1: must begin with front matter')]);
    expect(catalog.warnings()).toHaveLength(1);
  });
});
