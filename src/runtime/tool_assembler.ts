/** Puts together, once per profile and locale, the list of tools of a run: the same list builds the prompt and goes to the model. */
import type { WireTool } from '../port/llm';
import type { AgentTool, ToolLocale } from '../tools/common';
import { toWireTool } from '../tools/wire_tool';

export interface AssembledTools {
  /** In the order the model sees them. */
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, AgentTool>;
  readonly wireTools: readonly WireTool[];
}

/** The tools of `available` whose toolset or name is wanted, in the order of `available`; the first of a repeated name wins. */
export function assembleTools(
  available: readonly AgentTool[],
  wanted: { toolsets: readonly string[]; names?: readonly string[] },
  locale: ToolLocale,
): AssembledTools {
  const byName = new Map<string, AgentTool>();
  for (const tool of available) {
    const isWanted = wanted.toolsets.includes(tool.toolset) || wanted.names?.includes(tool.name);
    if (isWanted && !byName.has(tool.name)) byName.set(tool.name, tool);
  }
  return { names: [...byName.keys()], byName, wireTools: [...byName.values()].map(tool => toWireTool(tool, locale)) };
}
