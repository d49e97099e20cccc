/**
 * The tools of one run whose agent may have more than the model gets: the list grows when the model calls one that was left out, or when a result
 * asks for some, as a skill does.
 */
import type { WireTool } from '../../port/llm';
import { estimateTools } from '../../runtime/fit_history';
import { type AssembledTools, wireToolOf } from '../../runtime/tool_assembler';
import type { ToolBudget } from '../../service/agent/tool_budget';
import type { AgentTool, ToolLocale } from '../../tools/common';
import { MOST_BUDGETS } from './choose_tools';

export interface GrowingToolsOptions {
  /** Tools that the agent may have, by name. */
  candidates: ReadonlyMap<string, AgentTool>;
  locale: ToolLocale;
  /** Limits the tools that results add: up to the size at which the list of a session is chosen afresh. */
  budget: ToolBudget;
  /** Called with the tools that join. */
  onAdd: (names: readonly string[]) => void;
}

export class GrowingTools implements AssembledTools {
  private added: Map<string, AgentTool>;
  private wire: readonly WireTool[];
  readonly existing: readonly string[] | undefined;

  constructor(
    tools: AssembledTools,
    private readonly options: GrowingToolsOptions,
  ) {
    this.added = new Map(tools.byName);
    this.wire = tools.wireTools;
    this.existing = tools.existing;
  }

  get names(): readonly string[] {
    return [...this.added.keys()];
  }

  get byName(): ReadonlyMap<string, AgentTool> {
    return this.added;
  }

  get wireTools(): readonly WireTool[] {
    return this.wire;
  }

  findLeftOut(name: string): AgentTool | undefined {
    return this.options.candidates.get(name);
  }

  addLeftOut(name: string): boolean {
    if (!this.add(name)) return false;
    this.options.onAdd([name]);
    return true;
  }

  addWanted(names: readonly string[]): void {
    const added = names.filter(name => this.hasRoomFor(name) && this.add(name));
    if (added.length > 0) this.options.onAdd(added);
  }

  private hasRoomFor(name: string): boolean {
    const { budget, locale } = this.options;
    const tool = this.findLeftOut(name);
    if (!tool || this.added.size >= MOST_BUDGETS * budget.tools) return false;
    return estimateTools(this.wire) + estimateTools([wireToolOf(tool, locale)]) <= MOST_BUDGETS * budget.tokens;
  }

  private add(name: string): boolean {
    const tool = this.findLeftOut(name);
    if (!tool || this.added.has(name)) return false;
    this.added.set(name, tool);
    // A new list, because the size of a list is cached by its identity.
    this.wire = [...this.wire, wireToolOf(tool, this.options.locale)];
    return true;
  }
}
