/** Sorts tools into toolsets and searches them. Pure. */
import type { Tool } from './tool_api';

export interface ToolGroup {
  /** An MCP server may have the name of a built-in toolset. */
  key: string;
  toolset: string;
  origin: Tool['origin'];
  tools: Tool[];
}

/** Returns the toolsets that have tools with all words of the query, in the order of the tools. */
export function groupTools(tools: readonly Tool[], query: string): ToolGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ToolGroup>();
  for (const tool of tools) {
    const { toolset, origin } = tool;
    if (!hasWords(tool, words)) continue;
    const key = `${origin} ${toolset}`;
    const group = groups.get(key) ?? { key, toolset, origin, tools: [] };
    group.tools.push(tool);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function hasWords({ name, label, toolset, description }: Tool, words: readonly string[]): boolean {
  const text = [name, label, toolset, description].join(' ').toLowerCase();
  return words.every(word => text.includes(word));
}
