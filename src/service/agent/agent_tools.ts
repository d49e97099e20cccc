/** Finds the tools of an agent: the tools that its profile names and the tools that it may discover, narrowed by the request. */
import { type AppError, invalidField } from '../../errors';
import { allowsTool, type RunTools } from '../../port/run_tools';
import type { Locale } from '../../port/store/sessions';
import { type CrewRole, collectToolsets } from '../../runtime/prompt_builder';
import { type AssembledTools, assembleTools, selectTools } from '../../runtime/tool_assembler';
import type { AgentTool } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import type { AgentProfile } from './agent_profiles';
import { type DiscoveredTools, discoverTools } from './discovery';
import type { ToolBudget } from './tool_budget';

export interface AgentToolsOptions {
  locale: Locale;
  budget: ToolBudget;
  crewRole: CrewRole | undefined;
  /** Absent: the agent keeps its tools. */
  only: RunTools | undefined;
}

/** Finds the tools. `all`: the tools of the tenant. `fixed`: the tools of every run, whatever the agent discovers. */
export function findAgentTools(
  profile: AgentProfile,
  all: readonly AgentTool[],
  { locale, budget, crewRole, only }: AgentToolsOptions,
): DiscoveredTools & { fixed: AssembledTools } {
  const available = crewRole === 'member' ? all.filter(tool => suitsMember(tool, profile)) : all;
  // A crew member discovers nothing: it has the tools that its profile names, so that a task goes to the right member.
  const discover = crewRole === 'member' ? false : profile.discover;
  const mayDiscover = ({ toolset }: AgentTool) => discover === true || (discover !== false && discover.includes(toolset));
  const named = assembleTools(available, { ...wantedTools(profile, crewRole), mayDiscover }, locale);
  const isLeft = ({ name }: Pick<AgentTool, 'name'>) => !only || allowsTool(only, name);
  const fixed = only ? selectTools(named, isLeft, locale) : named;
  // A tool that doubles a tool which the request takes away is left out, too.
  const isDouble = ({ doubles }: AgentTool) => doubles !== undefined && named.byName.has(doubles);
  const found = only ? available.filter(tool => isLeft(tool) && !isDouble(tool)) : available;
  return { fixed, ...discoverTools(found, fixed, { mayDiscover, budget, locale }) };
}

/** Returns whether a tool of this name exists or may exist later: an MCP server that is not connected has no tools yet. */
export function isKnownTool(tools: ToolRegistry, name: string): boolean {
  const isOfSource = (source: string) => name === source || name.startsWith(`${source}__`);
  return tools.has(name) || tools.problemOf(name) !== undefined || tools.sourceToolsets().some(isOfSource);
}

/** See AgentDirectory.assertToolsExist. */
export function assertToolsExist(tools: ToolRegistry, only: RunTools): void {
  for (const field of ['allow', 'deny'] as const) {
    for (const [i, name] of (only[field] ?? []).entries()) if (!isKnownTool(tools, name)) throw noSuchTool(`/tools/${field}/${i}`, name);
  }
}

const noSuchTool = (param: string, name: string): AppError =>
  invalidField(param, `there is no tool ${name}. GET /api/v1/tools lists the names.`, `没有工具 ${name}。GET /api/v1/tools 列出名字。`);

/** A crew member asks no person and delegates nothing, whatever its profile lists; it escalates when its profile names the tool. */
function suitsMember({ crew, name, asksPerson }: AgentTool, { tools }: AgentProfile): boolean {
  return crew === 'escalate' ? tools.includes(name) : crew !== 'delegate' && !asksPerson;
}

function wantedTools({ toolsets, tools, memory, skills }: AgentProfile, crewRole: CrewRole | undefined) {
  const listed = [...toolsets, ...(memory ? ['memory'] : []), ...(skills ? ['skill'] : [])];
  const names = collectToolsets({ toolsets: listed, memoryEnabled: memory, hasSkills: skills, crewRole });
  return { toolsets: names, names: tools };
}
