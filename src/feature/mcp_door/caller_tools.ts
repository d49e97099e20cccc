/** The tools that one caller may use: the agents, and the tools of the catalog that the operator has chosen. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { AppError, inOneLanguage } from '../../errors';
import { hasScope } from '../../port/principal';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { ToolRow } from '../../service/tool/tool_listing';
import { InvalidParams } from './invalid_params';
import type { McpCaller } from './mcp_client';
import type { McpDoorService } from './mcp_door_service';
import { agentOfTool, toAgentTool, toCatalogTool } from './offered_tools';

export interface CallerToolsDeps {
  visibleAgents: VisibleAgents;
  mcpDoor: Pick<McpDoorService, 'chosenTools'>;
}

export class CallerTools {
  constructor(
    private readonly caller: Pick<McpCaller, 'principal' | 'locale'>,
    private readonly deps: CallerToolsDeps,
  ) {}

  get mayCallTools(): boolean {
    return hasScope(this.caller.principal, 'tools');
  }

  listTools(): Tool[] {
    const { principal, locale } = this.caller;
    const agents = this.deps.visibleAgents.listAgents(locale, principal).map(agent => toAgentTool(agent, locale));
    const names = new Set(agents.map(({ name }) => name));
    return [
      ...agents,
      ...this.chosenTools()
        .filter(({ name }) => !names.has(name))
        .map(toCatalogTool),
    ];
  }

  /** Returns the agent that a tool stands for; undefined for a tool of the catalog. Throws an UnknownTool for another name. */
  findAgent(tool: string, requestId: string): string | undefined {
    const agent = agentOfTool(tool);
    if (agent !== undefined && this.deps.visibleAgents.has(agent, this.caller.principal)) return agent;
    if (this.chosenTools().some(({ name }) => name === tool)) return undefined;
    const { principal, locale } = this.caller;
    const off = this.mayCallTools ? this.deps.mcpDoor.chosenTools.offText(principal.tenantId, tool, locale) : undefined;
    const message = off === undefined ? `Unknown tool: ${tool.slice(0, 200)}` : `${tool}: ${off}`;
    throw new InvalidParams(new AppError('not_found', { param: '/name', ...inOneLanguage(message) }), requestId);
  }

  private chosenTools(): ToolRow[] {
    const { principal, locale } = this.caller;
    return this.mayCallTools ? this.deps.mcpDoor.chosenTools.listChosenTools(principal.tenantId, locale) : [];
  }
}
