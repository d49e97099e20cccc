/** Assembles agents from their profiles: their tools and the stable part of their prompt. Assembled agents are cached. */
import { LRUCache } from 'lru-cache';
import type { ConfigReader } from '../../port/config_files';
import type { SystemMessage } from '../../port/llm';
import type { RunTools } from '../../port/run_tools';
import type { SandboxKind } from '../../port/shell';
import type { Owned } from '../../port/store/owned';
import type { Interaction, RunRecord } from '../../port/store/runs';
import type { Locale } from '../../port/store/sessions';
import { withCallerTools } from '../../runtime/caller_tools';
import { buildStablePrompt, type CrewRole, type MemoryBlock, sessionPrompt } from '../../runtime/prompt_builder';
import { renderSentTime } from '../../runtime/runtime_context';
import { type AssembledTools, extendTools, isForeign } from '../../runtime/tool_assembler';
import { isForTenant } from '../../tools/foreign_tools';
import type { ToolRegistry } from '../../tools/registry';
import { type AgentProfile, type AgentProfiles, textIn } from './agent_profiles';
import type { PromptSkills } from './agent_skills';
import { assertToolsExist, findAgentTools, isKnownTool } from './agent_tools';
import type { ToolCandidates } from './discovery';
import type { ToolBudget } from './tool_budget';

export interface AssembledAgent {
  profile: AgentProfile;
  tools: AssembledTools;
  /** Names of the tools that every run has, whatever is discovered. */
  profileTools: ReadonlySet<string>;
  /** Tools that only some runs of the agent get; ToolChooser chooses among these candidates. Absent: every run gets all tools of the agent. */
  candidates?: ToolCandidates;
  stablePrompt: string;
  /** Absent for an agent without members that works for a person. */
  crewRole?: CrewRole;
}

/** Returns true for an agent whose prompt has a memory block. */
export const hasMemory = ({ tools }: Pick<AssembledAgent, 'tools'>): boolean =>
  [...tools.byName.values()].some(tool => tool.memory !== undefined);

/** An agent, as `GET /agents` shows it. */
export interface AgentDescription extends Owned {
  name: string;
  label?: string;
  description?: string;
  /** Name of the model. Absent: the configured model. */
  model?: string;
  /** Names of the agent's tools: first those of every run, in the order in which the model gets them, then those of which a run gets some. */
  tools: readonly string[];
  /** Names of the agents to which it can delegate. */
  members: readonly string[];
  /** First messages that a page can offer. */
  suggestions?: readonly string[];
}

export interface AgentDirectoryDeps {
  /** The profiles. A change assembles all agents anew; runs under way keep their agent. */
  profiles: AgentProfiles;
  /** Every tool that can run here. A change assembles all agents anew; runs under way keep their tools. */
  tools: ToolRegistry;
  workspacePathOf: (tenantId: string) => string;
  /** The sandbox of commands, which the prompt describes. */
  isolation: SandboxKind;
  /** Applies to runs that set no limit of their own. */
  maxToolIterations: number;
  timeZone: string;
  /** Number of tools up to which a run gets all; above it, tools of MCP servers and manifests are chosen by relevance. */
  toolBudget: ToolBudget;
  /** Returns true for a tool that an operator has switched off. */
  isToolOff: (tenantId: string, tool: string) => boolean;
  /** Lists the enabled skills of a tenant for the prompt; called in each turn. */
  skillsFor: (tenantId: string, locale: Locale) => PromptSkills;
}

const MINUTE_MS = 60_000;
const MAX_CACHED_AGENTS = 256;
/** The most cached prompts of one agent, each of about 10 kB. */
const MAX_CACHED_PROMPTS = 64;

interface AssemblyOptions {
  locale: Locale;
  clarify: Interaction['clarify'];
  maxRounds: number;
  skills: PromptSkills;
  tenantId: string;
  workspacePath: string;
  crewRole?: CrewRole;
  only: RunTools | undefined;
}

/** The fields of a run on which its agent depends. */
type AgentOfRun = Pick<RunRecord, 'tenantId' | 'agent' | 'locale'> & Partial<Pick<RunRecord, 'interaction' | 'limits' | 'parent'>>;

export class AgentDirectory {
  private readonly cache = new LRUCache<string, AssembledAgent>({ max: MAX_CACHED_AGENTS });
  /** Agents with chosen tools, by the agent and the names. */
  private readonly chosen = new WeakMap<AssembledAgent, LRUCache<string, AssembledAgent>>();
  /** Builds the prompt of a cached agent with other tools. */
  private readonly promptOf = new WeakMap<AssembledAgent, (tools: AssembledTools) => string>();
  /**
   * The system messages of an agent, by the memory block of the session and the minute in which the session began. Sessions without a memory block
   * share a message.
   */
  private readonly prompts = new WeakMap<AssembledAgent, WeakMap<object, Map<number, SystemMessage>>>();
  /** Versions of the registry and of the profiles from which the cached agents were assembled. */
  private toolsVersion = -1;
  private profilesVersion = -1;

  constructor(private readonly deps: AgentDirectoryDeps) {}

  /**
   * Throws one sentence that names file, field and line when a profile names a toolset or a tool that cannot run here. Call it when all
   * tools are registered and all sources of foreign tools are known, before the doors open. A source may have no tools yet.
   */
  checkProfiles(profiles = this.deps.profiles): void {
    const { tools } = this.deps;
    const toolsets = tools.toolsets();
    const hasTool = (name: string) => isKnownTool(tools, name);
    const delegates = (name: string) => tools.get(name)?.crew === 'delegate';
    profiles.checkTools({ hasToolset: name => toolsets.includes(name), hasTool, delegates, toolsets });
  }

  /** Rejects with the mistake in one profile file. The other files count as they are on disk or, where they have a mistake, as they are in use. */
  checkFile(files: ConfigReader, name: string): Promise<void> {
    return this.deps.profiles.checkFile(files, name, next => this.checkProfiles(next));
  }

  /** Throws `invalid_request` for the name of a tool that does not exist; a tool that the agent does not have is no mistake. */
  assertToolsExist(only: RunTools): void {
    assertToolsExist(this.deps.tools, only);
  }

  /** Returns the agent of a run, or the default agent when its profile no longer exists in the tenant. Whoever made the run has asked VisibleAgents. */
  agentFor({ agent, locale, tenantId, interaction, limits, parent }: AgentOfRun): AssembledAgent {
    const clarify = interaction?.clarify ?? 'wait';
    const isMember = parent !== undefined;
    const skills = this.deps.skillsFor(tenantId, locale);
    const workspacePath = this.deps.workspacePathOf(tenantId);
    // The path names the tenant too.
    const only = limits?.tools;
    const ofRun = [limits?.maxToolIterations ?? '', only ? JSON.stringify(only) : ''];
    const key = [agent, locale, clarify, ...ofRun, isMember, skills.version, workspacePath].join('\n');
    const { tools, profiles } = this.deps;
    if (this.toolsVersion !== tools.version || this.profilesVersion !== profiles.version) {
      this.cache.clear();
      this.toolsVersion = tools.version;
      this.profilesVersion = profiles.version;
    }
    const cached = this.cache.get(key);
    if (cached) return cached;
    const profile = profiles.findProfile(agent, tenantId) ?? profiles.getDefault();
    const maxRounds = limits?.maxToolIterations ?? profile.maxToolIterations ?? this.deps.maxToolIterations;
    const crewRole = isMember ? ('member' as const) : profile.members.length > 0 ? ('master' as const) : undefined;
    const assembled = this.assemble(profile, {
      locale,
      clarify,
      tenantId,
      maxRounds,
      skills,
      workspacePath,
      only,
      crewRole,
    });
    this.cache.set(key, assembled);
    return assembled;
  }

  /** Adds the named candidates to the agent, in this order, with the prompt for them. Ignores other names. */
  agentWith(agent: AssembledAgent, names: readonly string[], locale: Locale): AssembledAgent {
    const { candidates } = agent;
    const promptWith = this.promptOf.get(agent);
    if (!candidates || !promptWith) return agent;
    const more = names.flatMap(name => candidates.byName.get(name) ?? []);
    const key = more.map(({ name }) => name).join('\n');
    const known = this.chosen.get(agent) ?? new LRUCache<string, AssembledAgent>({ max: MAX_CACHED_AGENTS });
    this.chosen.set(agent, known);
    const cached = known.get(key);
    if (cached) return cached;
    const tools = extendTools(agent.tools, more, locale);
    const made = { ...agent, tools, stablePrompt: promptWith(tools) };
    known.set(key, made);
    return made;
  }

  /**
   * Returns an agent with the tools that the caller of a run brings, and with the prompt for them. `base`: the agent as `agentFor` returned it.
   */
  agentForCaller(agent: AssembledAgent, base: AssembledAgent, { caller, locale }: Pick<RunRecord, 'caller' | 'locale'>): AssembledAgent {
    const promptWith = this.promptOf.get(base);
    if (!caller?.tools.length || !promptWith) return agent;
    const tools = withCallerTools(agent.tools, caller, locale);
    return { ...agent, tools, stablePrompt: promptWith(tools) };
  }

  /** Returns a sentence for each toolset that a profile discovers and that does not exist now. */
  warnings(): string[] {
    const { profiles, tools } = this.deps;
    const sources = new Set(tools.sourceToolsets());
    return profiles.discoverWarnings(toolset => sources.has(toolset));
  }

  /**
   * Returns the whole prompt of a session: the stable part, its memories, and the time at which it began, to the minute. `sessionStart` is in
   * milliseconds since 1970. The same object for the same text.
   */
  systemMessageFor(agent: AssembledAgent, locale: Locale, sessionStart: number, memories?: MemoryBlock): SystemMessage {
    const minute = Math.floor(sessionStart / MINUTE_MS);
    const ofAgent = this.prompts.get(agent) ?? new WeakMap<object, Map<number, SystemMessage>>();
    this.prompts.set(agent, ofAgent);
    const messages = ofAgent.get(memories ?? agent) ?? new Map<number, SystemMessage>();
    ofAgent.set(memories ?? agent, messages);
    const cached = messages.get(minute);
    if (cached) return cached;
    const context = { now: sessionStart, timeZone: this.deps.timeZone, locale };
    const message = sessionPrompt(agent, memories?.memories ?? [], context);
    const [oldest] = messages.keys();
    if (oldest !== undefined && messages.size >= MAX_CACHED_PROMPTS) messages.delete(oldest);
    messages.set(minute, message);
    return message;
  }

  /** Returns the time of a message that is sent now, for UserMessage.time. Both times are in milliseconds since 1970. */
  sentTime(locale: Locale, now: number, sessionStart: number): string | undefined {
    return renderSentTime({ now, timeZone: this.deps.timeZone, locale }, sessionStart);
  }

  /** Describes the agent of a profile, which the tenant has. */
  describeAgent(profile: AgentProfile, { tenantId, locale }: { tenantId: string; locale: Locale }): AgentDescription {
    const { name, model, members, owner, visibility, sharedWith } = profile;
    const label = textIn(profile.label, locale);
    const description = textIn(profile.description, locale);
    const { tools, candidates } = this.agentFor({ agent: name, locale, tenantId });
    const texts = { label, description };
    return {
      name,
      ...texts,
      model,
      tools: [...tools.names, ...(candidates?.byName.keys() ?? [])],
      members,
      suggestions: profile.suggestions?.flatMap(suggestion => textIn(suggestion, locale) ?? []),
      owner,
      visibility,
      sharedWith,
    };
  }

  private assemble(profile: AgentProfile, { tenantId, crewRole, skills, only, ...mode }: AssemblyOptions): AssembledAgent {
    const { isolation } = this.deps;
    const { locale } = mode;
    const existing = this.deps.tools.list().filter(tool => isForTenant(tool, tenantId));
    const all = existing.filter(tool => !this.deps.isToolOff(tenantId, tool.name));
    const { fixed, tools: given, candidates } = findAgentTools(profile, all, { locale, budget: this.deps.toolBudget, crewRole, only });
    const tools = { ...given, existing: existing.map(({ name }) => name) };
    const persona = profile.persona?.[locale] ?? profile.persona?.en;
    const promptWith = ({ names, byName }: AssembledTools) => {
      const given = [...byName.values()];
      const readsSkills = given.some(tool => tool.toolset === 'skill' && !isForeign(tool));
      // A master that may not delegate in this run is told nothing of its members.
      const role = crewRole === 'master' && only && !given.some(tool => tool.crew === 'delegate') ? undefined : crewRole;
      return buildStablePrompt({
        toolNames: names,
        tools: given,
        isolation,
        ...mode,
        persona: persona || undefined,
        crewRole: role,
        members: role === 'master' ? this.deps.profiles.listMembers(profile, locale) : [],
        ...(readsSkills && skills.listed),
      });
    };
    const profileTools = new Set(fixed.names);
    const agent = {
      profile,
      tools,
      profileTools,
      candidates,
      stablePrompt: promptWith(tools),
      crewRole,
    };
    this.promptOf.set(agent, promptWith);
    return agent;
  }
}
