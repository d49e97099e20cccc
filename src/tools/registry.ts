/** A set of tools that can run: built in, methods of a class, or from another server. */
import type { WireTool } from '../port/llm';
import { type Bilingual, joinClauses } from '../utils/bilingual';
import {
  type AgentTool,
  inLocale,
  type ToolContext,
  ToolInputError,
  type ToolLocale,
  type ToolOrigin,
  type ToolResult,
  type ToolSpec,
} from './common';
import { ForeignTools, isUnusable, type ToolEntry } from './foreign_tools';
import { assertToolName, toSpec } from './tool_spec';
import { unexpectedFailure } from './unexpected_failure';
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
 * Holds the gateway's tools. Built-in tools and class methods stay registered; tools of MCP servers and manifests go with their source. `remove`,
 * `listByCategory` and `execute` are an API for code that uses a registry by itself.
 * @example
 * import { builtinTools } from '../builtin_tools';
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
  /** Registered tools that cannot run, by name. */
  private readonly broken = new Map<string, { tool: AgentTool; problem: Bilingual }>();
  private readonly foreign = new ForeignTools();
  private changes = 0;
  private readonly listeners = new Set<() => void>();

  constructor(tools: Iterable<AgentTool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /** Grows with each change of the tools. A value that was made from the tools is up to date while this number stays the same. */
  get version(): number {
    return this.changes;
  }

  /** Notes that the set of usable tools has changed. */
  noteChange(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }

  /**
   * Adds a tool. Throws when model servers would not accept the name or when it is taken, because a foreign tool must not replace a known one. A
   * tool whose schema cannot be used is kept apart and not offered; `problemOf` says why.
   */
  register(tool: AgentTool): void {
    assertToolName(tool.name);
    if (this.has(tool.name) || this.broken.has(tool.name)) throw new Error(`There is a tool ${tool.name} already.`);
    const problem = schemaProblem(tool);
    if (problem === undefined) this.tools.set(tool.name, tool);
    else this.broken.set(tool.name, { tool, problem });
    this.changes += 1;
  }

  /** Keeps a registered tool apart: it is listed and not offered. `problem` says why, as a clause. */
  disable(name: string, problem: Bilingual): void {
    const tool = this.tools.get(name);
    if (!tool) return;
    this.tools.delete(name);
    this.broken.set(name, { tool, problem });
    this.changes += 1;
  }

  /**
   * Replaces all tools of one source, an MCP server or a manifest, in one step; an empty list removes them. Runs that are under way keep the tools
   * that they have. An entry that cannot be used, or whose name another tool has, is listed with its problems and not offered. A source keeps the
   * place of its first call, so an empty list at the start reserves it. `origin`: default that of the first entry; needed with an empty list when
   * an MCP server and a manifest have the same name. Compiles each schema, a few milliseconds at worst: see `compileSchemas`.
   */
  replaceTools(toolset: string, entries: readonly ToolEntry[], origin: ToolOrigin | undefined = entries[0]?.origin): void {
    this.foreign.replaceSource(toolset, entries, origin);
    this.foreign.assignNames(name => this.tools.has(name) || this.broken.has(name));
    this.noteChange();
  }

  /** Calls `listener` after each change of a source's tools, and of the set of usable tools. `listener` must not throw. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Returns why a tool is not offered; undefined when it is offered, and when it does not exist. */
  problemOf(name: string): Bilingual | undefined {
    if (this.has(name)) return undefined;
    const foreign = this.foreign.list().find(entry => entry.name === name);
    return this.broken.get(name)?.problem ?? (foreign && isUnusable(foreign) ? joinClauses(foreign.problems) : undefined);
  }

  /** Returns the toolsets of all tools, usable or not, and of sources that have no tools yet. */
  toolsets(): string[] {
    return [...new Set([...this.ownToolsets(), ...this.foreign.toolsets()])];
  }

  /** Returns the toolsets of the sources, sources without tools included. */
  sourceToolsets(): string[] {
    return this.foreign.toolsets();
  }

  /** Returns the toolsets of registered tools. */
  ownToolsets(): string[] {
    const tools = [...this.tools.values(), ...[...this.broken.values()].map(({ tool }) => tool)];
    return [...new Set(tools.map(({ toolset }) => toolset))];
  }

  get(name: string): AgentTool | undefined {
    return this.tools.get(name) ?? this.foreign.byName.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Removes a registered tool. Returns whether there was such a tool. */
  remove(name: string): boolean {
    this.changes += 1;
    return this.tools.delete(name);
  }

  /** Returns the registered tools in the order of their registration, then the tools of the sources. */
  list(): AgentTool[] {
    return [...this.tools.values(), ...this.foreign.byName.values()];
  }

  /** Returns every tool that a source brought, unusable ones too. */
  listForeign(): readonly ToolEntry[] {
    return this.foreign.list();
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
    return names.flatMap(name => this.get(name) ?? []).map(toSpec);
  }

  /** Returns tools in the form of chat completions APIs. Leaves out unknown names. */
  exportSelectedProviderSchemas(names: readonly string[], locale: ToolLocale = 'en'): WireTool[] {
    return this.getSpecs(names).map(spec => toWireTool(spec, locale));
  }

  /** Validates the arguments and runs the tool. Never rejects: an unknown tool, bad arguments and an exception are failed outcomes. */
  async execute(name: string, args: unknown, ctx: ToolContext): Promise<ToolOutcome> {
    const tool = this.get(name);
    if (!tool) return failure(inLocale(ctx, `There is no tool ${JSON.stringify(name)}.`, `没有名为 ${JSON.stringify(name)} 的工具。`));
    try {
      const checked = validateArguments(tool, args);
      return checked.ok ? toOutcome(await tool.execute(checked.value, ctx)) : failure(inLocale(ctx, checked.message, checked.messageZh));
    } catch (thrown) {
      if (thrown instanceof ToolInputError) return failure(inLocale(ctx, thrown.message, thrown.messageZh));
      const { en, 'zh-CN': zhCN } = unexpectedFailure(name, thrown);
      return failure(inLocale(ctx, en, zhCN));
    }
  }
}

const failure = (error: string): ToolOutcome => ({ success: false, content: error, data: null, error });

/** Turns the result of a tool into the outcome for a program. */
export const toOutcome = ({ ok, content, details }: ToolResult): ToolOutcome =>
  ok ? { success: true, content, data: { content, ...details }, error: null } : failure(content);
