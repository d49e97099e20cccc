/** Turns the list of a server into entries of the tool registry. */
import type { McpTool, McpToolList } from '../../port/mcp';
import type { AgentTool, ToolContext, ToolResult } from '../../tools/common';
import type { ToolEntry, UnusableTool } from '../../tools/foreign_tools';
import { contentHash } from '../../utils/content_hash';
import type { McpServerConfig } from './mcp_config';
import { toolDescription, toolLabel, toolName, toolSchema } from './mcp_tool_texts';

/** Calls a tool by the name that its server gives it. Never rejects for a failure that can be expected. */
export type CallMcpTool = (tool: string, args: Record<string, unknown>, ctx: ToolContext) => Promise<ToolResult>;

export interface BuiltTools {
  entries: ToolEntry[];
  /** What an operator should know about the list, one sentence each. */
  problems: string[];
}

export class McpToolSet {
  /** Hash of a listed tool -> its entry. An unchanged tool stays the same object, so its schema stays compiled. */
  private known = new Map<string, ToolEntry>();

  constructor(
    private readonly config: Pick<McpServerConfig, 'name' | 'allow' | 'deny' | 'effect' | 'tenants'>,
    private readonly call: CallMcpTool,
  ) {}

  /** Leaves out tools that the operator does not allow. One of several with the same name is used: the first. */
  build({ tools, isCut }: McpToolList): BuiltTools {
    const { allow, deny } = this.config;
    const names = new Set<string>();
    const repeated = new Set<string>();
    const kept = new Map<string, ToolEntry>();
    for (const tool of tools) {
      if (deny.includes(tool.name) || (allow && !allow.includes(tool.name))) continue;
      if (names.has(tool.name)) {
        repeated.add(tool.name);
        continue;
      }
      names.add(tool.name);
      const key = contentHash(JSON.stringify(tool));
      kept.set(key, this.known.get(key) ?? this.toEntry(tool));
    }
    this.known = kept;
    return { entries: [...kept.values()], problems: this.problemsOf({ tools, isCut }, repeated) };
  }

  private problemsOf({ tools, isCut }: McpToolList, repeated: ReadonlySet<string>): string[] {
    const missing = [...(this.config.allow ?? []), ...this.config.deny].filter(name => tools.every(tool => tool.name !== name));
    const shown = (name: string) => JSON.stringify(name.slice(0, 100));
    return [
      ...missing.map(name => `allow or deny names ${shown(name)}, which the server does not offer.`),
      ...[...repeated].slice(0, 5).map(name => `The server lists ${shown(name)} more than once; the first is used.`),
      ...(isCut ? [`The server has more tools than are read; ${tools.length} are used.`] : []),
    ];
  }

  private toEntry(tool: McpTool): ToolEntry {
    const { name: server, effect, tenants } = this.config;
    const name = toolName(server, tool.name);
    const base = { name, toolset: server, label: toolLabel(tool), origin: 'mcp' as const, ...(tenants && { tenants }) };
    const parameters = tool.needsTask ? 'it runs only as a task, which this gateway does not support' : toolSchema(tool);
    if (typeof parameters === 'string') return { ...base, problems: [parameters] };
    const entry: AgentTool = {
      ...base,
      description: toolDescription(tool, server),
      // The prompt's rules must hold no words of a server.
      whenToUse: '',
      effect,
      parameters,
      reads: 'untrusted',
      reaches: 'outside',
      isVolatile: true,
      // The call has a limit of its own, which stands still while a person is asked.
      timeoutMs: Number.POSITIVE_INFINITY,
      execute: (args, ctx) => this.call(tool.name, args as Record<string, unknown>, ctx),
    };
    return entry;
  }
}

/** The same tools, listed with the reason why they cannot be called. */
export function toUnusable(entries: readonly ToolEntry[], problem: string): UnusableTool[] {
  return entries.map(({ name, toolset, label, tenants }) => ({
    name,
    toolset,
    label,
    origin: 'mcp',
    ...(tenants && { tenants }),
    problems: [problem],
  }));
}
