/** Splits the tools of an agent into the tools that every run has, and tools of MCP servers and manifests that a run can be given. */
import { estimateTools } from '../../runtime/fit_history';
import { type AssembledTools, extendTools, isForeign, wireToolOf } from '../../runtime/tool_assembler';
import type { AgentTool, ToolLocale } from '../../tools/common';
import type { ToolBudget } from './tool_budget';

/** Tools of which a run gets some; present only when all together are over the budget. */
export interface ToolCandidates {
  /** Tools and tokens that every run has. */
  fixed: ToolBudget;
  byName: ReadonlyMap<string, AgentTool>;
  /** Tokens of the schema of each, by name. */
  tokens: ReadonlyMap<string, number>;
}

export interface DiscoveredTools {
  /** The tools of every run; with the discovered ones when all fit. */
  tools: AssembledTools;
  candidates?: ToolCandidates;
}

/**
 * `fixed`: the tools with `always`, and the tools that the profile names. Adds all tools that the agent may discover when these fit the budget, and
 * otherwise offers them as candidates.
 */
export function discoverTools(
  available: readonly AgentTool[],
  fixed: AssembledTools,
  { mayDiscover, budget, locale }: { mayDiscover: (tool: AgentTool) => boolean; budget: ToolBudget; locale: ToolLocale },
): DiscoveredTools {
  // An agent never has two tools for one job, so doubles of its tools are left out.
  const isDouble = ({ doubles }: AgentTool) => doubles !== undefined && fixed.byName.has(doubles);
  const found = available.filter(tool => isForeign(tool) && !fixed.byName.has(tool.name) && mayDiscover(tool) && !isDouble(tool));
  if (found.length === 0) return { tools: fixed };
  const tokens = new Map(found.map(tool => [tool.name, estimateTools([wireToolOf(tool, locale)])]));
  const size = { tools: fixed.names.length, tokens: estimateTools(fixed.wireTools) };
  const all = { tools: size.tools + found.length, tokens: [...tokens.values()].reduce((sum, one) => sum + one, size.tokens) };
  if (all.tools <= budget.tools && all.tokens <= budget.tokens) return { tools: extendTools(fixed, found, locale) };
  return { tools: fixed, candidates: { fixed: size, byName: new Map(found.map(tool => [tool.name, tool])), tokens } };
}
