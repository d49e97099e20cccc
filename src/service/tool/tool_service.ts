/** The tool catalog and the log of calls, for the doors. */
import type { LogError } from '../../port/logger';
import type { Page, PageRequest } from '../../port/store/page';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { ToolExecutionFilter, ToolExecutionRecord } from '../../port/store/tool_executions';
import { registerSchema } from '../../tools/catalog';
import type { AgentTool } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import type { Switches } from '../limits/switches';
import type { ModelCatalog } from '../model/model_catalog';
import type { ToolCallCount, ToolCounts } from './tool_counts';
import { listToolRows, listToolsetRows, type ToolFilter, type ToolRow } from './tool_listing';

export interface ToolServiceDeps {
  ports: { store: Store };
  /** All tools that can run here. */
  tools: ToolRegistry;
  toolCounts: ToolCounts;
  switches: Pick<Switches, 'toolOffText'>;
  models: Pick<ModelCatalog, 'listAsideFor'>;
  onError: LogError;
}

export class ToolService {
  constructor(private readonly deps: ToolServiceDeps) {}

  /**
   * Adds tools for agents and direct calls, and their specs to the catalog. Call it before the gateway accepts requests. Throws when a name is taken
   * by a tool that runs here, or when model servers would not accept it. A tool whose schema cannot be used is listed as disabled, with the reason.
   */
  addTools(tools: readonly AgentTool[]): void {
    for (const tool of tools) {
      this.deps.tools.register(tool);
      const problem = this.deps.tools.problemOf(tool.name);
      // A schema that cannot be compiled may be too large to show.
      registerSchema(problem === undefined ? tool : { ...tool, parameters: { type: 'object' } });
      if (problem !== undefined) this.deps.onError(`the tool ${tool.name} is disabled`, new Error(problem.en));
    }
  }

  /** Returns every tool of the catalog, then those of MCP servers and manifests; `enabled` says whether this gateway can run it. */
  listTools(
    tenantId: string,
    locale: Locale,
    filter: Omit<ToolFilter, 'tenantId'> = {},
  ): (ToolRow & ToolCallCount & { countedSince: string })[] {
    const { tools, toolCounts, switches, models } = this.deps;
    const countedSince = new Date(toolCounts.since).toISOString();
    const rows = listToolRows(tools, locale, { ...filter, tenantId, offText: name => switches.toolOffText(tenantId, name, locale) });
    return rows.map(row => {
      const asideFor = models.listAsideFor(row.name);
      return { ...row, asideFor: asideFor.length > 0 ? asideFor : undefined, ...toolCounts.callsOf(tenantId, row.name), countedSince };
    });
  }

  /** Returns the toolsets with their tools, as the tenant may use them. */
  listToolsets(tenantId: string) {
    return listToolsetRows(this.deps.tools, { tenantId });
  }

  /** Lists the tool executions of a tenant: calls of runs and direct calls. */
  listExecutions(tenantId: string, filter: ToolExecutionFilter, page: PageRequest): Promise<Page<ToolExecutionRecord>> {
    return this.deps.ports.store.lists.toolExecutions.list(tenantId, filter, page);
  }
}
