/** Tools for operators: what each was called for, whether it is on, and the state of what brings it. */
import type { Clock } from '../../../port/clock';
import type { Switches } from '../../../service/limits/switches';
import type { McpServerList } from '../../../service/tool/mcp_server_list';
import type { ToolCounts } from '../../../service/tool/tool_counts';
import type { ToolService } from '../../../service/tool/tool_service';
import type { JoinedList } from '../../../utils/joined_list';
import type { Slot } from '../../../utils/slot';
import type { OpsTools } from '../schemas/view_schemas';
import { toNotice } from '../shared/notices';
import type { OpsView } from '../shared/ops_view';

export interface ToolFiguresDeps {
  clock: Clock;
  toolService: ToolService;
  toolCounts: ToolCounts;
  switches: Switches;
  mcpServers: Slot<McpServerList>;
  /** A sentence for each mistake in the files that bring tools. */
  toolProblems: JoinedList<string>;
}

export class ToolFiguresReader {
  constructor(private readonly deps: ToolFiguresDeps) {}

  /** All tenants together are shown as the tools of the default tenant, with the calls of all. */
  async read({ tenantId }: OpsView): Promise<OpsTools> {
    const { clock, toolService, toolCounts, switches, mcpServers } = this.deps;
    const manifestProblems = this.deps.toolProblems.list();
    const tenant = tenantId ?? 'default';
    const inChinese = new Map(toolService.listTools(tenant, 'zh-CN').map(row => [row.name, row]));
    const rows = toolService
      .listTools(tenant, 'en')
      .map(({ name, toolset, origin, label, effect, enabled, reason, problems }): OpsTools['tools'][number] => ({
        name,
        toolset,
        origin,
        label,
        labelZh: inChinese.get(name)?.label ?? label,
        effect,
        enabled,
        reason,
        reasonZh: reason === undefined ? undefined : (inChinese.get(name)?.reason ?? reason),
        isSwitchedOff: switches.findTool(tenant, name) !== undefined,
        problems: problems && [...problems],
        ...toolCounts.figuresOf(tenantId, name),
      }));
    return {
      at: new Date(clock.now()).toISOString(),
      countedSince: new Date(toolCounts.since).toISOString(),
      tools: rows,
      patchLevels: toolCounts.patchLevels(tenantId),
      mcpServers: mcpServers.current.listServers(tenantId),
      manifestProblems,
      manifestNotices: manifestProblems.map(toNotice),
    };
  }
}
