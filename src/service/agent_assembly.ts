/** What stays the same for every run of an agent in a locale: its tools and the stable part of its prompt. Made once, then reused. */
import type { Locale } from '../port/store_records';
import { buildStablePrompt } from '../runtime/prompt_builder';
import { type AssembledTools, assembleTools } from '../runtime/tool_assembler';
import type { AgentTool } from '../tools/common';
import type { AgentProfile } from './agent_profiles';

export interface AssembledAgent {
  profile: AgentProfile;
  tools: AssembledTools;
  stablePrompt: string;
}

export class AgentAssembly {
  private readonly made = new Map<string, AssembledAgent>();

  constructor(
    private readonly available: readonly AgentTool[],
    private readonly workspacePath: string,
  ) {}

  of(profile: AgentProfile, locale: Locale): AssembledAgent {
    const key = `${profile.name}\n${locale}`;
    const known = this.made.get(key);
    if (known?.profile === profile) return known;
    const tools = assembleTools(this.available, { toolsets: profile.toolsets }, locale);
    const persona = profile.persona?.[locale] ?? profile.persona?.en;
    const stablePrompt = buildStablePrompt({
      toolNames: tools.names,
      locale,
      workspacePath: this.workspacePath,
      ...(persona && { persona }),
    });
    const agent = { profile, tools, stablePrompt };
    this.made.set(key, agent);
    return agent;
  }
}
