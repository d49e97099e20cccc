import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import { builtinTools } from '../../../src/builtin_tools';
import { AgentDirectory } from '../../../src/service/agent/agent_directory';
import { AgentProfiles } from '../../../src/service/agent/agent_profiles';
import type { PromptSkills } from '../../../src/service/agent/agent_skills';
import { type AgentTool, textResult } from '../../../src/tools/common';
import { ToolRegistry } from '../../../src/tools/registry';
import { createProfiles } from '../../support/agent_config';

const skillsOf = (version: number, ...names: string[]): PromptSkills => ({
  version,
  listed: { skills: names.map(name => ({ name, description: `Does ${name}.` })), moreSkills: [] },
});

describe('an assembled agent', () => {
  let skills: Record<string, PromptSkills>;
  let agents: AgentDirectory;
  let tools: ToolRegistry;

  beforeEach(async () => {
    const config = await createProfiles({ default: 'toolsets: [base, skill]', plain: 'toolsets: [base]', ours: 'tenant: left' });
    const profiles = await AgentProfiles.load(createConfigDirectory(config.directory));
    await config.remove();
    tools = new ToolRegistry(builtinTools());
    skills = { left: skillsOf(1, 'release'), right: skillsOf(2, 'brewing') };
    agents = new AgentDirectory({
      profiles,
      tools,
      workspacePathOf: tenantId => `/w/${tenantId}`,
      isolation: 'none',
      maxToolIterations: 25,
      toolBudget: { tools: 40, tokens: 16_000 },
      timeZone: 'UTC',
      isToolOff: () => false,
      skillsFor: tenantId => skills[tenantId] ?? skillsOf(0),
    });
  });

  const agentOf = (tenantId: string, agent = 'default') => agents.agentFor({ agent, locale: 'en', tenantId });

  it('is the same in every turn, prompt included, while the version of the skills is the same', () => {
    const first = agentOf('left');
    const prompt = agents.systemMessageFor(first, 'en', 0);
    skills['left'] = skillsOf(1, 'release');
    expect(agentOf('left')).toBe(first);
    expect(agents.systemMessageFor(agentOf('left'), 'en', 1_000)).toBe(prompt);
    skills['left'] = skillsOf(3, 'release', 'sailing');
    expect(agentOf('left').stablePrompt).toContain('- sailing: Does sailing.');
  });

  it('lists the skills of its own tenant, and none without the tools to read them', () => {
    expect(agentOf('left').stablePrompt).toContain('- release');
    expect(agentOf('left').stablePrompt).not.toContain('brewing');
    expect(agentOf('right').stablePrompt).toContain('- brewing');
    expect(agentOf('left', 'plain').stablePrompt).not.toContain('release');
  });

  it('is the default one in a tenant that does not have it', () => {
    expect(agentOf('left', 'ours').profile.name).toBe('ours');
    expect(agentOf('right', 'ours').profile.name).toBe('default');
  });

  it('has a new tool after a change of the registry, and an agent in use keeps the tools that it has', () => {
    const before = agentOf('left');
    const tool: AgentTool = {
      name: 'sail',
      toolset: 'base',
      label: 'Sail',
      description: 'Sails.',
      effect: 'read',
      parameters: { type: 'object' },
      execute: async () => textResult('sailed'),
    };
    tools.register(tool);
    expect(agentOf('left').tools.names).toContain('sail');
    expect(agentOf('left')).toBe(agentOf('left'));
    tools.remove('sail');
    expect(agentOf('left').tools.names).toEqual(before.tools.names);
    expect(before.tools.names).not.toContain('sail');
  });
});
