/** The services and ports whose state operators see. */
import type { Clock } from '../../port/clock';
import type { ConfigEditor, ConfigFiles } from '../../port/config_files';
import type { EventLoopMonitor } from '../../port/event_loop_monitor';
import type { HostFacts } from '../../port/host_facts';
import type { InstanceId } from '../../port/instance_id';
import type { LogError, LogTail } from '../../port/logger';
import type { PriceList } from '../../port/price_list';
import { type Actor, DEFAULT_TENANT } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';
import type { Store } from '../../port/store/store';
import type { Slot } from '../../utils/slot';
import type { AgentDirectory } from '../agent/agent_directory';
import type { RunToolChoice } from '../agent/tool_choice';
import type { AuditLog } from '../audit/audit_log';
import type { ConfigReloads } from '../audit/config_reloads';
import type { ConnectionRow } from '../door/open_sockets';
import type { DayBudgets } from '../limits/day_budgets';
import type { LimitRules } from '../limits/limit_rules';
import type { Refusals } from '../limits/refusals';
import type { Switches } from '../limits/switches';
import type { ModelCatalog } from '../model/model_catalog';
import type { ModelSupervisor } from '../model/model_supervisor';
import type { AgentExecutor } from '../run/agent_executor';
import type { ReadinessService } from '../status/readiness_service';
import type { Warnings } from '../status/warnings';
import type { McpServerList } from '../tool/mcp_server_list';
import type { ToolCounts } from '../tool/tool_counts';
import type { ToolService } from '../tool/tool_service';
import type { ConfigSetting } from './config_setting';
import type { RunActivity } from './run_activity';

export interface OpsDeps {
  version: string;
  maxToolIterations: number;
  store: Store;
  clock: Clock;
  identity: InstanceId;
  host: HostFacts;
  eventLoopMonitor: EventLoopMonitor;
  readiness: ReadinessService;
  runActivity: RunActivity;
  switches: Switches;
  executor: AgentExecutor;
  agents: AgentDirectory;
  toolChoice: Slot<RunToolChoice>;
  toolService: ToolService;
  toolCounts: ToolCounts;
  models: ModelCatalog;
  modelSupervisor: ModelSupervisor;
  rules: LimitRules;
  refusals: Refusals;
  auditLog: AuditLog;
  configFiles: ConfigFiles;
  configEditor: ConfigEditor;
  configReloads: Pick<ConfigReloads, 'warnings' | 'reloadedAt'>;
  logTail: LogTail;
  priceList: PriceList;
  /** Ends a connection of this gateway. Resolves false when it has none with this id. */
  disconnect: (view: OpsView, id: string) => boolean;
  /** Every setting with its value and source, without secrets. */
  listSettings: () => ConfigSetting[];
  /** Limits of this process. */
  runLimits: { concurrentRuns: number; queuedRuns: number };
  dayBudgets: DayBudgets;
  mcpServers: Slot<McpServerList>;
  /** A sentence for each mistake in the files that bring tools. */
  toolProblems: Warnings;
  defaultLocale: Locale;
  onError: LogError;
  /** The sockets and event streams of this process. */
  connections: () => ConnectionRow[];
  /** Number of connections that follow a session here. */
  watchersOf: (sessionId: string) => number;
  /** The keys that limits count for, of one tenant or of all. */
  listActors: (view: OpsView) => Actor[];
  /** Tells features that an operator lets runs begin again. */
  onAccept: () => void;
}

/** The caller's tenant, or all tenants. */
export interface OpsView {
  tenantId?: string;
}

/**
 * Returns true for callers who may see memory, disk, doctor and paths. These concern all tenants, so they are for admins and for the operator's
 * tenant, like /metrics.
 */
export const seesMachine = ({ tenantId }: OpsView): boolean => tenantId === undefined || tenantId === DEFAULT_TENANT;
