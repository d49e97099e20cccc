/** Assembles the tools of an agent. The same list builds the prompt and goes to the model. */
import type { WireTool } from '../port/llm';
import type { AgentTool, ToolLocale } from '../tools/common';
import { toWireTool } from '../tools/wire_tool';

export interface AssembledTools {
  /** In the order the model sees them. */
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, AgentTool>;
  readonly wireTools: readonly WireTool[];
}

/**
 * Chooses from `available`, in its order, the tools whose toolset or name is wanted and those that every agent has. The first of a repeated name
 * wins. A tool that doubles another chosen tool is left out, unless `wanted` names it.
 */
export function assembleTools(
  available: readonly AgentTool[],
  wanted: { toolsets: readonly string[]; names?: readonly string[] },
  locale: ToolLocale,
): AssembledTools {
  const byName = new Map<string, AgentTool>();
  const isNamed = (tool: AgentTool): boolean => wanted.names?.includes(tool.name) === true;
  for (const tool of available) {
    const isWanted = tool.always || wanted.toolsets.includes(tool.toolset) || isNamed(tool);
    if (isWanted && !byName.has(tool.name)) byName.set(tool.name, tool);
  }
  for (const tool of [...byName.values()]) {
    if (tool.doubles !== undefined && byName.has(tool.doubles) && !isNamed(tool)) byName.delete(tool.name);
  }
  return { names: [...byName.keys()], byName, wireTools: [...byName.values()].map(tool => toWireTool(tool, locale)) };
}
