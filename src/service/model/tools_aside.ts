/**
 * Tools whose definition the server of a model refuses. They are not offered to that model until their definition changes: one such tool would make
 * every request fail. Kept in memory.
 */
import { AppError } from '../../errors';
import type { LlmRequest, WireTool } from '../../port/llm';

interface Aside {
  reason: string;
  /** The refused definitions as JSON: one in each language. */
  definitions: Set<string>;
}

/** Callers bring tools of their own, under any name. */
const MAX_TOOLS = 200;
const MAX_DEFINITIONS = 8;

export class ToolsAside {
  private readonly byName = new Map<string, Aside>();
  /** Lists are cached by identity further on, so the same list gives the same one. */
  private offered = new WeakMap<readonly WireTool[], readonly WireTool[]>();

  /** Returns the tools without those that the server refuses; the same list when it refuses none. */
  offerable(tools: readonly WireTool[]): readonly WireTool[] {
    if (this.byName.size === 0) return tools;
    const known = this.offered.get(tools);
    if (known) return known;
    const left = tools.filter(tool => !this.byName.get(tool.function.name)?.definitions.has(JSON.stringify(tool.function)));
    const list = left.length === tools.length ? tools : left;
    this.offered.set(tools, list);
    return list;
  }

  /** Puts the named tools aside. `tools`: the list that was refused. Returns false when none of them is in the list. */
  putAside(names: readonly string[], tools: readonly WireTool[], reason: string): boolean {
    const refused = tools.filter(tool => names.includes(tool.function.name));
    for (const { function: definition } of refused) {
      const aside = this.byName.get(definition.name);
      const definitions = [...(aside?.definitions ?? []), JSON.stringify(definition)].slice(-MAX_DEFINITIONS);
      this.byName.delete(definition.name);
      this.byName.set(definition.name, { reason, definitions: new Set(definitions) });
    }
    for (const name of this.byName.keys()) if (this.byName.size > MAX_TOOLS) this.byName.delete(name);
    if (refused.length > 0) this.offered = new WeakMap();
    return refused.length > 0;
  }

  /** The server took these tools: one with a new definition is as good as any other. */
  noteAccepted(tools: readonly WireTool[]): void {
    if (this.byName.size === 0) return;
    for (const { function: definition } of tools) {
      const aside = this.byName.get(definition.name);
      // The definition in another language may still be refused.
      if (aside && !aside.definitions.has(JSON.stringify(definition))) this.byName.delete(definition.name);
    }
  }

  /** Tool name -> the words of the server. */
  list(): { tool: string; reason: string }[] {
    return [...this.byName].map(([tool, { reason }]) => ({ tool, reason }));
  }
}

/**
 * Returns the names of the tools of `request` to put aside after a refusal: those that it names, or all foreign ones when it speaks of tools and names
 * none. Returns none for any other error.
 */
export function toolsToPutAside(thrown: unknown, { tools, isForeignTool = () => false }: LlmRequest): readonly string[] {
  if (!(thrown instanceof AppError) || thrown.details?.['reason'] !== 'tool_refused') return [];
  const named = thrown.details['tools'];
  const names = Array.isArray(named) ? named.filter(name => typeof name === 'string') : [];
  return names.length > 0 ? names : tools.map(tool => tool.function.name).filter(isForeignTool);
}
