/** The agents by name, each put together once per locale: its tools and the stable part of its prompt. */

import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { SandboxKind } from '../../port/shell';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { Locale } from '../../port/store/sessions';
import { appendRuntimeContext, buildStablePrompt } from '../../runtime/prompt_builder';
import { type AssembledTools, assembleTools } from '../../runtime/tool_assembler';
import type { ToolRegistry } from '../../tools/registry';
import type { AgentProfile, AgentProfiles } from './agent_profiles';

export interface AssembledAgent {
  profile: AgentProfile;
  tools: AssembledTools;
  stablePrompt: string;
}

/** An agent as `GET /agents` shows it. */
export interface AgentDescription {
  name: string;
  label?: string;
  description?: string;
  /** Absent: the configured model. */
  model?: string;
  /** Names of the tools that its runs have, in the order of the model's list. */
  tools: readonly string[];
  /** Names of the agents that it can delegate to. */
  members: readonly string[];
}

export interface AgentDirectoryDeps {
  profiles: AgentProfiles;
  /** Every tool that can run here. An agent has those that were there when it was first asked for. */
  tools: ToolRegistry;
  workspacePath: string;
  /** The sandbox of commands; the prompt says what commands can reach. */
  isolation: SandboxKind;
  /** The limit of runs that set none of their own. */
  maxToolIterations: number;
  timeZone: string;
}

const MINUTE_MS = 60_000;
const MAX_KEPT_AGENTS = 256;

/** The dependencies of a run's agent. */
type AgentOfRun = Pick<RunRecord, 'agent' | 'locale'> & Partial<Pick<RunRecord, 'interaction' | 'limits'>>;

export class AgentDirectory {
  private readonly made = new LRUCache<string, AssembledAgent>({ max: MAX_KEPT_AGENTS });
  private readonly prompts = new WeakMap<AssembledAgent, { minute: number; text: string }>();

  constructor(private readonly deps: AgentDirectoryDeps) {}

  has(name: string): boolean {
    return this.deps.profiles.get(name) !== undefined;
  }

  /**
   * Throws one sentence that names file, field and line when a profile names a toolset or a tool that cannot run here. To be called when all
   * tools are known and no door is open yet.
   */
  checkProfiles(): void {
    const { profiles, tools } = this.deps;
    const toolsets = tools.toolsets();
    const hasTool = (name: string) => tools.has(name) || tools.problemOf(name) !== undefined;
    profiles.checkTools({ hasToolset: name => toolsets.includes(name), hasTool, toolsets });
  }

  /** Every agent, in the order of their files. */
  listAgents(locale: Locale): AgentDescription[] {
    return this.deps.profiles.list().map(profile => this.describe(profile, locale));
  }

  /** Undefined for a name that no agent has. */
  findAgent(name: string, locale: Locale): AgentDescription | undefined {
    const profile = this.deps.profiles.get(name);
    return profile && this.describe(profile, locale);
  }

  /** Throws `not_found` for a name that no agent has. */
  assertAgentExists(name: string): void {
    if (!this.has(name)) throw new AppError('not_found', { param: '/agent', message: 'There is no such agent.' });
  }

  /** The agent of a run; when its profile was removed meanwhile, the default one. */
  agentFor({ agent, locale, interaction, limits }: AgentOfRun): AssembledAgent {
    const clarify = interaction?.clarify ?? 'wait';
    const maxRounds = limits?.maxToolIterations ?? this.deps.maxToolIterations;
    const key = [agent, locale, clarify, maxRounds].join('\n');
    const known = this.made.get(key);
    if (known) return known;
    const profile = this.deps.profiles.get(agent) ?? this.deps.profiles.getDefault();
    const assembled = this.assemble(profile, { locale, clarify, maxRounds });
    this.made.set(key, assembled);
    return assembled;
  }

  /** The whole prompt of a turn. It changes with the minute, so the last one is kept. */
  systemPrompt(agent: AssembledAgent, locale: Locale, now: number): string {
    const minute = Math.floor(now / MINUTE_MS);
    const known = this.prompts.get(agent);
    if (known?.minute === minute) return known.text;
    const text = appendRuntimeContext(agent.stablePrompt, { now, timeZone: this.deps.timeZone, locale });
    this.prompts.set(agent, { minute, text });
    return text;
  }

  private describe(profile: AgentProfile, locale: Locale): AgentDescription {
    const { name, label, description, model } = profile;
    const { tools } = this.agentFor({ agent: name, locale });
    const texts = { ...(label !== undefined && { label }), ...(description !== undefined && { description }) };
    return { name, ...texts, ...(model !== undefined && { model }), tools: tools.names, members: [] };
  }

  private assemble(
    profile: AgentProfile,
    { locale, clarify, maxRounds }: { locale: Locale; clarify: Interaction['clarify']; maxRounds: number },
  ): AssembledAgent {
    const { workspacePath, isolation } = this.deps;
    const tools = assembleTools(this.deps.tools.list(), { toolsets: profile.toolsets, names: profile.tools }, locale);
    const persona = profile.persona?.[locale] ?? profile.persona?.en;
    const stablePrompt = buildStablePrompt({
      toolNames: tools.names,
      tools: [...tools.byName.values()],
      locale,
      workspacePath,
      isolation,
      clarify,
      maxRounds,
      ...(persona && { persona }),
    });
    return { profile, tools, stablePrompt };
  }
}
