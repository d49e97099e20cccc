/** Turns the list of a server into entries of the tool registry. */
import type { McpTool, McpToolList } from '../../port/mcp';
import type { AgentTool, ToolContext, ToolResult } from '../../tools/common';
import { isUnusable, type ToolEntry, type UnusableTool } from '../../tools/foreign_tools';
import type { Bilingual } from '../../utils/bilingual';
import { contentHash } from '../../utils/content_hash';
import type { McpServerConfig } from './mcp_config';
import { toolDescription, toolLabel, toolName, toolSchema } from './mcp_tool_texts';

/** Calls a tool by the name that its server gives it. Never rejects for a failure that can be expected. */
export type CallMcpTool = (tool: string, args: Record<string, unknown>, ctx: ToolContext) => Promise<ToolResult>;

/** The most tools that problems name. */
const MAX_NAMED = 5;

export interface BuiltTools {
  entries: ToolEntry[];
  /** Problems of the list that an operator should know, one sentence each. */
  problems: string[];
}

export class McpToolSet {
  /** Hash of a listed tool -> its entry. An unchanged tool stays the same object, so its schema stays compiled. */
  private known = new Map<string, ToolEntry>();
  /** Name that the server gives a tool -> address of the app that shows its calls. */
  private apps: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly config: Pick<McpServerConfig, 'name' | 'allow' | 'deny' | 'always' | 'effect' | 'tenants'>,
    private readonly call: CallMcpTool,
  ) {}

  /** Returns the address of the app that shows the calls of a tool. `tool`: the name that its server gives it. */
  appOf(tool: string): string | undefined {
    return this.apps.get(tool);
  }

  hasApp(uri: string): boolean {
    return [...this.apps.values()].includes(uri);
  }

  /** Leaves out tools that the operator does not allow, and tools for apps alone. One of several with the same name is used: the first. */
  build({ tools, isCut, unnamed }: McpToolList): BuiltTools {
    const names = new Set<string>();
    const repeated = new Set<string>();
    const kept = new Map<string, ToolEntry>();
    const apps = new Map<string, string>();
    for (const tool of tools) {
      if (!this.isAllowed(tool.name) || tool.isForAppsOnly) continue;
      if (names.has(tool.name)) {
        repeated.add(tool.name);
        continue;
      }
      names.add(tool.name);
      const key = contentHash(JSON.stringify(tool));
      if (tool.appUri !== undefined) apps.set(tool.name, tool.appUri);
      kept.set(key, this.known.get(key) ?? this.toEntry(tool));
    }
    this.known = kept;
    this.apps = apps;
    const entries = [...kept.values()];
    return {
      entries,
      problems: [...this.problemsOf({ tools, isCut, unnamed }, repeated), ...entries.flatMap(malformation).slice(0, MAX_NAMED)],
    };
  }

  private isAllowed(tool: string): boolean {
    const { allow, deny } = this.config;
    return !deny.includes(tool) && (allow?.includes(tool) ?? true);
  }

  private problemsOf({ tools, isCut, unnamed = 0 }: McpToolList, repeated: ReadonlySet<string>): string[] {
    const { allow = [], deny, always } = this.config;
    const offered = new Set(tools.map(({ name }) => name));
    const named = typeof always === 'boolean' ? [] : always;
    const missing = [...new Set([...allow, ...deny, ...named])].filter(name => !offered.has(name));
    const denied = named.filter(name => offered.has(name) && !this.isAllowed(name));
    const shown = (name: string) => JSON.stringify(name.slice(0, 100));
    return [
      ...missing.map(name => `allow, deny or always names ${shown(name)}, which the server does not offer.`),
      ...denied.map(name => `always names ${shown(name)}, which allow or deny leaves out.`),
      ...[...repeated].slice(0, MAX_NAMED).map(name => `The server lists ${shown(name)} more than once; the first is used.`),
      ...(unnamed > 0 ? [`The server lists ${unnamed} tools without a name, which are left out.`] : []),
      ...(isCut ? [`The server has more tools than are read; ${tools.length} are used.`] : []),
    ];
  }

  private toEntry(tool: McpTool): ToolEntry {
    const { name: server, effect, tenants, always } = this.config;
    const name = toolName(server, tool.name);
    const base = { name, toolset: server, label: toolLabel(tool), origin: 'mcp' as const, tenants };
    const read = tool.problem ? { problem: tool.problem } : toolSchema(tool);
    if ('problem' in read) return { ...base, problems: [read.problem] };
    const entry: AgentTool = {
      ...base,
      description: toolDescription(tool, server),
      // The prompt's rules must hold no words of a server.
      whenToUse: '',
      effect,
      always: (typeof always === 'boolean' ? always : always.includes(tool.name)) || undefined,
      parameters: read.schema,
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

/** Says why a tool is not as the protocol says. */
function malformation(entry: ToolEntry): string[] {
  const [problem] = isUnusable(entry) ? entry.problems : [];
  return problem === undefined ? [] : [`The tool ${entry.name} cannot be used: ${problem.en}.`];
}

/** Returns the same tools as unusable, with the reason. */
export function toUnusable(entries: readonly ToolEntry[], problem: Bilingual): UnusableTool[] {
  return entries.map(({ name, toolset, label, tenants }) => ({
    name,
    toolset,
    label,
    origin: 'mcp',
    tenants,
    problems: [problem],
  }));
}
