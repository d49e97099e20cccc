/** A set of tools, wherever they come from: built in, methods of a class, or another server. */
import type { WireTool } from '../port/llm';
import { type AgentTool, type ToolContext, ToolInputError, type ToolLocale, type ToolResult, type ToolSpec } from './common';
import { assertToolName, toSpec } from './tool_spec';
import { schemaProblem, validateArguments } from './validation';
import { toWireTool } from './wire_tool';

/** What a call came to, without exceptions: `data` holds the details of a success, `error` says what went wrong. */
export interface ToolOutcome {
  success: boolean;
  /** For the model, in either case. */
  content: string;
  data: Record<string, unknown> | null;
  error: string | null;
}

/**
 * The gateway registers, lists and finds its tools here. `remove`, `listByCategory`, the specs, the provider schemas and `execute` are an API
 * for code that uses a registry by itself; no run calls them yet.
 * @example
 * import { builtinTools } from './tools/catalog';
 * import type { ToolContext } from './tools/common';
 * import { ToolRegistry } from './tools/registry';
 *
 * const registry = new ToolRegistry(builtinTools());
 * export const schemas = registry.exportSelectedProviderSchemas(['calculator', 'current_time'], 'en');
 *
 * export async function calculate(expression: string, ctx: ToolContext): Promise<string> {
 *   const { success, content, error } = await registry.execute('calculator', { expression }, ctx);
 *   return success ? content : `No result: ${error}`;
 * }
 */
export class ToolRegistry {
  private readonly tools = new Map<string, AgentTool>();
  /** Name -> tool that cannot run, and why. */
  private readonly unusable = new Map<string, { tool: AgentTool; problem: string }>();

  constructor(tools: Iterable<AgentTool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /**
   * Throws when the name is not one that model servers accept, or is taken: a foreign tool must not stand in for one that is known. A tool whose
   * schema cannot be used is not offered; `problemOf` says why.
   */
  register(tool: AgentTool): void {
    assertToolName(tool.name);
    if (this.tools.has(tool.name) || this.unusable.has(tool.name)) throw new Error(`There is a tool ${tool.name} already.`);
    const problem = schemaProblem(tool);
    if (problem === undefined) this.tools.set(tool.name, tool);
    else this.unusable.set(tool.name, { tool, problem });
  }

  /** Why a tool that was registered is not offered. */
  problemOf(name: string): string | undefined {
    return this.unusable.get(name)?.problem;
  }

  /** Toolsets with a tool that was registered, usable or not. */
  toolsets(): string[] {
    const tools = [...this.tools.values(), ...[...this.unusable.values()].map(({ tool }) => tool)];
    return [...new Set(tools.map(({ toolset }) => toolset))];
  }

  get(name: string): AgentTool | undefined {
    return this.tools.get(name);
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  /** Whether there was such a tool. */
  remove(name: string): boolean {
    return this.tools.delete(name);
  }

  /** In the order they were registered. */
  list(): AgentTool[] {
    return [...this.tools.values()];
  }

  /** The tools of one toolset. */
  listByCategory(toolset: string): AgentTool[] {
    return this.list().filter(tool => tool.toolset === toolset);
  }

  /** The data of all tools, without what they do. */
  listSpecs(): ToolSpec[] {
    return this.list().map(toSpec);
  }

  /** Of the tools that every agent gets. */
  listAlwaysSpecs(): ToolSpec[] {
    return this.listSpecs().filter(spec => spec.always);
  }

  /** In the order of the names; names that are not known are left out. */
  getSpecs(names: readonly string[]): ToolSpec[] {
    return names.flatMap(name => this.tools.get(name) ?? []).map(toSpec);
  }

  /** As model servers take tools. */
  exportSelectedProviderSchemas(names: readonly string[], locale: ToolLocale = 'en'): WireTool[] {
    return this.getSpecs(names).map(spec => toWireTool(spec, locale));
  }

  /** Validates and runs. Never rejects: an unknown tool, bad arguments and a throw are outcomes too. */
  async execute(name: string, args: unknown, ctx: ToolContext): Promise<ToolOutcome> {
    const tool = this.tools.get(name);
    if (!tool) return failure(`There is no tool ${JSON.stringify(name)}.`);
    try {
      const checked = validateArguments(tool, args);
      return checked.ok ? toOutcome(await tool.execute(checked.value, ctx)) : failure(checked.message);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return failure(thrown instanceof ToolInputError ? reason : `${name} failed unexpectedly: ${reason}`);
    }
  }
}

const failure = (error: string): ToolOutcome => ({ success: false, content: error, data: null, error });

const toOutcome = ({ ok, content, details }: ToolResult): ToolOutcome =>
  ok ? { success: true, content, data: { content, ...details }, error: null } : failure(content);
