import fc from 'fast-check';
import { buildStablePrompt, collectAvailableToolNames, sessionPrompt } from '../../src/runtime/prompt_builder';
import { promptTexts } from '../../src/runtime/prompt_guidance';
import '../../src/builtin_tools';
import { getAllToolNames } from '../../src/tools/catalog';

const ALL = getAllToolNames();
const runtimeContext = { now: Date.UTC(2026, 4, 20, 13, 39, 12), timeZone: 'Asia/Shanghai' };

describe('collectAvailableToolNames (neta.prompt.names)', () => {
  const DEFAULTS = ['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'todo', 'clarify'];

  it('gives the default toolsets', () => {
    expect(collectAvailableToolNames({ memoryEnabled: false, hasSkills: false })).toEqual(DEFAULTS);
  });

  it('adds memory, skills and crew where they are enabled', () => {
    const memory = ['memory_save', 'memory_recall', 'memory_forget', 'session_search'];
    const skill = ['read_skill', 'read_skill_file', 'skill_manage'];
    const crew = ['delegate_task', 'delegate_parallel', 'escalate'];
    const namesOf = (memoryEnabled: boolean, hasSkills: boolean, crewRole?: 'master') =>
      collectAvailableToolNames({ memoryEnabled, hasSkills, ...(crewRole && { crewRole }) }).toSorted();
    expect(namesOf(true, false)).toEqual([...DEFAULTS, ...memory].toSorted());
    expect(namesOf(false, true)).toEqual([...DEFAULTS, ...skill].toSorted());
    expect(namesOf(false, false, 'master')).toEqual([...DEFAULTS, ...crew].toSorted());
    expect(namesOf(true, true, 'master')).toEqual([...DEFAULTS, ...memory, ...skill, ...crew].toSorted());
  });

  it('gives a crew member what its profile lists beyond the default toolsets', () => {
    const profile = { memoryEnabled: false, hasSkills: false, toolsets: ['planning', 'interaction', 'data', 'crew'] };
    expect(collectAvailableToolNames({ ...profile, crewRole: 'member' })).toEqual([
      'bash',
      'read_file',
      'write_file',
      'list_dir',
      'patch',
      'calculator',
      'text_process',
      'json_process',
      'get_weather',
    ]);
  });

  it('gives a crew member the base tools and nothing else (neta.crew.tools)', () => {
    expect(collectAvailableToolNames({ memoryEnabled: true, hasSkills: true, crewRole: 'member' })).toEqual([
      'bash',
      'read_file',
      'write_file',
      'list_dir',
      'patch',
    ]);
  });
});

describe.each(['en', 'zh-CN'] as const)('the system prompt in %s', locale => {
  const facts = [{ text: 'The person likes tea.\n# Not a title' }];
  const promptOf = (
    params: Omit<Parameters<typeof buildStablePrompt>[0], 'locale'>,
    context = runtimeContext,
    memories: typeof facts = [],
  ): string => sessionPrompt({ stablePrompt: buildStablePrompt({ ...params, locale }) }, memories, { ...context, locale }).content;
  const texts = promptTexts(locale);
  const full = {
    toolNames: ALL,
    locale,
    persona: 'You are Ada and like short answers.',
    workspacePath: '/srv/workspace',
    skills: [{ name: 'release', description: 'How to make\na release' }],
    crewRole: 'master' as const,
  };

  it('starts with the identity of the agent and ends with the time', () => {
    const prompt = promptOf(full, runtimeContext, facts);
    expect(prompt.startsWith(texts.identity[0]?.text ?? '?')).toBe(true);
    expect(prompt.split('\n\n').at(-1)).toContain('2026-05-20 21:39');
    expect(prompt).toContain('You are Ada');
    expect(prompt).toContain('/srv/workspace');
    expect(prompt).toContain('- release: How to make a release');
    expect(prompt).toContain(`\n\n${texts.memories.title}\n${texts.memories.intro}\n- The person likes tea. # Not a title\n\n`);
    expect(prompt).toContain(texts.crew.master.title);
  });

  it('names the skills for which it has no room', () => {
    const prompt = promptOf({ ...full, moreSkills: ['brewing', 'sailing'] });
    expect(prompt).toMatch(/\n- release: How to make a release\n.*brewing(, |、)sailing/);
    expect(promptOf(full)).not.toContain('brewing');
  });

  it('changes nothing but the time from turn to turn', () => {
    const later = { ...runtimeContext, now: runtimeContext.now + 3_600_000 };
    const stable = buildStablePrompt(full);
    expect(promptOf(full).startsWith(`${stable}\n\n`)).toBe(true);
    expect(promptOf(full, later, facts).startsWith(`${stable}\n\n`)).toBe(true);
    expect(promptOf(full, later).startsWith(`${stable}\n\n`)).toBe(true);
  });

  it('has no section without content', () => {
    const prompt = promptOf({ toolNames: [] });
    for (const title of [
      texts.personaTitle,
      texts.workspace.title,
      texts.memories.title,
      texts.skills.title,
      texts.crew.master.title,
      texts.scenariosTitle,
    ]) {
      expect(prompt).not.toContain(`${title}\n`);
    }
    expect(prompt).not.toContain('undefined');
  });

  it('says what commands can reach in each kind of sandbox', () => {
    const sandboxed = (isolation: 'bubblewrap' | 'namespaces' | 'none', toolNames = ['bash', 'read_file']) =>
      buildStablePrompt({ toolNames, locale, workspacePath: '/w', isolation });
    const { commands } = texts.workspace;
    for (const isolation of ['bubblewrap', 'namespaces', 'none'] as const) expect(sandboxed(isolation)).toContain(commands[isolation]);
    expect(commands.none).not.toBe(commands.bubblewrap);
    expect(sandboxed('none', ['read_file'])).not.toContain(commands.none);
  });

  it('does not mention the workspace to an agent without tools for it', () => {
    const word = locale === 'en' ? /workspace/i : /工作区/;
    for (const toolNames of [[], ['web_search'], ['calculator', 'todo', 'clarify']])
      expect(buildStablePrompt({ toolNames, locale, workspacePath: '/w', isolation: 'none', maxRounds: 25 })).not.toMatch(word);
    expect(buildStablePrompt({ toolNames: ['bash'], locale, workspacePath: '/w' })).toMatch(word);
  });

  it('says how many rounds a turn has, that results are truncated and that some calls need approval', () => {
    const prompt = buildStablePrompt({ toolNames: ['read_file'], locale, maxRounds: 7 });
    expect(prompt).toContain(texts.limits.rounds(7));
    expect(prompt).toContain('.neta/results');
    expect(prompt).toContain(locale === 'en' ? 'a person has approved' : '人同意');
    expect(buildStablePrompt({ toolNames: [], locale, maxRounds: 7 })).not.toContain(texts.limits.title);
  });

  it('never names a tool that the model cannot call, whatever the role', () => {
    fc.assert(
      fc.property(fc.subarray(ALL), fc.constantFrom(undefined, 'master' as const, 'member' as const), (toolNames, crewRole) => {
        const skills = [{ name: 'release', description: 'How to make a release' }];
        const prompt = promptOf({ toolNames, skills, ...(crewRole && { crewRole }) });
        for (const name of ALL) if (!toolNames.includes(name)) expect(prompt).not.toMatch(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'i'));
      }),
      { numRuns: 300 },
    );
  });
});
