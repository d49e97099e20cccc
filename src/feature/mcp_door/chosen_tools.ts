/** The tools of the catalog that MCP clients may call, as the operator names them in NETA_MCP_TOOLS. */
import type { Locale } from '../../port/store/sessions';
import type { Switches } from '../../service/limits/switches';
import { listToolRows, type ToolRow } from '../../service/tool/tool_listing';
import type { ToolRegistry } from '../../tools/registry';

export interface ChosenToolsDeps {
  tools: ToolRegistry;
  /** Names of tools; a name that ends with * stands for every name with that beginning. */
  names: readonly string[];
  switches: Pick<Switches, 'toolOffText'>;
}

export class ChosenTools {
  constructor(private readonly deps: ChosenToolsDeps) {}

  /** Lists the chosen tools that the tenant has, that can run and that no operator has switched off, in the order of the catalog. */
  listChosenTools(tenantId: string, locale: Locale): ToolRow[] {
    const { names, tools, switches } = this.deps;
    if (names.length === 0) return [];
    const offText = (tool: string) => switches.toolOffText(tenantId, tool, locale);
    return listToolRows(tools, locale, { tenantId, enabled: true, offText }).filter(({ name }) => this.isChosen(name));
  }

  /** Returns why a chosen tool is missing, when an operator has switched it off for the tenant. */
  offText(tenantId: string, tool: string, locale: Locale): string | undefined {
    return this.isChosen(tool) ? this.deps.switches.toolOffText(tenantId, tool, locale) : undefined;
  }

  /** Calls `listener` when tools may have come or gone. */
  onChange(listener: () => void): void {
    if (this.deps.names.length > 0) this.deps.tools.onChange(listener);
  }

  /** Returns a sentence for each name without a tool. A tool of an MCP server exists once the server is connected. */
  warnings(): string[] {
    const known = this.deps.tools.list().map(({ name }) => name);
    const unknown = this.deps.names.filter(pattern => !known.some(name => matches(pattern, name)));
    return unknown.map(name => `NETA_MCP_TOOLS: there is no tool ${name} now.`);
  }

  private isChosen(name: string): boolean {
    return this.deps.names.some(pattern => matches(pattern, name));
  }
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
