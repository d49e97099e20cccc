/** The tools of one run whose agent may have more than the model gets: the list grows when the model calls one that was left out. */
import type { WireTool } from '../../port/llm';
import type { AgentTool, ToolLocale } from '../../tools/common';
import { type AssembledTools, wireToolOf } from '../tool_assembler';

export interface GrowingToolsOptions {
  /** Tools that the agent may have, by name. */
  candidates: ReadonlyMap<string, AgentTool>;
  locale: ToolLocale;
  /** Called with each tool that joins. */
  onAdd: (name: string) => void;
}

export class GrowingTools implements AssembledTools {
  private added: Map<string, AgentTool>;
  private wire: readonly WireTool[];

  constructor(
    tools: AssembledTools,
    private readonly options: GrowingToolsOptions,
  ) {
    this.added = new Map(tools.byName);
    this.wire = tools.wireTools;
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
    const { locale, onAdd } = this.options;
    const tool = this.findLeftOut(name);
    if (!tool || this.added.has(name)) return false;
    this.added.set(name, tool);
    // A new list, because the size of a list is cached by its identity.
    this.wire = [...this.wire, wireToolOf(tool, locale)];
    onAdd(name);
    return true;
  }
}
