/** A set of tools that can run: built in, methods of a class, or from another server. */
import type { WireTool } from '../port/llm';
import { type AgentTool, type ToolContext, ToolInputError, type ToolLocale, type ToolResult, type ToolSpec } from './common';
import { assertToolName, toSpec } from './tool_spec';
import { schemaProblem, validateArguments } from './validation';
import { toWireTool } from './wire_tool';

/** The outcome of a call. `data` holds the details of a success, `error` the reason of a failure. */
export interface ToolOutcome {
  success: boolean;
  /** The text for the model, in either case. */
  content: string;
  data: Record<string, unknown> | null;
  error: string | null;
}

/**
 * The gateway registers, lists and finds its tools here. `remove`, `listByCategory`, the specs, the provider schemas and `execute` are an API
 * for code that uses a registry by itself; no run calls them yet.
 * @example
 * import { builtinTools } from './catalog';
 * import type { ToolContext } from './common';
 * import { ToolRegistry } from './registry';
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
  /** Tools that cannot run, by name. */
  private readonly unusable = new Map<string, { tool: AgentTool; problem: string }>();

  constructor(tools: Iterable<AgentTool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /**
   * Adds a tool. Throws when model servers would not accept the name or when it is taken, because a foreign tool must not replace a known one. A
   * tool whose schema cannot be used is kept apart and not offered; `problemOf` says why.
   */
  register(tool: AgentTool): void {
    assertToolName(tool.name);
    if (this.tools.has(tool.name) || this.unusable.has(tool.name)) throw new Error(`There is a tool ${tool.name} already.`);
    const problem = schemaProblem(tool);
    if (problem === undefined) this.tools.set(tool.name, tool);
    else this.unusable.set(tool.name, { tool, problem });
  }

  /** Returns why a registered tool is not offered; undefined when it is. */
  problemOf(name: string): string | undefined {
    return this.unusable.get(name)?.problem;
  }

  /** Returns the toolsets of all registered tools, usable or not. */
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

  /** Returns whether there was such a tool. */
  remove(name: string): boolean {
    return this.tools.delete(name);
  }

  /** Returns the tools in the order in which they were registered. */
  list(): AgentTool[] {
    return [...this.tools.values()];
  }

  /** Returns the tools of one toolset. */
  listByCategory(toolset: string): AgentTool[] {
    return this.list().filter(tool => tool.toolset === toolset);
  }

  /** Returns the specs of all tools. */
  listSpecs(): ToolSpec[] {
    return this.list().map(toSpec);
  }

  /** Returns the specs of the tools that every agent has. */
  listAlwaysSpecs(): ToolSpec[] {
    return this.listSpecs().filter(spec => spec.always);
  }

  /** Returns specs in the order of the names. Leaves out unknown names. */
  getSpecs(names: readonly string[]): ToolSpec[] {
    return names.flatMap(name => this.tools.get(name) ?? []).map(toSpec);
  }

  /** Returns tools in the form of chat completions APIs. Leaves out unknown names. */
  exportSelectedProviderSchemas(names: readonly string[], locale: ToolLocale = 'en'): WireTool[] {
    return this.getSpecs(names).map(spec => toWireTool(spec, locale));
  }

  /** Validates the arguments and runs the tool. Never rejects: an unknown tool, bad arguments and an exception are failed outcomes. */
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
