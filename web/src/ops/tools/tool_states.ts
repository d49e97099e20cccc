/** The states of tools, and the filter by them. Pure. */
import type { Locale } from '../../platform/preferences';
import type { ToolFigures } from './tools_types';

export const TOOL_STATES = ['on', 'off', 'broken', 'failing', 'unused'] as const;

/** `off`: an operator switched the tool off. `broken`: the tool cannot run for another reason. */
export function stateOfTool({ enabled, isSwitchedOff }: ToolFigures): 'on' | 'off' | 'broken' {
  if (isSwitchedOff) return 'off';
  return enabled ? 'on' : 'broken';
}

/** Chooses the language of a tool's texts: all operators share one stream, so it holds both languages. */
export const toolIn = (locale: Locale, tool: ToolFigures): ToolFigures =>
  locale === 'zh-CN' ? { ...tool, label: tool.labelZh, reason: tool.reasonZh ?? tool.reason } : tool;

/** The most used tools come first. */
export function filterTools(tools: readonly ToolFigures[], { q, state }: { q: string; state: string }): readonly ToolFigures[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return tools
    .filter(tool => {
      const text = `${tool.name} ${tool.label} ${tool.toolset}`.toLowerCase();
      return words.every(word => text.includes(word)) && isIn(tool, state);
    })
    .sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name));
}

function isIn(tool: ToolFigures, state: string): boolean {
  if (state === '') return true;
  if (state === 'failing') return tool.errors > 0;
  if (state === 'unused') return tool.calls === 0;
  return stateOfTool(tool) === state;
}
