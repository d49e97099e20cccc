/** Assembles the tools of an agent. The same list builds the prompt and goes to the model. */
import type { WireTool } from '../port/llm';
import type { AgentTool, ToolLocale } from '../tools/common';
import { toSimpleTool } from '../tools/schema_for_models';
import { toWireTool } from '../tools/wire_tool';

export interface AssembledTools {
  /** Names in the order in which the model sees the tools. */
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, AgentTool>;
  readonly wireTools: readonly WireTool[];
  /** Names of all tools, those included that the agent may not have: a call that names one of them means no other tool. */
  readonly existing?: readonly string[] | undefined;
  /**
   * Adds a tool that the agent may have and that was left out of the list; it is then the last one in each field. Returns false when there is no
   * such tool. Absent: nothing was left out.
   */
  addLeftOut?(name: string): boolean;
  /** Adds the named tools that the agent may have, while there is room; the next model call offers them. */
  addWanted?(names: readonly string[]): void;
  /** Returns a tool that `addLeftOut` would add, without adding it. */
  findLeftOut?(name: string): AgentTool | undefined;
}

/** Returns the tool that a call of the name would run. */
export const findTool = (tools: AssembledTools, name: string): AgentTool | undefined => tools.byName.get(name) ?? tools.findLeftOut?.(name);

/** The wishes and limits that choose the tools of an agent. */
export interface WantedTools {
  toolsets: readonly string[];
  names?: readonly string[];
  /** Says which tools of MCP servers and manifests the agent may have although `toolsets` and `names` do not list them. Absent: none. */
  mayDiscover?: (tool: AgentTool) => boolean;
}

/**
 * Chooses from `available` the tools with `always`, which come first, and those whose toolset or name is wanted. Both parts keep the order of
 * `available`. A tool with `always` of an MCP server or a manifest is for agents that may discover it. The first of a repeated name wins. A tool
 * that doubles another chosen tool is left out, unless `wanted` names it.
 */
export function assembleTools(available: readonly AgentTool[], wanted: WantedTools, locale: ToolLocale): AssembledTools {
  const byName = new Map<string, AgentTool>();
  // An MCP server may have the name of a built-in toolset. A profile that lists this name means the built-in toolset.
  const own = new Set(available.filter(tool => !isForeign(tool)).map(({ toolset }) => toolset));
  const isInToolset = (tool: AgentTool) => wanted.toolsets.includes(tool.toolset) && !(isForeign(tool) && own.has(tool.toolset));
  const isNamed = (tool: AgentTool): boolean => wanted.names?.includes(tool.name) === true;
  const isForEach = (tool: AgentTool): boolean => tool.always === true && (!isForeign(tool) || wanted.mayDiscover?.(tool) === true);
  const chosen = available.filter(tool => isForEach(tool) || isInToolset(tool) || isNamed(tool));
  const [first, rest] = [chosen.filter(({ always }) => always), chosen.filter(({ always }) => !always)];
  for (const tool of [...first, ...rest]) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  for (const tool of [...byName.values()]) {
    if (tool.doubles !== undefined && byName.has(tool.doubles) && !isNamed(tool)) byName.delete(tool.name);
  }
  return toAssembled(byName, locale);
}

/** Returns the tools followed by more of them, in their order; a repeated name counts once. */
export function extendTools({ byName, existing }: AssembledTools, more: readonly AgentTool[], locale: ToolLocale): AssembledTools {
  const all = new Map(byName);
  for (const tool of more) if (!all.has(tool.name)) all.set(tool.name, tool);
  return { ...toAssembled(all, locale), existing };
}

/** Returns the tools for which `isWanted` is true, in their order. */
export function selectTools({ byName }: AssembledTools, isWanted: (tool: AgentTool) => boolean, locale: ToolLocale): AssembledTools {
  return toAssembled(new Map([...byName].filter(([, tool]) => isWanted(tool))), locale);
}

/** Returns true for a tool of an MCP server or a manifest. */
export const isForeign = ({ origin }: Pick<AgentTool, 'origin'>): boolean => origin === 'mcp' || origin === 'manifest';

const toAssembled = (byName: ReadonlyMap<string, AgentTool>, locale: ToolLocale): AssembledTools => ({
  names: [...byName.keys()],
  byName,
  wireTools: [...byName.values()].map(tool => wireToolOf(tool, locale)),
});

const wireTools: Record<ToolLocale, WeakMap<AgentTool, WireTool>> = { en: new WeakMap(), 'zh-CN': new WeakMap() };

/** Returns the form of a tool for model servers, made once for each tool. */
export function wireToolOf(tool: AgentTool, locale: ToolLocale): WireTool {
  const known = wireTools[locale].get(tool);
  if (known) return known;
  const made = forModels(tool, toWireTool(tool, locale), locale);
  wireTools[locale].set(tool, made);
  return made;
}

/** Simplifies a tool that some model server might not take, because servers refuse a whole request for one such tool. */
function forModels(tool: AgentTool, wire: WireTool, locale: ToolLocale): WireTool {
  if (!isForeign(tool) && !tool.isCallers) return wire;
  return toSimpleTool(wire, locale);
}
